import type { Instant, Ref, TenantId } from "@loci/domain";
import { dueCaptureFamily, dueGroup, type Ledger } from "@loci/ledger";
import { backgroundPause } from "../calls/pause.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import type { StoredCapture } from "./stored-capture.ts";

export interface CaptureRunnerOptions {
  readonly ledger: Ledger;
  readonly clock: () => Instant;
  /** Carries out one capture. */
  readonly run: (tenant: TenantId, ref: Ref, signal: AbortSignal) => Promise<StoredCapture | undefined>;
  readonly reportProblem: ReportProblem;
}

const capturesPerRead = 200;

/**
 * Carries out captures in the background, one after the other. What is to be done stands in the ledger, so that what a killed
 * process left is taken up at the next start. Nothing here keeps a process alive.
 */
export class CaptureRunner {
  readonly #options: CaptureRunnerOptions;
  readonly #stopping = new AbortController();
  readonly #waiting = new Map<string, { readonly tenant: TenantId; readonly ref: Ref }>();
  readonly #watchers = new Set<() => void>();
  #running: Promise<void> | undefined;
  readonly #putOff: Set<Promise<void>> = new Set<Promise<void>>();

  constructor(options: CaptureRunnerOptions) {
    this.#options = options;
  }

  /** Takes up what is due in the ledger. */
  async start(): Promise<void> {
    for (const tenant of await this.#options.ledger.tenants()) await this.#takeUp(tenant);
  }

  /** Has a capture carried out, as soon as those before it are. */
  wake(tenant: TenantId, ref: Ref): void {
    if (this.#stopping.signal.aborted) return;
    this.#waiting.set(`${tenant}\n${ref}`, { tenant, ref });
    this.#running ??= this.#work();
  }

  /** Resolves when some capture here has come to another state, or after the time in milliseconds. */
  async changed(longest: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, longest);
    this.#watchers.add(resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    this.#watchers.delete(resolve);
  }

  /** Stops what is under way: it is due still, and taken up at the next start. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await Promise.all(this.#putOff);
  }

  async #takeUp(tenant: TenantId): Promise<void> {
    const query = { family: dueCaptureFamily, group: dueGroup, limit: capturesPerRead };
    for (let after: Ref | undefined; ;) {
      const stretch = await this.#options.ledger.resources.list(tenant, { ...query, after });
      for (const { state } of stretch) this.wake(tenant, (state as { readonly capture: Ref }).capture);
      if (stretch.length < capturesPerRead) return;
      after = stretch.at(-1)?.ref;
    }
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    // Whoever asked for it is answered first.
    await Promise.resolve();
    for (let [next] = this.#waiting; next !== undefined && !signal.aborted; [next] = this.#waiting) {
      const [name, { tenant, ref }] = next;
      this.#waiting.delete(name);
      try {
        const capture = await this.#options.run(tenant, ref, signal);
        if (capture?.state === "failed") this.#putOffUntilDue(tenant, capture);
      } catch (error) {
        if (!signal.aborted) this.#options.reportProblem(error, "capturing a session");
      }
      for (const watcher of this.#watchers) watcher();
    }
    this.#running = undefined;
  }

  #putOffUntilDue(tenant: TenantId, capture: StoredCapture): void {
    const later = this.#later(tenant, capture).finally(() => this.#putOff.delete(later));
    this.#putOff.add(later);
  }

  async #later(tenant: TenantId, { ref, dueAt = 0 }: StoredCapture): Promise<void> {
    await backgroundPause(Math.max(0, dueAt - this.#options.clock()), this.#stopping.signal);
    this.wake(tenant, ref);
  }
}
