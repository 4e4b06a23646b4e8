import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectOptions, connectLoci, type Loci } from "@loci/client";
import { findServer } from "@loci/served-directory";

const program = join(import.meta.dirname, "../../cli/src/main.ts");

/** A server of a new data directory, in a process of its own as people run it. */
export class ServedStore implements AsyncDisposable {
  readonly directory: string = mkdtempSync(join(tmpdir(), "loci-browser-"));
  readonly #environment: NodeJS.ProcessEnv;
  #server: ChildProcess | undefined;
  #loci: Loci | undefined;

  private constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** @param environment settings of the server besides its defaults */
  static async start(environment: NodeJS.ProcessEnv = {}): Promise<ServedStore> {
    const store = new ServedStore(environment);
    await store.startServer();
    return store;
  }

  async startServer(): Promise<void> {
    const flags = ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning"];
    const words = ["serve", "--data", this.directory, "--listen", "127.0.0.1:0"];
    this.#server = spawn(process.execPath, [...flags, program, ...words], {
      stdio: "ignore",
      env: { ...process.env, ...this.#environment },
    });
    for (let tries = 0; findServer(this.directory) === undefined; tries++) {
      if (tries > 1_000) throw new Error("The server did not start.");
      await sleep(50);
    }
  }

  async stopServer(): Promise<void> {
    const server = this.#server;
    await this.#loci?.close();
    this.#loci = undefined;
    if (server === undefined || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill();
    await ended;
  }

  get connectOptions(): ConnectOptions {
    const { address = "", apiKey } = findServer(this.directory) ?? {};
    return { address, apiKey };
  }

  /** The same memories as a program sees them. */
  get loci(): Loci {
    this.#loci ??= connectLoci(this.connectOptions);
    return this.#loci;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopServer();
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
