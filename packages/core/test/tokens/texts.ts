import fc from "fast-check";

/** Bits of text that tokenizers treat in ways of their own. */
const pieces = {
  words: [
    "the",
    " memory",
    "Palace",
    " of",
    " internationalization",
    "antidisestablishmentarianism",
    "xqzvkjw",
    "HTTPServer",
  ],
  contractions: ["it's", "IT'S", "we'LL", "it'ſ", "'tis", "d'", "'", "’s"],
  code: [
    "function f(x) {\n\treturn x !== null;\n}\n",
    "// ==== //\n",
    "const a = `${b}`;",
    "</knowledge>",
    "snake_case_name",
  ],
  numbers: ["123456789", "3.14", "٣٤٥", "²½", "2024-11-20T10:00:00Z"],
  scripts: [
    "記憶の宮殿",
    "データベース",
    "데이터베이스",
    "我们需要",
    "สวัสดี",
    "क्षत्रिय",
    "naïve",
    "e\u0301",
    "Ωμέγα",
    "ǅ",
  ],
  emoji: ["😀", "👩‍👩‍👧", "🇩🇪", "👍🏽", "☺️", "1️⃣"],
  whiteSpace: [" ", "  ", "\t", "\n", "\r\n", "\n\n", " \n ", "\u00a0", "\u3000", "\u2028", "\u0085"],
  invisible: ["\ufeff", "\u200b", "\u180e", "\u0000", "\u007f", "\u00ad"],
  specialTokens: ["<|endoftext|>", "<|im_start|>", "<|fim_prefix|>", "<|endofprompt|>"],
  partsOfCharacters: ["\ud83d", "\ude00", "\udc00\ud800", "\ufffd", "\u0301", "\u1100\u1161"],
  runs: ["----------------", "========", "////", "....", "#####", "aaaaaaaa", "ÀÀÀÀ"],
};

// What Unicode has had for years: two libraries need not know the same version of it.
const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: 0, max: 0x5ff }),
    fc.integer({ min: 0x2000, max: 0x20bf }),
    fc.integer({ min: 0x3041, max: 0x3096 }),
    fc.integer({ min: 0x4e00, max: 0x9fff }),
    fc.integer({ min: 0xac00, max: 0xd7a3 }),
    fc.integer({ min: 0xd800, max: 0xdfff }),
    fc.integer({ min: 0xfe00, max: 0xfeff }),
    fc.integer({ min: 0x1f300, max: 0x1f64f }),
  )
  .map((point) => String.fromCodePoint(point));

/** Texts put together from pieces that tokenizers trip over, and from any characters at all. */
export function anyText(maxLength = 30): fc.Arbitrary<string> {
  return fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...Object.values(pieces).flat()) },
        { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 6 }) },
        { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
      ),
      { maxLength },
    )
    .map((parts) => parts.join(""));
}

/** One unbroken piece of up to some thousand bytes: one character or word over and over, or random letters. */
export function unbrokenText(): fc.Arbitrary<string> {
  return fc.oneof(
    runsOf(" ", "  ", "\t", "\u00a0", "\u3000"),
    runsOf("-", "=", "*", "_", "#", "--", "==", "."),
    fc
      .tuple(
        fc.constantFrom("a", "A", " ", "=", "\n", "ab", "漢", "é", "e\u0301", "-=", "haha", "\u0301"),
        fc.nat(2000),
      )
      .map(([unit, times]) => unit.repeat(times)),
    fc.stringMatching(/^[a-z]{0,2000}$/),
    fc
      .array(fc.constantFrom("a", "aa", "aaa", "b", "ing", "漢", "字", "ö"), { maxLength: 600 })
      .map((parts) => parts.join("")),
  );
}

/** Some runs of different length, one after the other: where their tokens end depends on what is far behind. */
function runsOf(...units: readonly string[]): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(fc.constantFrom(...units), fc.nat(90)), { maxLength: 8 })
    .map((runs) => runs.map(([unit, times]) => unit.repeat(times)).join(""));
}
