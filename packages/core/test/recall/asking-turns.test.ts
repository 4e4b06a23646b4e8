import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Provenance } from "@loci/domain";
import { rankCandidates } from "../../src/index.ts";
import { askingFactor, askingShare } from "../../src/recall/asking-turns.ts";
import { CandidateScores } from "../../src/recall/score-candidates.ts";
import { propertyRuns } from "../property-runs.ts";
import { rankingOf, type Sketch } from "./candidates.ts";

const provenance: Provenance = { kind: "conversation", sourceId: "conversation:a", position: 1 };

const shareOf = (text: string): number => askingShare({ text, provenance, origin: "manual" });

describe("how much of a turn asks", () => {
  test.each<[string, number]>([
    ["Mara: I went to Porto.", 0],
    ["Mara: Where did you go?", 1],
    ["你去哪儿了？", 1],
    ["أين ذهبت؟", 1],
    // 20 of 80 characters are asked.
    [`${"a".repeat(59)}. Did you like Porto?`, 0.5],
    ["Did you like it? Yes!", 1],
    [`Did you like it?${" Yes".repeat(24)}`, 32 / 112],
  ])("%s", (text, share) => {
    expect(shareOf(text)).toBeCloseTo(share, 12);
  });

  test("only turns of conversations ask", () => {
    const text = "Where did you go?";
    expect(askingShare({ text, provenance: { ...provenance, kind: "document" }, origin: "manual" })).toBe(0);
    expect(askingShare({ text, origin: "manual" })).toBe(0);
    expect(askingShare({ text, provenance, origin: "capture" })).toBe(0);
  });

  test("a question that much follows on is not looked at", () => {
    expect(shareOf(`Where did you go? ${"I stayed at home. ".repeat(17)}`)).toBe(0);
  });

  test("is between 0 and 1, and more of it is never worth more", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", " ", "?", ".", "\n", "？"), maxLength: 700 }), (text) => {
        const share = shareOf(text);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
        expect(share > 0).toBe(/[?？]/u.test(text.slice(-300)));
        expect(askingFactor(share)).toBeLessThanOrEqual(1);
        expect(askingFactor(share)).toBeGreaterThanOrEqual(0.85);
      }),
      { seed: 1, numRuns: propertyRuns(500) },
    );
  });
});

describe("ranking turns that ask", () => {
  const turn = (id: number, position: number, text: string): Sketch => ({
    id,
    text,
    provenance: { ...provenance, position },
  });

  test("the answer comes before the turn that asks with the same words, and explain says so", () => {
    const input = rankingOf("kraken", [
      turn(1, 1, "kraken, seen one?"),
      turn(2, 2, "kraken, seen one."),
      turn(3, 19, "lunch"),
    ]);
    const { hits } = rankCandidates(input);
    expect(hits.map(({ memory }) => memory.id.at(-1))).toEqual(["2", "1"]);
    expect(hits.map(({ parts }) => parts.asking)).toEqual([undefined, 0.85]);
  });

  test("what a turn asks goes to the turn after it, not to the one before", () => {
    const input = rankingOf("kraken", [
      turn(1, 1, "hello there"),
      turn(2, 2, "and the kraken?"),
      turn(3, 3, "a big one"),
    ]);
    const scores = new CandidateScores(input);
    const relevant = scores.relevant();
    const all = [...relevant, ...scores.belowFloor(relevant)];
    const found = new Map(all.map((scored) => [scored.id.at(-1), scores.partsOf(scored).neighbours]));
    expect(found.get("3")).toBeCloseTo(1.7 * (found.get("1") ?? 0), 12);
    expect(found.get("1")).toBeGreaterThan(0);
  });
});
