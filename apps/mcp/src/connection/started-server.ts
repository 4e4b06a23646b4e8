import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { LociError, type LociErrorJson, makeDirectories } from "@loci/loci";

/** What starts a server: a program that ends when it cannot serve, and says why as a line of JSON, `{ "error": … }`. */
export interface ServerCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** The log is for finding out what went wrong lately. */
const maxLogBytes = 1024 * 1024;

/** A server in a process of its own, which outlives this one. What it says goes to `server.log` in the data directory. */
export class StartedServer {
  readonly #child: ChildProcess;
  readonly #log: string;
  readonly #dataDirectory: string;
  #spawnError: Error | undefined;

  /** @throws LociError `INVALID_CONFIGURATION` when the log cannot be written */
  constructor(command: ServerCommand, dataDirectory: string) {
    this.#dataDirectory = dataDirectory;
    this.#log = join(dataDirectory, "server.log");
    const log = this.#openLog();
    try {
      this.#child = spawn(command.program, command.arguments, {
        cwd: dataDirectory,
        env: command.environment,
        detached: true,
        stdio: ["ignore", "ignore", log],
      });
    } finally {
      closeSync(log);
    }
    this.#child.once("error", (error) => (this.#spawnError = error));
    this.#child.unref();
  }

  /** Why the server is not running, or `undefined` while it is. */
  failure(): LociError | undefined {
    const { exitCode, signalCode } = this.#child;
    if (this.#spawnError === undefined && exitCode === null && signalCode === null) return undefined;
    return (
      this.#saidError() ?? this.#unexplained(this.#spawnError?.message ?? `it ended with ${exitCode ?? signalCode}`)
    );
  }

  #openLog(): number {
    try {
      makeDirectories(this.#dataDirectory);
      const size = statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0;
      return openSync(this.#log, size > maxLogBytes ? "w" : "a", 0o600);
    } catch (cause) {
      throw new LociError("INVALID_CONFIGURATION", {
        message: `${this.#log} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
        resource: this.#log,
        advice: "Choose a data directory that this user may create and write to.",
        cause,
      });
    }
  }

  /** The error the server ended with. That of another one that was started at the same time is as true. */
  #saidError(): LociError | undefined {
    try {
      // Somebody may have removed it.
      const lines = readFileSync(this.#log, "utf8").trimEnd().split("\n");
      const { error } = JSON.parse(lines.at(-1) ?? "") as { readonly error?: LociErrorJson };
      return error === undefined ? undefined : LociError.fromJSON(error);
    } catch {
      return undefined;
    }
  }

  #unexplained(problem: string): LociError {
    return new LociError("SERVER_UNAVAILABLE", {
      message: `The server of ${this.#dataDirectory} could not be started: ${problem}.`,
      resource: this.#dataDirectory,
      advice: `See ${this.#log}, or run loci serve --data ${this.#dataDirectory} in a terminal.`,
    });
  }
}
