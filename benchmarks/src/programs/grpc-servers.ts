// A process with two servers on it: Loci, and a bare grpc-js server that echoes what Loci answers. Tells its parent where.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { memoryToProto, proto } from "@loci/api";
import { connectLoci } from "@loci/client";
import { defaultConfiguration, startServer } from "@loci/server";
import { prose } from "../data/prose.ts";

/** What the parent needs to know. */
export interface GrpcServers {
  readonly loci: string;
  readonly apiKey: string | undefined;
  readonly echo: string;
  /** A memory of about 1 KB, which both servers answer with. */
  readonly memory: string;
}

const dataDirectory = mkdtempSync(join(tmpdir(), "loci-benchmark-"));
const server = await startServer(
  { ...defaultConfiguration, listen: { address: "127.0.0.1", port: 0 }, dataDirectory, logLevel: "error" },
  { writeLog: () => undefined },
);
const client = connectLoci({ address: server.address, apiKey: server.apiKey });
const memory = await client.memories.remember({ text: prose(1, 14), scope: "global" });
await client.close();

const answer = { memory: memoryToProto(memory) };
const echo = new Server();
const { getMemory } = proto.MemoryServiceService;
echo.addService(
  { getMemory },
  {
    getMemory: (
      _call: ServerUnaryCall<proto.GetMemoryRequest, proto.GetMemoryResponse>,
      callback: sendUnaryData<proto.GetMemoryResponse>,
    ) => callback(null, answer),
  },
);
const port = await new Promise<number>((resolve, reject) => {
  echo.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
    error === null ? resolve(bound) : reject(error),
  );
});
const servers: GrpcServers = {
  loci: server.address,
  apiKey: server.apiKey,
  echo: `127.0.0.1:${port}`,
  memory: memory.id,
};
process.send?.(servers);

process.once("disconnect", () => {
  echo.forceShutdown();
  void server.close(0).finally(() => {
    rmSync(dataDirectory, { recursive: true });
    process.exit(0);
  });
});
