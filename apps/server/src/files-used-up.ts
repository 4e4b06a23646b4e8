import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { Logger } from "./logging/logger.ts";

/** How long nothing more is said, in milliseconds. */
const quiet = 10_000;
/** How often it is looked without a new connection, in milliseconds. */
const interval = 5_000;
/** At most so often for connections, in milliseconds. */
const pause = 50;

/** Looks whether this process can still open files. Connections are files: without any the system closes new ones, and tells nobody. */
export interface FilesWatch {
  /** A connection was taken in, which may have been the last one that can be. */
  look(this: void): void;
  stop(this: void): void;
}

/**
 * Says in the log that this process can open no more files, every 10 s at most. It is looked every 5 s and after new connections.
 *
 * @param canOpenFiles default: whether the null device can be opened
 */
export function watchFiles(logger: Logger, canOpenFiles: () => boolean = canOpenNullDevice): FilesWatch {
  let lastLooked = -Infinity;
  let lastSaid = -Infinity;
  const check = (): void => {
    const now = performance.now();
    lastLooked = now;
    if (now - lastSaid < quiet || canOpenFiles()) return;
    lastSaid = now;
    logger.log("error", "no open files left", {
      advice:
        "The system closes new connections, and calls that open a file fail. Raise the limit (ulimit -n, LimitNOFILE of a systemd service), or lower limits.max_connections.",
    });
  };
  const timer = setInterval(check, interval);
  timer.unref();
  return {
    look: () => {
      if (performance.now() - lastLooked >= pause) check();
    },
    stop: () => clearInterval(timer),
  };
}

function canOpenNullDevice(): boolean {
  try {
    closeSync(openSync(devNull, "r"));
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE"));
  }
}
