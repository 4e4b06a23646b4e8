import type { CallOptions, Instant, MemoryId, Principal, Ref, TenantId } from "@loci/domain";
import type { Ledger, RecallMark } from "@loci/ledger";
import { DelayedFlush } from "../calls/delayed-flush.ts";
import { accountName } from "../calls/principal-account.ts";
import { RefusedWrites } from "../calls/refused-writes.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import type { UsageRecorder } from "../usage/usage-recorder.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";
import type { CheckedRotation } from "./validate-rotation.ts";

/** When the ledger cannot be written for long, the oldest marks are given up: they only weigh memories. */
const maxWaiting = 10_000;

/** What is known of a recall when its memories are noted as shown. */
export type ShownRequest = Pick<CheckedRecallRequest, "rotation" | "evaluationTime" | "profile">;

/**
 * Notes in the background which memories sessions were shown, and knows at once what it has been told: marks that wait to
 * be written count like those in the ledger. The owner is one of those that keys with the same scope patterns name so.
 */
export class RotationMarks {
  readonly #ledger: Ledger;
  readonly #shown: UsageRecorder<Ref>;
  readonly #reportProblem: ReportProblem;
  readonly #waiting = new Map<TenantId, RecallMark[]>();
  readonly #refused = new RefusedWrites();
  readonly #flush = new DelayedFlush(() => this.#write());

  /** @param shown counts how often each memory was shown, to whatever session */
  constructor(ledger: Ledger, shown: UsageRecorder<Ref>, reportProblem: ReportProblem) {
    this.#ledger = ledger;
    this.#shown = shown;
    this.#reportProblem = reportProblem;
  }

  record(principal: Principal, { rotation, evaluationTime, profile }: ShownRequest, refs: readonly Ref[]): void {
    const { tenant } = principal;
    this.#shown.record(tenant, refs);
    if (rotation === undefined || refs.length === 0) return;
    const { session } = rotation;
    const owner = accountName(principal, rotation.owner);
    const waiting = this.#waiting.get(tenant) ?? [];
    const keepMilliseconds = profile.staleWindowMilliseconds;
    waiting.push({ owner, session, refs, at: evaluationTime, keepMilliseconds });
    if (waiting.length > maxWaiting) waiting.shift();
    this.#waiting.set(tenant, waiting);
    this.#flush.soon();
  }

  /** When the memories were last shown to the sessions that count; what the window holds is left out. */
  async lastShown(
    principal: Principal,
    { owner: name, session, key, inWindow }: CheckedRotation,
    refs: readonly MemoryId[],
    call: CallOptions,
  ): Promise<ReadonlyMap<Ref, Instant>> {
    const { tenant } = principal;
    const owner = accountName(principal, name);
    const asked = refs.filter((ref) => !inWindow.has(ref));
    if (asked.length === 0) return new Map();
    const shownTo = key === "session" ? "session" : "otherSessions";
    // Copied before the ledger is read: a mark that is written meanwhile must be seen in one of the two.
    const waiting = [...(this.#waiting.get(tenant) ?? [])];
    const found = new Map(
      await this.#ledger.recallMarks.lastShown(tenant, { owner, session, shownTo, refs: asked }, call),
    );
    const wanted = new Set(asked);
    for (const mark of waiting) {
      if (mark.owner !== owner || (mark.session === session) !== (shownTo === "session")) continue;
      for (const ref of mark.refs) if (wanted.has(ref)) found.set(ref, Math.max(mark.at, found.get(ref) ?? mark.at));
    }
    return found;
  }

  /**
   * Writes what has been recorded so far. Failures are reported and tried again with the next flush, a few times if nothing says that
   * they pass.
   */
  async flush(): Promise<void> {
    await this.#flush.now();
  }

  async close(): Promise<void> {
    await this.#flush.last();
  }

  async #write(): Promise<void> {
    for (const [tenant, waiting] of this.#waiting) {
      const marks = [...waiting];
      try {
        await this.#ledger.recallMarks.record(tenant, marks);
        this.#refused.wasWritten(tenant);
        // They count as waiting until they can be read from the ledger.
        this.#forget(tenant, marks);
      } catch (error) {
        this.#reportProblem(error, "recording what was shown");
        if (this.#refused.isHopeless(tenant, error)) this.#forget(tenant, marks);
        else this.#flush.soon();
      }
    }
  }

  #forget(tenant: TenantId, marks: readonly RecallMark[]): void {
    const forgotten = new Set(marks);
    const left = this.#waiting.get(tenant)?.filter((mark) => !forgotten.has(mark)) ?? [];
    if (left.length === 0) this.#waiting.delete(tenant);
    else this.#waiting.set(tenant, left);
  }
}
