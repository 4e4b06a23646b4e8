import { describe, expect, test } from "vitest";
import { patternOf, says, sayings } from "../../src/history/sayings/says.ts";
import { processorTime } from "../processor-time.ts";

// Each example and counterexample stands beside the words it belongs to.
describe.each(Object.entries(sayings))("%s", (_, ofLanguage) => {
  describe.each(ofLanguage.map((saying) => [saying.kind, saying.words.slice(0, 40), saying] as const))(
    "%s: %s",
    (kind, _words, saying) => {
      const { examples, counterexamples } = saying;
      test.each(examples)("is said by %j", (sentence) => {
        expect(sentence.toLowerCase()).toMatch(patternOf(saying.words));
        expect(says(kind, sentence)).toBe(true);
      });

      test.each(counterexamples)("is not said by %j", (sentence) => {
        expect(says(kind, sentence)).toBe(false);
      });
    },
  );
});

test("an apostrophe is one, however it is written, and an accent however it is made", () => {
  expect(says("noDecision", "We haven’t decided.")).toBe(true);
  expect(says("decision", "Let’s use Redis.")).toBe(true);
  expect(says("decision", "Nous avons de\u0301cide\u0301 de partir.")).toBe(true);
});

const kinds = [...new Set(sayings.english.map(({ kind }) => kind))];

// Of a sentence as long as the longest that is read.
test.each(["not a ", "wenn ich ", "si el ", "we will use ", "use ", "pas a ", "no hay ", "x", "ich werde "])(
  "%j over and over takes no more than linear time",
  (words) => {
    const sentence = words.repeat(Math.ceil(20_000 / words.length));
    expect(processorTime(() => kinds.map((kind) => says(kind, sentence)))).toBeLessThan(250);
  },
);
