import { expect, test } from "vitest";
import { withoutOuterBrackets } from "../../src/capture/extract/bracketed-asides.ts";

test.each([
  ["(ooc: British spelling, always)", "British spelling, always"],
  ["(out of character: stop that.", "stop that."],
  ["for all our scenes)", "for all our scenes"],
  ["(yes, and always in grams).", "yes, and always in grams"],
  ["(a) worktop in oak", "(a) worktop in oak"],
  ["I use Svelte (in strict mode)", "I use Svelte (in strict mode)"],
  ["(so) it is", "(so) it is"],
  ["great :)", "great :)"],
])("%s", (text, told) => {
  const shown = withoutOuterBrackets({ text, start: 7, end: 7 + text.length });
  expect(shown.text).toBe(told);
  expect(text.slice(shown.start - 7, shown.end - 7)).toBe(told);
});
