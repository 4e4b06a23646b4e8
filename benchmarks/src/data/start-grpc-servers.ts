import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { GrpcServers } from "../programs/grpc-servers.ts";

/** Both servers of `programs/grpc-servers.ts`, in one process of their own. Ends with its disposal. */
export async function startGrpcServers(): Promise<GrpcServers & AsyncDisposable> {
  const program = fileURLToPath(new URL("../programs/grpc-servers.ts", import.meta.url));
  const child = fork(program, { execArgv: process.execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [servers] = (await once(child, "message")) as [GrpcServers];
  return {
    ...servers,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
