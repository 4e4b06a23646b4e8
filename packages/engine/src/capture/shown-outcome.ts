import { type CapturedCandidate, type CaptureOutcome, formatScope, hasRole, permitsScope } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { isWithheld } from "../memories/withheld-memory.ts";
import { withoutWords } from "./outcome-texts.ts";
import type { CaptureOrder } from "./stored-capture.ts";

/**
 * An outcome as the principal may see it: without the words of what waits for approval, or was rejected, if it may not approve, and of
 * what went to a scope that it may not touch, which may repeat what is known there; without any words if it may not read. They are kept
 * from it in memories as well. That something waits, why, and where it was said it is told.
 */
export async function shownOutcome(
  services: { readonly ledger: Ledger },
  call: Call,
  { order: { projectScope }, outcome }: { readonly order: CaptureOrder; readonly outcome: CaptureOutcome },
): Promise<CaptureOutcome> {
  const { principal } = call;
  const foreign =
    projectScope === undefined || permitsScope(principal, projectScope) ? undefined : formatScope(projectScope);
  const mayApprove = hasRole(principal, "approve");
  // Who only writes may ask for captures, and for dry runs.
  if (!mayApprove && !hasRole(principal, "read"))
    return { ...outcome, candidates: outcome.candidates.map(withoutAnything) };
  const written = outcome.candidates.flatMap(({ memory }) => memory ?? []);
  const current =
    written.length === 0
      ? undefined
      : await services.ledger.memories(principal.tenant, written, { signal: call.signal });
  const candidates = outcome.candidates.map(async (candidate) => {
    const stored = candidate.memory === null ? undefined : current?.get(candidate.memory);
    // An import may name any memory as what became of a statement.
    if (candidate.scope === foreign || (stored !== undefined && !permitsScope(principal, stored.memory.scope)))
      return withoutKnown(candidate);
    const isHidden =
      stored === undefined
        ? candidate.state === "quarantined" && !mayApprove
        : await isWithheld(services, call, stored);
    return isHidden ? withoutWords(candidate) : candidate;
  });
  return { ...outcome, candidates: await Promise.all(candidates) };
}

/** Nor what it is about. */
function withoutAnything(candidate: CapturedCandidate): CapturedCandidate {
  return { ...withoutKnown(candidate), slot: null, tags: [] };
}

/** Not even which memory says the same. */
function withoutKnown(candidate: CapturedCandidate): CapturedCandidate {
  return { ...withoutWords(candidate), target: null };
}
