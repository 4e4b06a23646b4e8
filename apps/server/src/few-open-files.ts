import { readFileSync } from "node:fs";
import type { Logger } from "./logging/logger.ts";

/** What a server of one tenant has open without a connection, and some more: 43 were counted. */
const ownFiles = 64;

/**
 * Says in the log that this process may have fewer files open than it needs for its connections. Those that are too many then are
 * closed by the system, and no event tells of them.
 *
 * @param maxConnections that it is to take
 * @param limit `undefined` when there is none, or it is not known
 * @param filesOfConnection that one takes. Default 1
 */
export function warnOfFewOpenFiles(
  maxConnections: number,
  logger: Logger,
  limit: number | undefined,
  filesOfConnection = 1,
): void {
  const needed = filesOfConnection * maxConnections + ownFiles;
  if (limit === undefined || limit >= needed) return;
  logger.log("warn", "few open files", {
    limit,
    needed,
    maxConnections,
    advice: "Raise the limit (ulimit -n, LimitNOFILE of a systemd service), or lower limits.max_connections.",
  });
}

/**
 * How many files this process may have open, as Linux tells.
 *
 * @param path where it tells
 * @returns `undefined` when there is no limit, and on other systems
 */
export function openFilesLimit(path = "/proc/self/limits"): number | undefined {
  try {
    const soft = /^Max open files\s{1,40}(\d{1,15})\s/m.exec(readFileSync(path, "utf8"))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
