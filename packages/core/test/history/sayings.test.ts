import { describe, expect, test } from "vitest";
import { patternOf, sayingsOf, sayings } from "../../src/history/sayings/says.ts";
import { processorTime } from "../processor-time.ts";

// Each example and counterexample stands beside the words it belongs to.
describe.each(Object.entries(sayings))("%s", (_, ofLanguage) => {
  describe.each(ofLanguage.map((saying) => [saying.kind, saying.words.slice(0, 40), saying] as const))(
    "%s: %s",
    (kind, _words, saying) => {
      const { examples, counterexamples } = saying;
      test.each(examples)("is said by %j", (sentence) => {
        expect(sentence.toLowerCase()).toMatch(patternOf(saying.words));
        expect(sayingsOf(sentence)(kind)).toBe(true);
      });

      test.each(counterexamples)("is not said by %j", (sentence) => {
        expect(sayingsOf(sentence)(kind)).toBe(false);
      });
    },
  );
});

test("an apostrophe is one, however it is written, and an accent however it is made", () => {
  expect(sayingsOf("We haven’t decided.")("noDecision")).toBe(true);
  expect(sayingsOf("Let’s use Redis.")("decision")).toBe(true);
  expect(sayingsOf("Nous avons de\u0301cide\u0301 de partir.")("decision")).toBe(true);
});

const kinds = [...new Set(sayings.english.map(({ kind }) => kind))];

// Of a sentence as long as the longest that is read.
test.each(["not a ", "wenn ich ", "si el ", "we will use ", "use ", "pas a ", "no hay ", "x", "ich werde "])(
  "%j over and over takes no more than linear time",
  (words) => {
    const sentence = words.repeat(Math.ceil(20_000 / words.length));
    expect(processorTime(() => kinds.map((kind) => sayingsOf(sentence)(kind)))).toBeLessThan(250);
  },
);
