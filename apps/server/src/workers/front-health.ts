import { join } from "node:path";
import { Server } from "@grpc/grpc-js";
import { service as healthDefinition } from "grpc-health-check";
import type { Environment } from "../configuration/server-configuration.ts";
import { healthNames, partNames, workerPartName } from "../health/health-probe.ts";
import { HealthService } from "../health/health-service.ts";
import { listen, type Listener } from "../listener.ts";
import type { Logger } from "../logging/logger.ts";
import { addReflection } from "../reflection.ts";
import type { WorkerProcess } from "./worker-process.ts";

const own = ["/grpc.health.v1.Health/", "/grpc.reflection."];

/** What the front answers itself, at a socket of its own: how the workers are all together, and what can be called. */
export interface FrontHealth {
  readonly socketPath: string;
  readonly health: HealthService;
  /** Looks at the workers again. */
  update(this: void): void;
  close(this: void): void;
}

/** Whether the front answers calls of the path itself. */
export function isForFront(path: string): boolean {
  return own.some((start) => path.startsWith(start));
}

/** @param workers may be added to later: nothing serves until `update` has found that all of them do */
export async function startFrontHealth(
  workers: readonly WorkerProcess[],
  {
    socketDirectory,
    environment,
    logger,
  }: { readonly socketDirectory: string; readonly environment: Environment; readonly logger: Logger },
): Promise<FrontHealth> {
  const socketPath = join(socketDirectory, "front.sock");
  const health = new HealthService(healthNames);
  const server = new Server({ "grpc.enable_channelz": 0 });
  server.addService(healthDefinition, health.handlers);
  if (environment === "development") addReflection(server);
  const listener: Listener = await listen(server, {
    at: { path: socketPath },
    logger,
    // The front has a limit for what comes to it.
    maxConnections: Infinity,
    onRefused: () => undefined,
  });
  const update = (): void => {
    for (const name of healthNames) {
      const serves = workers.every(
        ({ socketPath: path, statuses }) => path !== undefined && statuses[name] === "SERVING",
      );
      health.setStatus(name, serves ? "SERVING" : "NOT_SERVING");
    }
    for (const { number, socketPath: path, statuses } of workers) {
      health.setStatus(workerPartName(number, "process"), path === undefined ? "NOT_SERVING" : "SERVING");
      for (const part of ["server", "ledger", "index"] as const) {
        const serves = path !== undefined && statuses[partNames[part]] === "SERVING";
        health.setStatus(workerPartName(number, part), serves ? "SERVING" : "NOT_SERVING");
      }
    }
  };
  return {
    socketPath,
    health,
    update,
    close: () => {
      health.shutDown();
      listener.close();
      server.forceShutdown();
    },
  };
}
