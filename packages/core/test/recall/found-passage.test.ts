import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { approxTokenCounter, englishAnalyser, rankCandidates } from "../../src/index.ts";
import { foundPassage } from "../../src/recall/found-passage.ts";
import { unitEnds } from "../../src/recall/text-units.ts";
import { processorTime } from "../processor-time.ts";
import { propertyRuns } from "../property-runs.ts";
import { rankingOf } from "./candidates.ts";

const counter = approxTokenCounter;

function passage(text: string, query: string, maxTokens: number): string {
  const terms = englishAnalyser.terms(query);
  const question = { terms, weights: terms.map(() => 1), analyser: englishAnalyser };
  return foundPassage(text, counter.count(text), maxTokens, counter, question);
}

const filler = Array.from({ length: 1_000 }, (_, index) => `Sentence ${index} is about nothing at all.`);

describe("of a text that is too long", () => {
  test("the sentences the question is about are shown, with those around them", () => {
    const text = filler.with(800, "The kraken sleeps in Bergen harbour.").join(" ");
    const found = passage(text, "Where does the kraken sleep?", 60);
    expect(found).toMatch(/^\.\.\. Sentence 79\d .*The kraken sleeps in Bergen harbour\. Sentence 801 .* \.\.\.$/);
    expect(counter.count(found)).toBeLessThanOrEqual(60);
    expect(counter.count(found)).toBeGreaterThan(40);
  });

  test("marks stand only where something was left out", () => {
    const first = ["The kraken sleeps.", ...filler].join(" ");
    const last = [...filler, "The kraken sleeps."].join(" ");
    expect(passage(first, "kraken", 40)).toMatch(/^The kraken sleeps\. .* \.\.\.$/);
    expect(passage(last, "kraken", 40)).toMatch(/^\.\.\. .* The kraken sleeps\.$/);
  });

  test("what holds several of the words goes before what holds one of them", () => {
    const text = filler.with(100, "The kraken.").with(700, "A harbour for the kraken.").join(" ");
    expect(passage(text, "kraken harbour", 30)).toContain("A harbour for the kraken.");
  });

  test("its beginning is shown when it holds none of the words", () => {
    expect(passage(filler.join("\n"), "kraken", 40)).toMatch(/^Sentence 0 .* \.\.\.$/s);
  });

  test("a recall shows the passage", () => {
    const text = filler.with(800, "The kraken sleeps in Bergen harbour.").join(" ");
    const input = rankingOf("Where does the kraken sleep?", [{ id: 1, text, cosine: 0.9 }], {
      question: { terms: englishAnalyser.terms("Where does the kraken sleep?"), analyser: englishAnalyser },
      limits: { maxTokensPerMemory: 50 },
    });
    const [hit] = rankCandidates(input).hits;
    expect(hit?.text).toContain("Bergen");
    expect(hit).toMatchObject({ truncated: true, tokens: counter.count(hit?.text ?? "") });
  });
});

test("it is within the limit, and apart from its marks a part of the text, whatever text and limit", () => {
  const piece = fc.oneof(
    fc.constantFrom("kraken", "harbour. ", "\n", "。", "?", " ", "e\u0301", "👩‍👩‍👧"),
    fc.string({ maxLength: 20, unit: "grapheme" }),
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 200 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 60 }), (long, limit) => {
      fc.pre(counter.count(long) > limit && !long.includes("..."));
      const found = passage(long, "the kraken in the harbour", limit);
      expect(counter.count(found)).toBeLessThanOrEqual(limit);
      expect(found).not.toBe(long);
      const inside = found.startsWith("... ") && !long.startsWith("... ") ? found.slice(4) : found;
      const bare = inside.endsWith(" ...") ? inside.slice(0, -4) : inside;
      expect(long.includes(bare) || long.includes(found) || long.includes(inside)).toBe(true);
    }),
    { numRuns: propertyRuns(300) },
  );
});

test("units end where sentences and lines do, and are never long", () => {
  const text = `One. "Two!" Three\nv1.2 stays。四。${"x".repeat(1_000)} ${"word ".repeat(100)}`;
  let start = 0;
  const units = unitEnds(text).map((end) => {
    const unit = text.slice(start, end);
    start = end;
    return unit;
  });
  expect(units.join("")).toBe(text);
  expect(units.slice(0, 5)).toEqual(["One. ", '"Two!" ', "Three\n", "v1.2 stays。", "四。"]);
  expect(Math.max(...units.map(({ length }) => length))).toBeLessThanOrEqual(301);
});

test("takes time linear in the length, whatever the text", () => {
  for (const piece of ["?", "kraken ", ". ", "\u0301", "x", "👩‍👩‍👧", "\n", "harbour."]) {
    const text = piece.repeat(Math.floor(60_000 / piece.length));
    expect(processorTime(() => passage(text, "kraken harbour", 100))).toBeLessThan(1_500);
  }
});
