import { LociError, type Ref, type TenantId } from "@loci/domain";
import { captureFamily, dueCaptureFamily, dueGroup, type Ledger, type StoredJob } from "@loci/ledger";
import { keepTrying } from "../calls/keep-trying.ts";
import { Notifier } from "../calls/notifier.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { captureOf, type StoredCapture } from "./stored-capture.ts";

export interface CaptureRunnerOptions {
  readonly ledger: Ledger;
  readonly jobs: Jobs;
  /** Carries out one capture. The attempts count from 1; those that were given back do not. */
  readonly run: (
    tenant: TenantId,
    capture: { readonly ref: Ref; readonly attempt: number },
    signal: AbortSignal,
  ) => Promise<StoredCapture | undefined>;
  readonly reportProblem: ReportProblem;
  /** How many at once in this process. With rules they take the thread, with a model they wait for it. Default 1. */
  readonly concurrency?: number | undefined;
  /** How long nobody else may take up a capture after this process has died, in milliseconds. Default 60,000. */
  readonly leaseMilliseconds?: number | undefined;
}

const jobKind = "capture";
const capturesPerRead = 200;
const defaultLease = 60_000;
const lookingBack = "captures";
/** Of what is over nothing needs to be read here: the capture itself says it. */
const keepMilliseconds = 60_000;
/** As a capture's own waits, and one more: the capture is given up first, and says so. */
const retryDelays = [1_000, 10_000, 60_000, 600_000, 600_000];

/**
 * Has captures carried out as durable jobs, by one of the servers on the ledger. What is to be done stands in the log, so that what
 * a killed process left is taken up by whoever else is there, or at the next start. Nothing here keeps a process alive.
 */
export class CaptureRunner {
  readonly #options: CaptureRunnerOptions;
  readonly #stopping = new AbortController();
  /** Of captures that somebody waits for. */
  readonly #changes = new Map<Ref, Notifier>();
  #takingUp: Promise<void> | undefined;

  constructor(options: CaptureRunnerOptions) {
    this.#options = options;
  }

  /** From now on captures are carried out here. Takes up what is due in the log, in the background: there may be many tenants. */
  start(): void {
    const { jobs, concurrency = 1, leaseMilliseconds = defaultLease } = this.#options;
    jobs.handle(jobKind, {
      run: (job, { signal }) => this.#run(job, signal),
      concurrency,
      retryDelays,
      leaseMilliseconds,
    });
    const { reportProblem } = this.#options;
    const { signal } = this.#stopping;
    const activity = "looking for captures that are due";
    this.#takingUp = keepTrying(() => this.#takeUpAll(), { activity, reportProblem, signal });
  }

  /** Resolves when some server will carry out the capture, also if this process dies. */
  async enqueue(tenant: TenantId, capture: Pick<StoredCapture, "ref" | "starts">): Promise<void> {
    const { ref } = capture;
    await this.#options.jobs.enqueue(tenant, { id: jobIdOf(capture), kind: jobKind, request: ref, keepMilliseconds });
  }

  /** Has the capture stop where it runs. That it is cancelled stands in the log already. */
  async cancel(tenant: TenantId, capture: Pick<StoredCapture, "ref" | "starts">): Promise<void> {
    await this.#options.jobs.cancel(tenant, jobIdOf(capture));
    this.#changes.get(capture.ref)?.notify();
  }

  /** Calls back each time that a capture may have come to another state by what is done here, until the answer is called. */
  listen(ref: Ref, listener: () => void): () => void {
    const change = this.#changes.get(ref) ?? new Notifier();
    this.#changes.set(ref, change);
    const stop = change.listen(listener);
    return () => {
      stop();
      if (change.isIdle && this.#changes.get(ref) === change) this.#changes.delete(ref);
    };
  }

  /** Takes up nothing any more. What is under way is given back by the jobs when they close. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#takingUp;
  }

  async #run({ tenant, request, attempts: attempt }: StoredJob, signal: AbortSignal): Promise<undefined> {
    if (tenant === undefined) return undefined;
    try {
      const capture = await this.#options.run(tenant, { ref: request as Ref, attempt }, signal);
      if (capture?.state === "failed") throw failedForNow(capture);
    } finally {
      this.#changes.get(request as Ref)?.notify();
    }
    return undefined;
  }

  async #takeUpAll(): Promise<void> {
    // Nothing is acknowledged under this name: tenants that never had a capture are not looked at one by one.
    for (const { tenant } of await this.#options.ledger.pending(lookingBack, { families: [dueCaptureFamily] })) {
      if (this.#stopping.signal.aborted) return;
      await this.#takeUp(tenant);
    }
  }

  async #takeUp(tenant: TenantId): Promise<void> {
    const { resources } = this.#options.ledger;
    const query = { family: dueCaptureFamily, group: dueGroup, limit: capturesPerRead };
    for (let after: Ref | undefined; ;) {
      const stretch = await resources.list(tenant, { ...query, after });
      const refs = stretch.map(({ state }) => (state as { readonly capture: Ref }).capture);
      for (const resource of (await resources.get(tenant, captureFamily, refs)).values()) {
        const capture = captureOf(resource);
        if (capture !== undefined && !this.#stopping.signal.aborted) await this.enqueue(tenant, capture);
      }
      if (stretch.length < capturesPerRead) return;
      after = stretch.at(-1)?.ref;
    }
  }
}

/** One that was given up and is started anew is another job. */
function jobIdOf({ ref, starts = 1 }: Pick<StoredCapture, "ref" | "starts">): string {
  return `capture/${ref}/${starts}`;
}

/** Why it failed stands in the capture. */
function failedForNow({ ref }: StoredCapture): LociError {
  return new LociError("INTERNAL", { message: "The capture failed, and is tried again.", resource: ref });
}
