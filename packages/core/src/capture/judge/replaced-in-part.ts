import type { CaptureCandidate } from "@loci/domain";
import { carriesWords, ownWords } from "./carried-words.ts";
import { facetsOf } from "./facets.ts";
import { isAllOf } from "./left-untold.ts";
import type { ReadMemory } from "./read-memory.ts";
import { mostEvidence } from "../repeated-candidates.ts";

/**
 * Memories that a session changes part by part: `Noor does judo now`, and some turns later `Bram swims on Fridays now`, of one memory
 * about both. The second candidate takes the place of the first one, carries its words along, and rests on its places as well.
 */
export class ReplacedInPart {
  readonly #candidates = new Map<string, CaptureCandidate>();

  /**
   * Closes the memory that a candidate ends or replaces. One that tells of more can be changed once more.
   *
   * @param candidates so far, without this one. An earlier one whose place it takes becomes a `NOOP`.
   * @returns the candidate, with the places of the earlier one
   */
  close(
    candidate: CaptureCandidate,
    { open, candidates }: { readonly open: Map<string, ReadMemory>; readonly candidates: CaptureCandidate[] },
  ): CaptureCandidate {
    const { decision, target, text, state } = candidate;
    const known = open.get(target ?? "");
    if (known === undefined || target === null || (decision !== "UPDATE" && decision !== "DELETE")) return candidate;
    const earlier = this.#candidates.get(target);
    if (earlier !== undefined) candidates[candidates.indexOf(earlier)] = { ...earlier, decision: "NOOP" };
    open.delete(target);
    this.#candidates.delete(target);
    if (decision === "DELETE") return candidate;
    const evidence = [...candidate.evidence, ...(earlier?.evidence ?? [])].slice(0, mostEvidence);
    const whole = { ...candidate, evidence };
    // What waits for an approval has replaced nothing yet.
    if (state === "active" && carriesWords(text) && !isAllOf(known, facetsOf(ownWords(text)))) {
      open.set(target, { ...known, replacement: text });
      this.#candidates.set(target, whole);
    }
    return whole;
  }
}
