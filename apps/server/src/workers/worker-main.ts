// A worker of `loci serve --workers`: a server of its own, on a Unix socket, for the tenants that the front sends to it.
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { logVerbosity, setLogVerbosity } from "@grpc/grpc-js";
import { LociError, throwIfAborted } from "@loci/loci";
import { collectStart } from "../collect-start.ts";
import type { AccessEntries } from "../security/access-entries.ts";
import { type StartedServer, startInThisProcess } from "../server.ts";
import { backUpShard } from "./back-up-shard.ts";
import { takeMovingStep } from "./moving-steps.ts";
import {
  type FailureMessage,
  heartbeatMilliseconds,
  type MessageToFront,
  type MessageToWorker,
  type ServeMessage,
  type WorkerTask,
} from "./worker-messages.ts";

setLogVerbosity(logVerbosity.NONE);
// These come to all processes of a terminal or a service. The front says when to stop, and when keys have changed.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);

let server: StartedServer | undefined;
let onEntries: ((entries: AccessEntries) => void) | undefined;
let isStopping = false;
let socketDirectory: string | undefined;
const tasks = new Map<number, AbortController>();
/** One after the other, also when the front has given one up: what it asks next is to come after that. */
let lastTask: Promise<void> = Promise.resolve();

process.on("message", (message: MessageToWorker) => {
  if (message.type === "serve") void serve(message);
  else if (message.type === "access") onEntries?.(message.access);
  else if (message.type === "task") take(message.number, message.task);
  else if (message.type === "cancelTask") tasks.get(message.number)?.abort(cancelled());
  else void stop(message.graceMilliseconds);
});
// Without the front nobody reaches this process: what it was answering is nobody's any more, and neither are the sockets.
process.on("disconnect", () => void stop(0));
process.on("exit", () => {
  if (!process.connected && socketDirectory !== undefined) rmSync(socketDirectory, { recursive: true, force: true });
});

async function serve(message: ServeMessage): Promise<void> {
  const { number, socketPath, metricsSocketPath, access, isLocal, isShard, frontSecret } = message;
  const { healthInterval, steadyTime } = message;
  socketDirectory = dirname(socketPath);
  const watchAccess = (watcher: typeof onEntries): void => void (onEntries = watcher);
  try {
    server = await startInThisProcess(
      message.configuration,
      { healthInterval, steadyTime, onStopped: (failure) => tell(failureOf(failure), () => process.exit(1)) },
      { number, socketPath, metricsSocketPath, access, isLocal, isShard, frontSecret, watchAccess },
    );
  } catch (error) {
    tell(failureOf(error), () => process.exit(1));
    return;
  }
  await collectStart();
  const { health } = server;
  const beat = (): void => tell({ type: "alive", statuses: health.statuses });
  beat();
  setInterval(beat, heartbeatMilliseconds);
  tell({ type: "ready" });
}

function take(number: number, task: WorkerTask): void {
  const end = new AbortController();
  tasks.set(number, end);
  lastTask = lastTask.then(() => carryOut(number, task, end.signal)).finally(() => tasks.delete(number));
}

async function carryOut(number: number, task: WorkerTask, signal: AbortSignal): Promise<void> {
  try {
    if (server === undefined) throw cancelled();
    throwIfAborted(signal);
    if (task.type === "backup") await backUpShard(server.engine, task.directory, signal);
    const changes = task.type === "backup" ? undefined : await takeMovingStep(server, task, signal);
    tell({ type: "done", number, changes });
  } catch (error) {
    tell({ type: "taskFailed", number, failure: failureOf(error) });
  }
}

function cancelled(): LociError {
  return new LociError("CANCELLED", { message: "The server has given it up." });
}

async function stop(graceMilliseconds: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  try {
    await server?.close(graceMilliseconds);
  } catch (error) {
    if (!process.connected) process.exit(1);
    return tell(failureOf(error), () => process.exit(1));
  }
  process.exit(0);
}

function tell(message: MessageToFront, onSent: () => void = () => undefined): void {
  // The channel may have closed: then there is nobody to tell, and `disconnect` ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, onSent);
}

function failureOf(error: unknown): FailureMessage {
  if (!LociError.is(error))
    return { type: "failed", reason: "INTERNAL", message: error instanceof Error ? error.message : String(error) };
  const { reason, message, field, resource, advice } = error;
  return { type: "failed", reason, message, field, resource, advice };
}
