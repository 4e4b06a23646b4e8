import { screenText } from "@loci/core";
import type { CapturedCandidate, CaptureOutcome, MemoryId, TenantId, Turn } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { readTurns } from "../sessions/read-turns.ts";
import { findSession } from "../sessions/stored-session.ts";
import type { CaptureOrder } from "./stored-capture.ts";

type Services = { readonly ledger: Ledger };

/**
 * An outcome as it is kept: what became memories stands there and in the turns already. A second copy would have to be found when
 * a memory is erased.
 */
export function withoutTexts(outcome: CaptureOutcome): CaptureOutcome {
  return { ...outcome, candidates: outcome.candidates.map((each) => (each.memory === null ? each : emptied(each))) };
}

function emptied(candidate: CapturedCandidate): CapturedCandidate {
  const evidence = candidate.evidence.map((place) => ({ ...place, quote: "" }));
  return { ...candidate, text: "", value: null, evidence };
}

/** An outcome as it was made, with texts of memories and turns that are there still. */
export async function withTexts(
  { ledger }: Services,
  {
    tenant,
    order,
    signal,
  }: { readonly tenant: TenantId; readonly order: CaptureOrder; readonly signal?: AbortSignal | undefined },
  outcome: CaptureOutcome,
): Promise<CaptureOutcome> {
  const written = outcome.candidates.flatMap(({ memory }) => memory ?? []);
  if (written.length === 0) return outcome;
  const { session } = await findSession({ ledger }, tenant, order.session, signal);
  const isThere = session?.since === order.since;
  const turns = isThere
    ? (await readTurns({ ledger }, { tenant, session, signal }, order.turns)).turns
    : ([] as readonly Turn[]);
  const firstVersions = await Promise.all(written.map(async (id) => firstVersion(ledger, tenant, id)));
  const memories = new Map(firstVersions.flatMap((memory) => (memory === undefined ? [] : [[memory.id, memory]])));
  const contents = new Map(turns.map(({ number, content }) => [number, content]));
  const candidates = outcome.candidates.map((candidate): CapturedCandidate => {
    if (candidate.memory === null) return candidate;
    const memory = memories.get(candidate.memory);
    const evidence = candidate.evidence.map((place) => {
      const words = contents.get(place.turn)?.slice(place.start, place.end) ?? "";
      return { ...place, quote: screenText(words).text };
    });
    return { ...candidate, text: memory?.text ?? "", value: memory?.slotValue ?? null, evidence };
  });
  return { ...outcome, candidates };
}

async function firstVersion(
  ledger: Ledger,
  tenant: TenantId,
  id: MemoryId,
): Promise<{ readonly id: MemoryId; readonly text: string; readonly slotValue?: string | undefined } | undefined> {
  const [first] = await ledger.versions(tenant, id);
  return first?.memory;
}
