import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bm25Statistics } from "@loci/domain";
import { rankCandidates, type RecallCandidate } from "../../src/index.ts";
import { conversationStatistics } from "../../src/recall/conversation-statistics.ts";
import { placesOfTurns } from "../../src/recall/conversation-turns.ts";
import { countedTurns } from "../../src/recall/passages.ts";
import { propertyRuns } from "../property-runs.ts";
import { rankingOf, type Sketch } from "./candidates.ts";

/** Turns of a conversation, one for each text, from a position on. */
function turns(conversation: string, texts: readonly string[], { firstId = 1, from = 0 } = {}): readonly Sketch[] {
  return texts.map((text, index) => ({
    id: firstId + index,
    text,
    provenance: { kind: "conversation", sourceId: `conversation:${conversation}`, position: from + index },
  }));
}

function statisticsOf(prompt: string, sketches: readonly Sketch[]): Bm25Statistics {
  const { candidates, textStatistics } = rankingOf(prompt, sketches);
  return statisticsAmong(textStatistics, candidates);
}

function statisticsAmong(known: Bm25Statistics, candidates: readonly RecallCandidate[]): Bm25Statistics {
  const places = placesOfTurns(candidates);
  return conversationStatistics(known, candidates, places, countedTurns(candidates, places));
}

/** How many of the memories hold a word, for ranking, when so many of them do and so many of the texts that they make. */
function mixed([found, documents]: readonly [number, number], [held, texts]: readonly [number, number]): number {
  return (documents + 1) * ((found + 0.5) / (documents + 1)) ** 0.25 * ((held + 0.5) / (texts + 1)) ** 0.75 - 0.5;
}

describe("statistics by conversation", () => {
  test("count conversations that hold a word for three quarters of its rarity", () => {
    const sketches = [
      ...turns("a", ["kraken fine", "kraken fine", "kraken", "well"]),
      ...turns("b", ["fine", "harbour", "sail", "anchor"], { firstId: 11 }),
    ];
    const byTurn = rankingOf("kraken fine anchor", sketches).textStatistics;
    expect(byTurn).toMatchObject({ documents: 8, documentFrequencies: [3, 3, 1] });
    const { documents, documentFrequencies, totalLength } = statisticsOf("kraken fine anchor", sketches);
    expect([documents, totalLength]).toEqual([8, byTurn.totalLength]);
    const [kraken = 0, fine = 0, anchor = 0] = documentFrequencies;
    expect(kraken).toBeCloseTo(mixed([3, 8], [1, 2]), 12);
    expect(fine).toBeCloseTo(mixed([3, 8], [2, 2]), 12);
    expect(anchor).toBeCloseTo(mixed([1, 8], [1, 2]), 12);
    expect(anchor).toBeLessThan(kraken);
    expect(kraken).toBeLessThan(fine);
  });

  test("a conversation counts once for every 16 turns, and a memory that is no turn for itself", () => {
    const long = turns(
      "a",
      Array.from({ length: 40 }, (_, index) => (index < 20 ? "kraken" : "well")),
    );
    const { documentFrequencies } = statisticsOf("kraken", [...long, { id: 99, text: "kraken" }]);
    // 16 + 16 + 8 turns and a fact make 4 texts of 41 memories; two stretches and the fact hold the word.
    expect(documentFrequencies[0]).toBeCloseTo(mixed([21, 41], [3, 4]), 12);
  });

  test("what is not among the candidates is taken to be like them", () => {
    const { candidates } = rankingOf("kraken anchor", turns("a", ["kraken", "kraken", "well", "sail"]));
    const known: Bm25Statistics = { documents: 400, totalLength: 4_000, documentFrequencies: [40, 7] };
    const { documentFrequencies } = statisticsAmong(known, candidates);
    // Two turns of one conversation hold the first; of the second none is known.
    expect(documentFrequencies[0]).toBeCloseTo(mixed([40, 400], [20, 100]), 12);
    expect(documentFrequencies[1]).toBeCloseTo(mixed([7, 400], [7, 100]), 12);
  });

  test("without turns nothing changes", () => {
    const input = rankingOf("kraken", [{ id: 1, text: "kraken" }]);
    expect(statisticsAmong(input.textStatistics, input.candidates)).toBe(input.textStatistics);
  });

  test("are possible statistics, whatever the candidates and however little is known", () => {
    const sketch = fc.record({
      text: fc.constantFrom("kraken", "kraken anchor", "anchor", "lunch"),
      conversation: fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
      position: fc.nat({ max: 2_000 }),
    });
    fc.assert(
      fc.property(fc.array(sketch, { minLength: 1, maxLength: 30 }), fc.nat({ max: 1_000 }), (drawn, others) => {
        const sketches = drawn.map(({ text, conversation, position }, id): Sketch => {
          const found = conversation === undefined ? [{ id, text }] : turns(conversation, [text], { from: position });
          return { ...(found[0] as Sketch), id };
        });
        const { candidates, textStatistics } = rankingOf("kraken anchor", sketches);
        const known = { ...textStatistics, documents: textStatistics.documents + others };
        const counted = statisticsAmong(known, candidates);
        for (const found of counted.documentFrequencies) {
          expect(found).toBeGreaterThanOrEqual(0);
          expect(found).toBeLessThanOrEqual(known.documents);
        }
      }),
      { seed: 1, numRuns: propertyRuns(300) },
    );
  });
});

test("a word that one conversation keeps to beats one that every conversation has, at equal numbers of turns", () => {
  const sketches = [
    ...turns("a", ["kraken", "kraken", "kraken", "well"]),
    ...["b", "c", "d"].flatMap((name, index) =>
      turns(name, ["great", "so", "yes", "no"], { firstId: 10 * index + 10 }),
    ),
  ];
  const { hits } = rankCandidates(rankingOf("great kraken", sketches, { limits: { limit: 20 } }));
  expect(hits[0]?.memory.text).toBe("kraken");
});
