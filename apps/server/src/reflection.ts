import { readFileSync } from "node:fs";
import type { Server } from "@grpc/grpc-js";
import type { PackageDefinition } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";
import { descriptorFiles, descriptorSetFile } from "@loci/api";

/** The contract, and that of health. */
const descriptorSets = [descriptorSetFile, new URL("../health.binpb", import.meta.url)];

/** Lets tools such as grpcurl ask the server what can be called. */
export function addReflection(server: Server): void {
  new ReflectionService(describedFiles()).addToServer(server);
}

/**
 * The files as they are written. Loading them as packages would join all that are of one package under the name of one of them,
 * and lose what they import, so that no client could put them together.
 */
function describedFiles(): PackageDefinition {
  const files = descriptorSets.flatMap((set) => descriptorFiles(readFileSync(set)));
  // Reflection reads nothing of a definition but the files it comes with.
  return { files: { fileDescriptorProtos: files.map((file) => Buffer.from(file)) } as never };
}
