import { expect, test } from "vitest";
import { englishAnalyser } from "../../src/index.ts";
import { numberedNames, weighNumberedNames } from "../../src/recall/numbered-names.ts";

const termsOf = (question: string): readonly string[] => englishAnalyser.terms(question);

test("a word and the number behind it are a name, however they are joined", () => {
  for (const question of ["What does module 5 do?", "What does module-5 do?"]) {
    const terms = termsOf(question);
    expect(numberedNames(terms, englishAnalyser)).toEqual([
      { whole: terms.indexOf("module-5"), parts: [terms.indexOf("modul"), terms.indexOf("5")] },
    ]);
  }
  expect(numberedNames(termsOf("user_id well-known 5 rooms"), englishAnalyser)).toEqual([]);
});

test("it weighs what it says more than its parts, and at least nothing", () => {
  const names = [{ whole: 2, parts: [0, 1] }];
  expect([...weighNumberedNames(Float64Array.of(1, 1.5, 4), names)]).toEqual([1, 1.5, 1.5]);
  expect([...weighNumberedNames(Float64Array.of(2, 3, 4), names)]).toEqual([2, 3, 0]);
  const weights = Float64Array.of(1);
  expect(weighNumberedNames(weights, [])).toBe(weights);
});
