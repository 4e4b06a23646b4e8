import type { Logger } from "./logging/logger.ts";

/** Says in the log, once a minute at most, that there are too many connections. */
export function refusedConnections(maxConnections: number, logger: Logger): () => void {
  let lastSaid = -Infinity;
  return () => {
    const now = performance.now();
    if (now - lastSaid < 60_000) return;
    lastSaid = now;
    logger.log("warn", "connection refused", { maxConnections });
  };
}
