import type { ServerConfiguration } from "./configuration/server-configuration.ts";
import { type RunningServer, startServer } from "./server.ts";

/**
 * Serves until the process is told to stop: SIGTERM or SIGINT lets calls under way finish, a second one ends the process at
 * once. This is what `loci serve` does.
 *
 * @param onStarted called when calls are taken
 * @throws LociError what `startServer` throws
 */
export async function runServer(
  configuration: ServerConfiguration,
  onStarted: (server: RunningServer) => void = () => undefined,
): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let signals = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    // The shell's convention for a process that a signal ended.
    if (++signals > 1) process.exit(signal === "SIGINT" ? 130 : 143);
    stop();
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  try {
    const server = await startServer(configuration);
    onStarted(server);
    await stopped;
    await server.close();
  } finally {
    process.off("SIGTERM", onSignal);
    process.off("SIGINT", onSignal);
  }
}
