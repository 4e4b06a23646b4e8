import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutQuotations } from "../../src/capture/extract/quotations.ts";
import { processorTime } from "../processor-time.ts";

test.each([
  ['She said "I live in Oslo" and left.', "She said                  and left."],
  ["She said “I live in Oslo”.", "She said                 ."],
  ["'I live in Oslo', she said, and I don't.", "                , she said, and I don't."],
  ["‘It’s the users’ own, he said’", " ".repeat(16) + " own, he said’"],
  ['“It is "very old" now”.', " ".repeat(22) + "."],
])("%s", (text, spoken) => {
  expect(withoutQuotations(text)).toHaveLength(text.length);
  expect(withoutQuotations(text)).toBe(spoken);
});

test.each([
  'I call it "the shed".',
  "I'm at Ann's and don't like the '90s.",
  "‘not closed in its line\nand said’",
  "an opening ‘ and ‘another",
  `"${"so long ".repeat(251)}"`,
])("nothing is quoted in %j", (text) => expect(withoutQuotations(text)).toBe(text));

/** What a quotation is, in one pattern, which looks ahead from every mark. */
const quotation =
  /"[^"]{0,2000}"|\u201c[^\u201d]{0,2000}\u201d|(?<![\p{L}\p{N}])['\u2018](?:[^'\u2019\n]|['\u2019](?=\p{L})){1,2000}['\u2019](?![\p{L}\p{N}])/gu;

const pieces = [..."\"“”‘’'ab 1\n.é中".split(""), "a b c "];

// The pattern counts characters where the lengths are in UTF-16 units, so what is long has none that take two.
test.each([
  ["short", [...pieces, "😀", "𝒜"]],
  ["long", [...pieces, "so long ".repeat(249)]],
])("as one pattern finds them, in any %s text", (_, parts) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 60 }), (chosen) => {
      const text = chosen.join("");
      const expected = text.replaceAll(quotation, (quoted) =>
        quoted.split(/\s/).length > 2 ? " ".repeat(quoted.length) : quoted,
      );
      expect(withoutQuotations(text)).toBe(expected);
    }),
  );
});

test.each(["‘a ", "“a ", "'a 'b ", '"a ', "'", "‘a\n"])("250 kB of %j take about as long as other texts", (piece) => {
  const text = piece.repeat(Math.ceil(250_000 / piece.length));
  withoutQuotations(text.slice(0, 1000));
  expect(processorTime(() => withoutQuotations(text))).toBeLessThan(200);
});
