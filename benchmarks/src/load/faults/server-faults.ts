import { setTimeout as pause } from "node:timers/promises";
import type { MovePhase } from "@loci/server";
import { processTree } from "../processor-time.ts";
import type { ServerProcess } from "../server-process.ts";
import { anyOf } from "./any-of.ts";
import type { Fault } from "./fault.ts";

/** How long after a step of a move has begun somebody is killed at most, in milliseconds. */
const longestDelay = 50;

/** A server ends at once, whatever it was at, and whoever watches it starts it again. */
export const killServer: Fault = {
  name: "server killed",
  fits: () => true,
  strike: async ({ servers }) => {
    const server = anyOf(servers);
    await server.end("SIGKILL");
    await startAgain(server);
  },
};

/** A server is told to end, lets calls finish, and is started again: an upgrade. */
export const restartServer: Fault = {
  name: "server restarted",
  fits: () => true,
  strike: async ({ servers }) => {
    const server = anyOf(servers);
    await server.end("SIGTERM");
    await startAgain(server);
  },
};

/** A server stands still, as on a machine that is out of memory, and goes on as if nothing had been. */
export const stopServer: Fault = {
  name: "server stopped for a while",
  fits: () => true,
  strike: async ({ servers }, seconds) => {
    const server = anyOf(servers);
    server.signal("SIGSTOP");
    await pause(seconds * 1_000);
    server.signal("SIGCONT");
  },
};

/** One of a server's workers ends; the server itself starts another one. */
export const killWorker: Fault = {
  name: "worker killed",
  fits: ({ servers }) => servers.some((server) => workersOf(server).length > 0),
  strike: async ({ servers }, seconds) => {
    const worker = anyOf(workersOf(anyOf(servers)));
    if (worker !== undefined) process.kill(worker, "SIGKILL");
    await pause(seconds * 1_000);
  },
};

/** One of a server's workers stands still for a while. */
export const stopWorker: Fault = {
  name: "worker stopped for a while",
  fits: killWorker.fits,
  strike: async ({ servers }, seconds) => {
    const worker = anyOf(workersOf(anyOf(servers)));
    if (worker === undefined) return;
    process.kill(worker, "SIGSTOP");
    await pause(seconds * 1_000);
    // It may have been taken for stuck, and ended.
    if (servers.flatMap(workersOf).includes(worker)) process.kill(worker, "SIGCONT");
  },
};

/** The server or one of its workers ends while a tenant is moved, soon after the move has come so far. */
export const killInMove: Fault = {
  name: "killed in mid-move",
  fits: ({ moves }) => moves !== undefined,
  strike: async ({ servers, moves }, seconds) => {
    const [server] = servers;
    if (server === undefined || moves === undefined) return;
    await moves.reached(anyOf<MovePhase>(["copy", "bring over", "switch", "remove"]));
    await pause(Math.random() * longestDelay);
    const target = anyOf(processTree(server.processId));
    if (target === server.processId) {
      await server.end("SIGKILL");
      await startAgain(server);
    } else {
      process.kill(target, "SIGKILL");
      await pause(seconds * 1_000);
    }
  },
};

function workersOf(server: ServerProcess): readonly number[] {
  return processTree(server.processId).slice(1);
}

/** As a service manager does it: again until it succeeds. */
async function startAgain(server: ServerProcess): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await server.start();
      return;
    } catch (error) {
      if (attempt === 10) throw error;
      await pause(1_000);
    }
  }
}
