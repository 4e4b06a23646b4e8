import fc from "fast-check";
import { expect, test } from "vitest";
import { SaidTexts } from "../../src/index.ts";

/** Said otherwise: with other white space, and letters composed or not. */
const retold = (text: string, spaces: string, form: "NFC" | "NFD"): string =>
  `${spaces}${text.replaceAll(/\s+/gu, ` ${spaces}`)}${spaces}`.normalize(form);

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom("a", "é", "e\u0301", "\u1100", "\u1161", "\u11a8", " ", "\n", "\u0323"),
    maxLength: 200,
  }),
);
const plain = (text: string): string => text.normalize("NFC").replaceAll(/\s+/gu, " ").trim();

test("what is said otherwise is said", () => {
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom("", " ", "\n\t ", " ".repeat(200)),
      fc.constantFrom("NFC", "NFD"),
      (text, spaces, form) => {
        fc.pre(plain(text) !== "");
        expect(new SaidTexts([text]).has(retold(text, spaces, form))).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("and nothing else, such as what only begins alike", () => {
  fc.assert(
    fc.property(texts, texts, fc.nat(200), (one, other, length) => {
      const begun = one.slice(0, length) + other;
      expect(new SaidTexts([one]).has(begun)).toBe(plain(one) !== "" && plain(one) === plain(begun));
    }),
    { numRuns: 2_000 },
  );
});

test("an empty text says nothing", () => {
  expect(new SaidTexts(["", " "]).has("")).toBe(false);
});
