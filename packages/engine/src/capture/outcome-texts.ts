import { screenText } from "@loci/core";
import type { CapturedCandidate, CaptureOutcome, MemoryId, MemoryRecord, TenantId, Turn } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { ThreadTurns } from "../calls/thread-turns.ts";
import { readTurns } from "../sessions/read-turns.ts";
import { findSession } from "../sessions/stored-session.ts";
import type { CaptureOrder } from "./stored-capture.ts";

/** Where the texts are, and the thread that their calls share. */
export type CapturedTexts = { readonly ledger: Ledger; readonly thread: ThreadTurns };

/**
 * An outcome as it is kept: what became memories stands there and in the turns already. A second copy would have to be found when
 * a memory is erased.
 */
export function withoutTexts(outcome: CaptureOutcome): CaptureOutcome {
  return {
    ...outcome,
    candidates: outcome.candidates.map((each) => (each.memory === null ? each : withoutWords(each))),
  };
}

/** What was made of a statement, without what it says. */
export function withoutWords(candidate: CapturedCandidate): CapturedCandidate {
  const evidence = candidate.evidence.map((place) => ({ ...place, quote: "" }));
  return { ...candidate, text: "", value: null, evidence };
}

/** An outcome as it was made, with texts of memories and turns that are there still. */
export async function withTexts(
  { ledger, thread }: CapturedTexts,
  { tenant, order, signal }: { readonly tenant: TenantId; readonly order: CaptureOrder; readonly signal: AbortSignal },
  outcome: CaptureOutcome,
): Promise<CaptureOutcome> {
  const written = outcome.candidates.flatMap(({ memory }) => memory ?? []);
  if (written.length === 0) return outcome;
  await thread.next(tenant, signal);
  const { session } = await findSession({ ledger }, tenant, order.session, signal);
  const isThere = session?.since === order.since;
  const turns = isThere
    ? (await readTurns({ ledger }, { tenant, session, signal }, order.turns)).turns
    : ([] as readonly Turn[]);
  await thread.next(tenant, signal);
  const memories = await firstVersions(ledger, tenant, written, signal);
  const contents = new Map(turns.map(({ number, content }) => [number, content]));
  const candidates: CapturedCandidate[] = [];
  for (const candidate of outcome.candidates) {
    if (candidate.memory === null) candidates.push(candidate);
    else {
      const memory = memories.get(candidate.memory);
      const evidence = candidate.evidence.map((place) => {
        const words = contents.get(place.turn)?.slice(place.start, place.end) ?? "";
        return { ...place, quote: screenText(words).text };
      });
      candidates.push({ ...candidate, text: memory?.text ?? "", value: memory?.slotValue ?? null, evidence });
      await thread.next(tenant, signal);
    }
  }
  return { ...outcome, candidates };
}

/** Memories as they were written first. Most are so still, and those are read together. */
async function firstVersions(
  ledger: Ledger,
  tenant: TenantId,
  ids: readonly MemoryId[],
  signal: AbortSignal,
): Promise<ReadonlyMap<MemoryId, MemoryRecord>> {
  const current = await ledger.memories(tenant, ids, { signal });
  const first = new Map<MemoryId, MemoryRecord>();
  for (const id of ids) {
    const now = current.get(id)?.memory;
    const memory = now?.version === 1 ? now : (await ledger.versions(tenant, id, { signal }))[0]?.memory;
    if (memory !== undefined) first.set(id, memory);
  }
  return first;
}
