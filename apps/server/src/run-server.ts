import { logVerbosity, setLogVerbosity } from "@grpc/grpc-js";
import type { ServerConfiguration } from "./configuration/server-configuration.ts";
import { collectStart } from "./collect-start.ts";
import type { RunningServer, StartServerOptions } from "./running-server.ts";
import { startServer } from "./server.ts";

export interface RunServerOptions extends StartServerOptions {
  /** Called when calls are taken, and all that is beside the server is there. */
  readonly onStarted?: ((server: RunningServer) => void) | undefined;
  /** Starts what serves people or agents through the server, and ends before it does. Default: nothing. */
  readonly beside?: ((server: RunningServer) => Promise<AsyncDisposable>) | undefined;
  /** Also stops when there was no call for so long, in milliseconds. Default: never. */
  readonly stopWhenIdleMilliseconds?: number | undefined;
}

/** How exactly the idle time is kept, in milliseconds. */
const idleCheckInterval = 5_000;

/**
 * Serves until the process is told to stop: SIGTERM or SIGINT lets calls under way finish, a second one ends the process at
 * once. SIGHUP takes the API keys of `keyFile` and the files of TLS in again. This is what `loci serve` does.
 *
 * @throws LociError what `startServer` throws; what ledger or index have failed with until they are opened again, so that whoever has started
 *   this program starts it anew
 */
export async function runServer(configuration: ServerConfiguration, options: RunServerOptions = {}): Promise<void> {
  // What it would print about failures comes as errors, too; the log has one JSON object a line.
  setLogVerbosity(logVerbosity.NONE);
  const { promise: stopped, resolve: stop, reject: end } = Promise.withResolvers<void>();
  const { onStarted, stopWhenIdleMilliseconds: mostIdle = Infinity } = options;
  // It may end before anybody waits for it.
  stopped.catch(() => undefined);
  let idleCheck: NodeJS.Timeout | undefined;
  let signals = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    // The shell's convention for a process that a signal ended.
    if (++signals > 1) process.exit(signal === "SIGINT" ? 130 : 143);
    stop();
  };
  let server: RunningServer | undefined;
  // Without this it would end the process.
  const onHangUp = (): void => server?.reload();
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  process.on("SIGHUP", onHangUp);
  try {
    const started = await startServer(configuration, { ...options, onStopped: end });
    server = started;
    let beside: AsyncDisposable | undefined;
    try {
      beside = await options.beside?.(started);
    } catch (error) {
      await started.close(0).catch(() => undefined);
      throw error;
    }
    await collectStart();
    onStarted?.(started);
    const stopIfIdle = (): void => void (started.idleMilliseconds() >= mostIdle && stop());
    if (mostIdle < Infinity) idleCheck = setInterval(stopIfIdle, Math.min(mostIdle, idleCheckInterval));
    try {
      await stopped;
    } finally {
      try {
        await beside?.[Symbol.asyncDispose]();
      } finally {
        await started.close();
      }
    }
  } finally {
    clearInterval(idleCheck);
    process.off("SIGTERM", onSignal);
    process.off("SIGINT", onSignal);
    process.off("SIGHUP", onHangUp);
  }
}
