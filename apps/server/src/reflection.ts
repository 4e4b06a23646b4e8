import { readFileSync } from "node:fs";
import type { Server } from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer, type PackageDefinition } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";
import { descriptorSetFile } from "@loci/api";

/** Every message and service of the contract. */
export function readDescriptors(): PackageDefinition {
  return loadFileDescriptorSetFromBuffer(readFileSync(descriptorSetFile));
}

/** Lets tools such as grpcurl ask the server what can be called. */
export function addReflection(server: Server): void {
  new ReflectionService(readDescriptors()).addToServer(server);
}
