import { BinaryReader } from "@bufbuild/protobuf/wire";

/** The file with the contract as a `google.protobuf.FileDescriptorSet`: for reflection, and to go through every method. */
export const descriptorSetFile: URL = new URL("../descriptors.binpb", import.meta.url);

/**
 * The files of a `google.protobuf.FileDescriptorSet`, each as an encoded `FileDescriptorProto`: with its name, and the names of
 * the files that it imports.
 *
 * @throws Error when it is none
 */
export function descriptorFiles(set: Uint8Array): readonly Uint8Array[] {
  const reader = new BinaryReader(set);
  const files: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number === 1) files.push(reader.bytes());
    else reader.skip(type, number);
  }
  return files;
}
