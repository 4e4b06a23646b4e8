import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ChangedRows, LociError, throwIfAborted } from "@loci/loci";
import type { ServingStatus } from "../health/health-service.ts";
import type { Logger } from "../logging/logger.ts";
import type { AccessEntries } from "../security/access-entries.ts";
import {
  heartbeatMilliseconds,
  type MessageToFront,
  type MessageToWorker,
  type ServeMessage,
  type WorkerTask,
} from "./worker-messages.ts";

export interface WorkerProcessOptions {
  readonly number: number;
  /** Where its sockets are. */
  readonly socketDirectory: string;
  /** What it is to serve, asked for at each start. */
  readonly work: () => Omit<ServeMessage, "type" | "number" | "socketPath" | "metricsSocketPath">;
  readonly logger: Logger;
  /** Takes the lines of its log. Default: they go to the standard error of this process. */
  readonly writeLog?: ((line: string) => void) | undefined;
  /** Called when it has said how it is, and when it has gone. */
  readonly onChange: () => void;
}

/** Of the sources where this runs from source, else of what is built or published. */
const program = fileURLToPath(import.meta.resolve("#worker-main"));
const shortestPause = 100;
const longestPause = 10_000;
/** One that has run for so long, in milliseconds, is started again at once when it ends. */
const steadyTime = 60_000;
/** Beats of the heart that may be missing until nobody counts on an answer: one is, now and then, of one that is well. */
const mostMissed = 2;
/** Beats of the heart that may be missing until a worker is taken for stuck. */
const mostMissing = 10;
/** What a worker may take to close its files when its calls are over, in milliseconds. */
const closingTime = 10_000;

/** A process that serves a part of the tenants. One that ends is started again; one that says nothing any more is ended. */
export class WorkerProcess {
  readonly number: number;
  readonly #options: WorkerProcessOptions;
  #child: ChildProcess | undefined;
  #socketPath: string | undefined;
  #metricsSocketPath: string | undefined;
  /** Whom to let in, as it was said since the process was started and before it could hear of it. */
  #missedAccess: AccessEntries | undefined;
  #statuses: Readonly<Record<string, ServingStatus>> = {};
  /** Beats of its heart. */
  #missing = 0;
  #starts = 0;
  #pause = shortestPause;
  #restart: NodeJS.Timeout | undefined;
  #isStopping = false;
  /** What it was asked, by number. */
  readonly #asked = new Map<number, PromiseWithResolvers<ChangedRows>>();
  #tasks = 0;

  constructor(options: WorkerProcessOptions) {
    this.number = options.number;
    this.#options = options;
  }

  /** Where it takes calls, or `undefined` while it is not there. */
  get socketPath(): string | undefined {
    return this.#socketPath;
  }

  /** Whether it is there and has said so in the last three seconds. One that does nothing else, or is stopped, has not. */
  get isUp(): boolean {
    return this.#socketPath !== undefined && this.#missing <= mostMissed;
  }

  /** Where it gives out its metrics, if any are, or `undefined` while it is not there. */
  get metricsSocketPath(): string | undefined {
    return this.#metricsSocketPath;
  }

  /** How what it serves is, by the names of health. */
  get statuses(): Readonly<Record<string, ServingStatus>> {
    return this.#statuses;
  }

  /**
   * Starts it for the first time.
   *
   * @throws LociError what `startServer` throws
   */
  async start(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#spawn({ onReady: resolve, onFailure: reject });
    await promise;
  }

  /** Lets these in and no others. One that is starting is told as soon as it serves. */
  replaceAccess(access: AccessEntries): void {
    if (this.#socketPath === undefined) this.#missedAccess = access;
    else this.#tell({ type: "access", access });
  }

  /** How often it was started: whoever counts on what it knows sees whether it is the same process still. */
  get starts(): number {
    return this.#starts;
  }

  /**
   * Has it do a part of moving a tenant.
   *
   * @returns what was written, where it was asked for that
   * @throws LociError `SERVER_UNAVAILABLE` when it is not there, or ends; what the part fails with; what the signal is aborted with
   */
  async ask(task: WorkerTask, signal?: AbortSignal): Promise<ChangedRows> {
    throwIfAborted(signal);
    if (this.#socketPath === undefined) throw notThere(this.number);
    const number = ++this.#tasks;
    const answer = Promise.withResolvers<ChangedRows>();
    this.#asked.set(number, answer);
    const cancel = (): void => {
      this.#tell({ type: "cancelTask", number });
      answer.reject(signal?.reason);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    this.#tell({ type: "task", number, task });
    try {
      return await answer.promise;
    } finally {
      this.#asked.delete(number);
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Lets its calls go on for the time, in milliseconds, and resolves when the process is gone. */
  async stop(graceMilliseconds: number): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (child === undefined) return;
    const { promise: exited, resolve } = Promise.withResolvers<void>();
    child.once("exit", () => resolve());
    this.#tell({ type: "stop", graceMilliseconds });
    const killing = setTimeout(() => child.kill("SIGKILL"), graceMilliseconds + closingTime);
    await exited;
    clearTimeout(killing);
  }

  #spawn(first?: { readonly onReady: () => void; readonly onFailure: (error: LociError) => void }): void {
    const { number, socketDirectory, work, logger, writeLog } = this.#options;
    // Another name each time: nothing of an earlier one is in the way.
    const name = `${number}-${++this.#starts}`;
    const socketPath = join(socketDirectory, `${name}.sock`);
    const metricsSocketPath = join(socketDirectory, `${name}-metrics.sock`);
    const child = fork(program, [`worker ${number}`], {
      // Two inspectors cannot have one port.
      execArgv: process.execArgv.filter((option) => !option.startsWith("--inspect")),
      serialization: "advanced",
      stdio: ["ignore", "ignore", writeLog === undefined ? "inherit" : "pipe", "ipc"],
    });
    this.#child = child;
    const startedAt = performance.now();
    let failure: LociError | undefined;
    this.#missing = 0;
    let listening: NodeJS.Timeout | undefined;
    if (writeLog !== undefined) passLines(child, writeLog);
    child.on("message", (message: MessageToFront) => {
      if (message.type === "failed") {
        const { reason, ...details } = message;
        failure = new LociError(reason, details);
      } else if (message.type === "done") {
        this.#asked.get(message.number)?.resolve(message.changes ?? []);
      } else if (message.type === "taskFailed") {
        const { reason, ...details } = message.failure;
        this.#asked.get(message.number)?.reject(new LociError(reason, details));
      } else if (message.type === "ready") {
        // Opening what it has to open may hold it up for long; from now on nothing may.
        listening = setInterval(() => {
          if (++this.#missing <= mostMissing) return;
          logger.log("error", "worker stuck", { worker: number, pid: child.pid, silentSeconds: mostMissing });
          child.kill("SIGKILL");
        }, heartbeatMilliseconds);
        this.#socketPath = socketPath;
        this.#metricsSocketPath = metricsSocketPath;
        if (this.#missedAccess !== undefined) this.#tell({ type: "access", access: this.#missedAccess });
        this.#missedAccess = undefined;
        logger.log("info", "worker started", { worker: number, pid: child.pid });
        this.#options.onChange();
        first?.onReady();
      } else {
        this.#missing = 0;
        this.#statuses = message.statuses;
        this.#options.onChange();
      }
    });
    let isGone = false;
    const onGone = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (isGone) return;
      isGone = true;
      clearInterval(listening);
      rmSync(socketPath, { force: true });
      rmSync(metricsSocketPath, { force: true });
      const wasServing = this.#socketPath !== undefined;
      this.#child = undefined;
      this.#socketPath = undefined;
      this.#metricsSocketPath = undefined;
      this.#statuses = {};
      for (const { reject } of this.#asked.values()) reject(notThere(number));
      this.#options.onChange();
      const { reason, message: problem } = failure ?? {};
      const ended = { code: code ?? undefined, signal: signal ?? undefined, reason, problem };
      if (this.#isStopping) {
        if (failure !== undefined) logger.log("error", "worker ended", { worker: number, pid: child.pid, ...ended });
        return;
      }
      if (first !== undefined && !wasServing) {
        first.onFailure(failure ?? endedAtOnce(number, code, signal));
        return;
      }
      if (performance.now() - startedAt > steadyTime) this.#pause = shortestPause;
      logger.log("error", "worker ended", { worker: number, pid: child.pid, ...ended, againAfter: this.#pause });
      this.#restart = setTimeout(() => this.#spawn(), this.#pause);
      this.#pause = Math.min(2 * this.#pause, longestPause);
    };
    child.once("exit", onGone);
    // Such as for want of memory or processes.
    child.once("error", () => child.pid === undefined && onGone(null, null));
    this.#missedAccess = undefined;
    this.#tell({ type: "serve", number, socketPath, metricsSocketPath, ...work() });
  }

  #tell(message: MessageToWorker): void {
    // It may be ending at this moment, which is told by its exit.
    if (this.#child?.connected === true) this.#child.send(message, () => undefined);
  }
}

function passLines(child: ChildProcess, write: (line: string) => void): void {
  let rest = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) write(`${line}\n`);
  });
}

function notThere(worker: number): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: `Worker ${worker} is not there, or has ended meanwhile.`,
    advice: "Try again when it has been started again.",
  });
}

function endedAtOnce(worker: number, code: number | null, signal: NodeJS.Signals | null): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: `Worker ${worker} ended before it could serve, ${signal === null ? `with code ${code}` : `by ${signal}`}.`,
    advice: "Its last words are in the log. There may be too little memory for so many workers.",
  });
}
