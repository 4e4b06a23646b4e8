import { readFileSync } from "node:fs";
import { createFileRegistry, type DescMethod, type FileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { descriptorSetFile } from "@loci/api";

/** Every message and service of the contract, also those of Google's that it and its errors use. */
export const contract: FileRegistry = createFileRegistry(
  fromBinary(FileDescriptorSetSchema, readFileSync(descriptorSetFile)),
);

/** Every RPC of `loci.v1`, by the name that steps call it, such as `loci.v1.MemoryService/GetMemory`. */
export const methods: ReadonlyMap<string, DescMethod> = new Map(
  Array.from(contract).flatMap((type) =>
    type.kind === "service" && type.typeName.startsWith("loci.v1.")
      ? type.methods.map((method): [string, DescMethod] => [`${type.typeName}/${method.name}`, method])
      : [],
  ),
);

/** @throws Error for what the contract does not have */
export function methodOf(call: string): DescMethod {
  const method = methods.get(call);
  if (method === undefined) throw new Error(`the contract has no ${call}`);
  return method;
}

/** Whether a call's answer is a list of answers: of a stream, or of the pages of a list. */
export function hasManyAnswers(method: DescMethod): boolean {
  return method.methodKind === "server_streaming" || isPaged(method);
}

/** Whether a call lists something page by page. */
export function isPaged({ name, output }: DescMethod): boolean {
  return name.startsWith("List") && output.fields.some((field) => field.name === "next_page_token");
}
