import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProcessState, RecallTimes, TenantsCommand } from "../programs/tenants-server.ts";

/** A server on a directory of many tenants, in a process of its own. */
export class TenantsServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  /** Before the server was started, and when it took calls. */
  readonly before: ProcessState;
  readonly ready: ProcessState;

  private constructor(child: ChildProcess, { before, ready }: { before: ProcessState; ready: ProcessState }) {
    this.#child = child;
    this.before = before;
    this.ready = ready;
  }

  static async start(dataDirectory: string): Promise<TenantsServer> {
    const program = fileURLToPath(new URL("../programs/tenants-server.ts", import.meta.url));
    const child = fork(program, [dataDirectory], {
      // The built packages: what is run from source takes more memory and a longer start.
      execArgv: ["--disable-warning=ExperimentalWarning"],
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "loci-tenants-compile-cache") },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    return new TenantsServer(child, (await answerOf(child)) as { before: ProcessState; ready: ProcessState });
  }

  state(): Promise<ProcessState> {
    return this.#ask({ type: "state" }) as Promise<ProcessState>;
  }

  recall(tenants: readonly number[]): Promise<RecallTimes> {
    return this.#ask({ type: "recall", tenants }) as Promise<RecallTimes>;
  }

  sweep(): Promise<{ readonly tenants: number }> {
    return this.#ask({ type: "sweep" }) as Promise<{ readonly tenants: number }>;
  }

  /** @returns how many memories were written */
  write(from: number, end: number): Promise<number> {
    return this.#ask({ type: "write", from, end }) as Promise<number>;
  }

  /** Ends the process without a word to it, as a lack of memory would. */
  async kill(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.send({ type: "close" } satisfies TenantsCommand);
    await ended;
  }

  #ask(command: TenantsCommand): Promise<unknown> {
    const answer = answerOf(this.#child);
    this.#child.send(command);
    return answer;
  }
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, "exit", { signal }).then(([code]) => {
    throw new Error(`The server ended with ${String(code)}.`);
  });
  try {
    const [{ result }] = (await Promise.race([once(child, "message", { signal }), ended])) as [{ result: unknown }];
    return result;
  } finally {
    ended.catch(() => undefined);
    over.abort();
  }
}
