import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rendezvousOrder } from "@loci/loci";
import { startTestServer, testKey, type TestServer, type TestServerOptions } from "./test-server.ts";

/** Names of tenants, each of the worker with its number, of two. */
export const tenantsOfWorkers: readonly [string, string] = [tenantOf(0), tenantOf(1)];

/** A server with two workers, and a key for a tenant of each. */
export interface WorkerServer extends TestServer {
  readonly keys: readonly [string, string];
  /** The process that a worker is at present. */
  pidOf(worker: number): number;
}

/** Workers are started as this process was, which must so be able to run the sources. */
export async function startWorkerServer(options: TestServerOptions = {}): Promise<WorkerServer> {
  process.execArgv = ["--no-warnings", "--conditions=@loci/source"];
  const dataDirectory = options.configuration?.dataDirectory ?? mkdtempSync(join(tmpdir(), "loci-workers-test-"));
  const made = tenantsOfWorkers.map((tenant, number) =>
    testKey({ id: `tenant-${number}`, tenant, roles: ["read", "write", "approve", "admin", "operate"] }),
  );
  const apiKeys = made.map(({ entry }) => entry);
  const server = await startTestServer({
    ...options,
    configuration: { workers: 2, apiKeys, ...options.configuration, dataDirectory },
  });
  return {
    ...server,
    keys: [made[0]!.key, made[1]!.key],
    pidOf: (worker) => {
      const starts = server.log().filter((line) => line.event === "worker started" && line["worker"] === worker);
      const pid = starts.at(-1)?.["pid"];
      if (typeof pid !== "number") throw new Error(`worker ${worker} has not started`);
      return pid;
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      if (options.configuration?.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

function tenantOf(worker: number): string {
  for (let number = 0; ; number++) if (rendezvousOrder(`tenant-${number}`, 2)[0] === worker) return `tenant-${number}`;
}

/** Whether a process is there. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
