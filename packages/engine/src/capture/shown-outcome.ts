import { type CaptureOutcome, hasRole } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { isWithheld } from "../memories/withheld-memory.ts";
import { withoutWords } from "./outcome-texts.ts";

/**
 * An outcome as the principal may see it: without the words of what waits for approval, or was rejected, if it may not approve. They
 * are kept from it in memories as well. That something waits, why, and where it was said it is told.
 */
export async function shownOutcome(
  services: { readonly ledger: Ledger },
  call: Call,
  outcome: CaptureOutcome,
): Promise<CaptureOutcome> {
  if (hasRole(call.principal, "approve")) return outcome;
  const written = outcome.candidates.flatMap(({ memory }) => memory ?? []);
  const current =
    written.length === 0
      ? undefined
      : await services.ledger.memories(call.principal.tenant, written, { signal: call.signal });
  const candidates = outcome.candidates.map(async (candidate) => {
    const stored = candidate.memory === null ? undefined : current?.get(candidate.memory);
    const isHidden =
      stored === undefined ? candidate.state === "quarantined" : await isWithheld(services, call, stored);
    return isHidden ? withoutWords(candidate) : candidate;
  });
  return { ...outcome, candidates: await Promise.all(candidates) };
}
