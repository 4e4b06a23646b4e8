import type { MemoryRecord } from "@loci/domain";
import { expect, test } from "vitest";
import { changeWords, isPassing, tellsOfChange } from "../../src/recall/told-change.ts";
import { toldSigns } from "../../src/recall/told-signs.ts";
import { englishAnalyser, type TextAnalyser } from "../../src/text/text-analyser.ts";

test.each([
  "The choir now meets in the chapel.",
  "Our plumber is Ole instead of Finn.",
  "I don't ride any more.",
  "We got rid of the van.",
  "The ferry has been replaced by a bridge.",
  "Wages were raised to 17 euros.",
  "Anke took over the bees.",
  "The bees went to Anke.",
  "The old oak died.",
  "My tablet broke, so I read on paper.",
])("%s", (text) => expect(tellsOfChange(changeWords(text))).toBe(true));

test.each([
  "The choir meets in the chapel.",
  "Dogs aren't allowed in the chapel.",
  "The van is called Berta.",
  "We need a hundred chairs.",
  "The sled is red and stands by the shed.",
  "I know how to knit.",
  `${"The choir meets in the chapel. ".repeat(10)}It meets there no longer.`,
  "",
])("not: %s", (text) => expect(tellsOfChange(changeWords(text))).toBe(false));

test.each(["Ina tends the bar this week.", "The pool is shut right now.", "We sleep at the lodge tonight."])(
  "holds for a while: %s",
  (text) => expect(isPassing(changeWords(text))).toBe(true),
);

test.each(["Ina tends the bar.", "The pool is shut each week.", "The Todays live next door."])("holds: %s", (text) =>
  expect(isPassing(changeWords(text))).toBe(false),
);

test("what was found out of a memory is kept with it, for each analyser apart", () => {
  const memory = { text: "Ada sold the Volvo today" } as MemoryRecord;
  const other: TextAnalyser = { ...englishAnalyser, terms: () => ["volvo", "keep"] };
  const signs = toldSigns(memory, englishAnalyser);
  expect([signs.tellsOfChange, signs.isPassing]).toEqual([true, true]);
  expect(toldSigns(memory, englishAnalyser)).toBe(signs);
  expect([...toldSigns(memory, other).aboutWords]).toEqual(["volvo"]);
  expect(signs.aboutWords.has("ada")).toBe(true);
});
