/** How much is logged: each level includes those before it. */
export const logLevels = ["error", "warn", "info", "debug"] as const;

export type LogLevel = (typeof logLevels)[number];

/** What a line tells besides its time, level and event. Never memory text, a key or a caller's metadata. */
export type LogFields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Writes one JSON object a line. */
export class Logger {
  readonly #most: number;
  readonly #write: (line: string) => void;
  readonly #always: LogFields;

  /**
   * @param write takes a whole line, its end included. Default: standard error
   * @param always what every line tells. Default nothing
   */
  constructor(level: LogLevel, write: (line: string) => void = writeToStandardError, always: LogFields = {}) {
    this.#most = logLevels.indexOf(level);
    this.#write = write;
    this.#always = always;
  }

  isEnabled(level: LogLevel): boolean {
    return logLevels.indexOf(level) <= this.#most;
  }

  log(level: LogLevel, event: string, fields: LogFields = {}): void {
    if (!this.isEnabled(level)) return;
    this.#write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...this.#always, ...fields })}\n`);
  }
}

let waiting = "";
let isWatched = false;
let isHeard = true;

/** Lines of one turn of the event loop go out together: each write stops the whole process for a moment. */
function writeToStandardError(line: string): void {
  if (!isHeard) return;
  if (!isWatched) process.stderr.on("error", fallSilent);
  isWatched = true;
  if (waiting === "") setImmediate(flush);
  waiting += line;
}

/** Who reads the log may go, as `| head` does: that is no reason to stop serving. */
function fallSilent(): void {
  isHeard = false;
  waiting = "";
}

function flush(): void {
  if (waiting !== "") process.stderr.write(waiting);
  waiting = "";
}

process.once("exit", flush);

/** What systems and databases number their errors by, such as `ECONNREFUSED`, `SQLITE_FULL` or `57P03`. */
const systemCode = /^[A-Z0-9_]{3,60}$/;

/**
 * Where an error came from: its type, the system's code for it and the places in the code, without its message, which could
 * quote what a caller sent.
 */
export function placeOf(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const { code } = error as { readonly code?: unknown };
  return {
    error: error.name,
    code: typeof code === "string" && systemCode.test(code) ? code : undefined,
    stack: frames.slice(0, 12).map((line) => line.trim()),
  };
}
