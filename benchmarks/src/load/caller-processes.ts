import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CallOutcome } from "./call-outcome.ts";
import type { CallerAnswer, CallerRequest } from "./caller-messages.ts";
import type { PlannedCall } from "./planned-calls.ts";
import type { TenantAccess } from "./tenant-access.ts";

export interface CallersOptions {
  readonly tenants: readonly TenantAccess[];
  readonly processes: number;
  /** Stored for each tenant before the load. */
  readonly memories: number;
  readonly timeoutMilliseconds: number;
}

/** Time for processes to be told of their calls before the first one is due. */
const headStart = 300;

/** Processes that hold the programs of all tenants, each tenant in one of them. */
export class Callers implements AsyncDisposable {
  readonly #processes: readonly ChildProcess[];

  private constructor(processes: readonly ChildProcess[]) {
    this.#processes = processes;
  }

  /** Starts them, and stores what the tenants have before the load. @throws Error what could not be prepared */
  static async start({ tenants, processes, ...rest }: CallersOptions): Promise<Callers> {
    const program = fileURLToPath(new URL("caller-program.ts", import.meta.url));
    const callers = new Callers(
      Array.from({ length: processes }, () =>
        fork(program, { execArgv: process.execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] }),
      ),
    );
    try {
      const run = Date.now().toString(36);
      await callers.#askAll((place) => ({
        do: "prepare",
        tenants: tenants.filter(({ tenant }) => tenant % processes === place),
        run,
        ...rest,
      }));
      return callers;
    } catch (error) {
      await callers[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** @param onBeginning gets the time of the beginning, in milliseconds since 1970 */
  async call(
    calls: readonly PlannedCall[],
    onBeginning: (beginning: number) => void = () => undefined,
  ): Promise<{ readonly outcomes: readonly CallOutcome[]; readonly cpuMilliseconds: number }> {
    const beginning = Date.now() + headStart;
    onBeginning(beginning);
    const answers = await this.#askAll((place) => ({
      do: "call",
      calls: calls.filter(({ tenant }) => tenant % this.#processes.length === place),
      beginning,
    }));
    return {
      outcomes: answers.flatMap(({ outcomes = [] }) => outcomes),
      cpuMilliseconds: answers.reduce((sum, { cpuMilliseconds = 0 }) => sum + cpuMilliseconds, 0),
    };
  }

  /** Reads everything that was acknowledged. */
  async check(): Promise<{ readonly acknowledged: number; readonly lost: readonly string[] }> {
    const answers = await this.#askAll(() => ({ do: "check" }));
    return {
      acknowledged: answers.reduce((sum, { acknowledged = 0 }) => sum + acknowledged, 0),
      lost: answers.flatMap(({ lost = [] }) => lost),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#processes.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, "exit");
        if (child.connected) child.disconnect();
        await ended;
      }),
    );
  }

  #askAll(request: (place: number) => CallerRequest): Promise<readonly CallerAnswer[]> {
    return Promise.all(this.#processes.map((child, place) => ask(child, request(place))));
  }
}

async function ask(child: ChildProcess, request: CallerRequest): Promise<CallerAnswer> {
  const ended = new AbortController();
  const answered = once(child, "message", { signal: ended.signal }) as Promise<[CallerAnswer]>;
  const onExit = (): void => ended.abort(new Error("a process of callers has ended"));
  child.once("exit", onExit);
  child.send(request);
  try {
    const [answer] = await answered;
    if (answer.problem !== undefined) throw new Error(`Callers could not ${request.do}: ${answer.problem}`);
    return answer;
  } finally {
    child.off("exit", onExit);
  }
}
