import type { CaptureCandidate } from "@loci/domain";
import { capturedCategories } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { closesMemory, withoutCategories } from "../../src/index.ts";
import { propertyRuns } from "../property-runs.ts";

const category = fc.constantFrom(...capturedCategories);
const judged = fc
  .record({
    category,
    state: fc.constantFrom("active" as const, "quarantined" as const, "rejected" as const),
    decision: fc.constantFrom("ADD" as const, "UPDATE" as const, "DELETE" as const, "NOOP" as const),
  })
  .map(({ state, decision, ...rest }): CaptureCandidate => ({
    kind: "semantic",
    text: "The user lives in Oslo.",
    slot: null,
    value: null,
    scope: "user:ann",
    evidence: [],
    importance: 0.5,
    isStatic: false,
    isCorrection: false,
    tags: [],
    validFrom: null,
    validTo: null,
    ...rest,
    state,
    decision: state === "rejected" ? null : decision,
    target: state === "rejected" || decision === "ADD" ? null : "m",
    reason: state === "rejected" ? "FILLER" : null,
  }));

test("what is left out writes nothing, and ends what it would have ended; all else stays as it is", () => {
  fc.assert(
    fc.property(fc.array(judged), fc.uniqueArray(category), (candidates, except) => {
      const left = withoutCategories(candidates, except);
      expect(left).toHaveLength(candidates.length);
      for (const [index, candidate] of candidates.entries()) {
        const now = left[index] ?? candidate;
        const isKept = except.every((each) => each !== candidate.category);
        const writesNothing = now.state === "rejected" || now.decision === "DELETE";
        expect(isKept ? now === candidate : writesNothing).toBe(true);
        expect(closesMemory(now)).toBe(closesMemory(candidate));
        expect(now.reason).toBe(now === candidate ? candidate.reason : "CATEGORY_LEFT_OUT");
      }
      expect(withoutCategories(left, except)).toEqual(left);
    }),
    { numRuns: propertyRuns(300) },
  );
});
