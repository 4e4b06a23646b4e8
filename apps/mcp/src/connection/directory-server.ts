import { setTimeout as sleep } from "node:timers/promises";
import { findListeningServer, LociError, type ServerLocation, throwIfAborted } from "@loci/loci";
import { type ServerCommand, StartedServer } from "./started-server.ts";

export interface DirectoryServerOptions {
  readonly dataDirectory: string;
  /** Starts a server for the directory. */
  readonly command: ServerCommand;
  /** How long a server may take to start, in milliseconds. Default 20,000. */
  readonly startTimeMilliseconds?: number | undefined;
}

const pollMilliseconds = 50;
const pauseAfterLockedMilliseconds = 1_000;

/**
 * The server of a data directory, which is started when there is none.
 *
 * Any number of processes may do this at once: each may start a server, the lock of the directory lets one of them live,
 * and all find that one.
 *
 * @throws LociError why the server cannot start, such as `DATA_DIRECTORY_LOCKED` when a program that is no server has the
 *   directory; `SERVER_UNAVAILABLE` when it takes too long; what `signal` was aborted with
 */
export async function findOrStartServer(options: DirectoryServerOptions, signal: AbortSignal): Promise<ServerLocation> {
  const { dataDirectory, command, startTimeMilliseconds = 20_000 } = options;
  const end = performance.now() + startTimeMilliseconds;
  let started: StartedServer | undefined;
  let startAt = 0;
  for (;;) {
    const location = await findListeningServer(dataDirectory);
    throwIfAborted(signal);
    if (location !== undefined) return location;
    const failure = started?.failure();
    if (failure !== undefined) {
      // The lock may be that of a server that is about to say where it is, or of a command that is soon done.
      if (failure.reason !== "DATA_DIRECTORY_LOCKED" || performance.now() >= end) throw failure;
      started = undefined;
      startAt = performance.now() + pauseAfterLockedMilliseconds;
    }
    if (performance.now() >= end + pauseAfterLockedMilliseconds) throw tooSlow(dataDirectory, startTimeMilliseconds);
    if (started === undefined && performance.now() >= startAt) started = new StartedServer(command, dataDirectory);
    await sleep(pollMilliseconds, undefined, { signal }).catch(() => throwIfAborted(signal));
  }
}

function tooSlow(dataDirectory: string, milliseconds: number): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: `The server of ${dataDirectory} did not start within ${milliseconds / 1_000} s.`,
    resource: dataDirectory,
    advice: `Run loci serve --data ${dataDirectory} in a terminal to see why.`,
  });
}
