import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { endWithThisProcess } from "./end-with-this-process.ts";

export interface ServerProcessOptions {
  /** Of this server alone: its data, its settings and what it says are in it. */
  readonly folder: string;
  /** TOML without `[listen]`. */
  readonly settings: string;
  /** Connection strings, which stand in no file. */
  readonly environment: Readonly<Record<string, string>>;
  /** What follows `loci serve`. */
  readonly further?: readonly string[] | undefined;
  /** Whether it runs from what `npm run build` has made. Default: from source. */
  readonly isBuilt?: boolean | undefined;
  /** Where statements are counted. Default: nowhere. */
  readonly countsIn?: string | undefined;
}

const source = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));
const build = fileURLToPath(new URL("../../../apps/cli/dist/main.js", import.meta.url));
/** Keeps the sources' JavaScript between starts, as that of a build would be. */
const compileCache = join(tmpdir(), "loci-load-compile-cache");
const counter = new URL("count-statements.ts", import.meta.url).href;

/** `loci serve` in a process of its own, which can be ended and started again at the same address. */
export class ServerProcess {
  readonly #options: ServerProcessOptions;
  #child: ChildProcess | undefined;
  #port = 0;

  constructor(options: ServerProcessOptions) {
    this.#options = options;
    mkdirSync(options.folder, { recursive: true });
  }

  /** Resolves when it takes calls. @throws Error what it said when it did not start */
  async start(): Promise<void> {
    const { settings, environment, further = [], countsIn, isBuilt = false } = this.#options;
    const file = this.configurationFile;
    writeFileSync(file, settings, { mode: 0o600 });
    // By the environment: threads of the server have arguments of their own.
    const counting =
      countsIn === undefined
        ? {}
        : {
            LOCI_COUNTS_IN: countsIn,
            NODE_OPTIONS:
              `${environment["NODE_OPTIONS"] ?? process.env["NODE_OPTIONS"] ?? ""} --import=${counter}`.trim(),
          };
    const program = isBuilt ? [build] : ["--conditions=@loci/source", source];
    const words = ["--disable-warning=ExperimentalWarning", ...program, "serve"];
    words.push("--config", file, "--data", this.dataDirectory, "--listen", `127.0.0.1:${this.#port}`, ...further);
    const child = spawn(process.execPath, words, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...environment, ...counting },
    });
    this.#child = child;
    endWithThisProcess(child);
    child.stderr.pipe(createWriteStream(this.#log, { flags: "a" }));
    for await (const line of createInterface({ input: child.stdout })) {
      const port = /^Serving .* on \S+:(\d+)$/u.exec(line)?.[1];
      if (port === undefined) continue;
      this.#port = Number(port);
      return;
    }
    throw new Error(`loci serve ${further.join(" ")} did not start: ${this.log().slice(-2_000)}`);
  }

  /** Such as `127.0.0.1:40123`. */
  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get dataDirectory(): string {
    return join(this.#options.folder, "data");
  }

  get configurationFile(): string {
    return join(this.#options.folder, "loci.toml");
  }

  /** Of the process that was started, whose children serve where there are workers. */
  get processId(): number {
    return this.#child?.pid ?? Number.NaN;
  }

  /** Whether it has neither ended nor been killed. */
  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it by a signal: SIGTERM lets calls finish, SIGKILL nothing. Resolves when it has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.isRunning) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** What it has logged, over all its starts. */
  log(): string {
    try {
      return readFileSync(this.#log, "utf8");
    } catch {
      return "";
    }
  }

  get #log(): string {
    return join(this.#options.folder, "log");
  }
}
