/** The file with the contract as a `google.protobuf.FileDescriptorSet`: for reflection, and to go through every method. */
export const descriptorSetFile: URL = new URL("../descriptors.binpb", import.meta.url);
