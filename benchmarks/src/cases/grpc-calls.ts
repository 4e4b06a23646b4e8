import { credentials, Metadata } from "@grpc/grpc-js";
import { proto } from "@loci/api";
import { connectLoci, memoryId } from "@loci/client";
import { startGrpcServers } from "../data/start-grpc-servers.ts";
import { openTemporaryLoci } from "../data/temporary-loci.ts";
import { prose } from "../data/prose.ts";
import type { BenchmarkCase } from "../measure/benchmark-case.ts";

/** Calls under way at once where throughput is measured. */
export const callsAtOnce = 32;

/** The same read without a wire: what gRPC is added to. */
export const getInProcess: BenchmarkCase = {
  name: "get-in-process",
  description: "Read one memory of 1 KB in process",
  open: async () => {
    const temporary = await openTemporaryLoci();
    const { id } = await temporary.loci.memories.remember({ text: prose(1, 14), scope: "global" });
    return {
      run: () => temporary.loci.memories.get(id),
      [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
    };
  },
};

/** Through Loci's own client, to a server in another process. */
export const getOverGrpc: BenchmarkCase = {
  name: "get-over-grpc",
  description: "Read the same memory through connectLoci from a server in another process",
  waits: true,
  open: async () => {
    const servers = await startGrpcServers();
    const loci = connectLoci({ address: servers.loci, apiKey: servers.apiKey });
    const id = memoryId(servers.memory);
    return {
      run: () => loci.memories.get(id),
      [Symbol.asyncDispose]: async () => {
        await loci.close();
        await servers[Symbol.asyncDispose]();
      },
    };
  },
};

/** A bare client against either server, with many calls under way: what the servers can take. */
function manyCalls(which: "loci" | "echo", description: string): BenchmarkCase {
  return {
    name: `get-${callsAtOnce}-${which}`,
    description,
    waits: true,
    open: async () => {
      const servers = await startGrpcServers();
      const client = new proto.MemoryServiceClient(servers[which], credentials.createInsecure());
      const request = { ...proto.GetMemoryRequest.create(), id: servers.memory };
      const metadata = new Metadata();
      metadata.set("authorization", `Bearer ${servers.apiKey}`);
      const call = (): Promise<void> =>
        new Promise((resolve, reject) => {
          client.getMemory(request, metadata, (error) => (error === null ? resolve() : reject(error)));
        });
      return {
        run: () => Promise.all(Array.from({ length: callsAtOnce }, call)),
        [Symbol.asyncDispose]: async () => {
          client.close();
          await servers[Symbol.asyncDispose]();
        },
      };
    },
  };
}

export const manyCallsToLoci: BenchmarkCase = manyCalls("loci", `${callsAtOnce} GetMemory calls at once to Loci`);
export const manyCallsToEcho: BenchmarkCase = manyCalls(
  "echo",
  `${callsAtOnce} calls at once to a bare grpc-js server that answers with the same memory`,
);
