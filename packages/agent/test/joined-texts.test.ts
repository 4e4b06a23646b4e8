import fc from "fast-check";
import { expect, test } from "vitest";
import { joinedTexts, splitTexts } from "../src/index.ts";

test("texts come apart as they were joined, whatever is in them", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u001e", "\n\u001e\n", "\u001e0041", "\ud800"));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (texts) => {
      expect(splitTexts(joinedTexts(texts))).toEqual(texts);
    }),
  );
});

test.each([
  ["a".repeat(511), true],
  ["a".repeat(512), false],
  [`data:image/png;base64,${"aB3/".repeat(128)}==`, false],
  [`data:image/png;base64,${"aB3/".repeat(127)}==`, true],
  ["aB 3".repeat(200), true],
  [`${"aB3/".repeat(200)}=a`, true],
])("what may be an image is broken up, and nothing else (%#)", (text, staysWhole) => {
  const joined = joinedTexts([text]);
  expect(joined === text).toBe(staysWhole);
  expect(splitTexts(joined)).toEqual([text]);
});

test("texts of many megabytes are joined", () => {
  const large = ["x".repeat(12_000_000), `${"y".repeat(12_000_000)} `];
  expect(splitTexts(joinedTexts(large)).map(({ length }) => length)).toEqual([12_000_000, 12_000_001]);
});
