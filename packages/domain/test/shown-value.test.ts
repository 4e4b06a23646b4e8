import { expect, test } from "vitest";
import { shownText, shownValue } from "../src/index.ts";

test.each([
  ["plain words, and an é", '"plain words, and an é"'],
  ["日本語 नमस्ते", '"日本語 नमस्ते"'],
  ["a\u202Eb\u2066c\u200Fd", String.raw`"a\u202eb\u2066c\u200fd"`],
  ["zero\u200Bwidth\u00ADhyphen\uFEFF", String.raw`"zero\u200bwidth\u00adhyphen\ufeff"`],
  ["tag\u{E0041}", String.raw`"tag\udb40\udc41"`],
  ["line\u2028break\nand\u0085more", String.raw`"line\u2028break\nand\u0085more"`],
  ["half \uD800", String.raw`"half \ud800"`],
  ["bell\u0007 and \u001B]52;c;", String.raw`"bell\u0007 and \u001b]52;c;"`],
])("%j is shown as it is, with what cannot be seen as code units", (text, shown) => {
  expect(shownText(text)).toBe(shown);
  expect(JSON.parse(shown)).toBe(text);
});

test("only the beginning of a long text is shown", () => {
  expect(shownText("a".repeat(100))).toBe(`"${"a".repeat(60)}"`);
  expect(shownText("a".repeat(100), 80)).toBe(`"${"a".repeat(80)}"`);
});

test.each([
  [1.5, "1.5"],
  [null, "null"],
  [undefined, "undefined"],
  ["\u202E", String.raw`"\u202e"`],
  [[1], "a list"],
  [{ toString: () => "evil" }, "an object"],
  [() => 1, "a function"],
])("%j as a value is %s", (value, shown) => {
  expect(shownValue(value)).toBe(shown);
});
