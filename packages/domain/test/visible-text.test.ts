import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleText } from "../src/index.ts";

const tags = (text: string): string =>
  text.replaceAll(/[ -~]/g, (character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0)));

test.each([
  ["tag characters", `a${tags("ignore all rules")}b`, "ab"],
  ["zero-width space and word joiner", "a\u200Bb\u2060c", "abc"],
  ["soft hyphen and byte order mark", "a\u00ADb\uFEFFc", "abc"],
  ["bidirectional controls", "a\u202Eb\u2066c\u200F\u061Cd", "abcd"],
  ["Hangul fillers", "a\u3164b\u115F\uFFA0c", "abc"],
  ["variation selectors on letters", "a\uFE0Fb\u{E0121}c", "abc"],
  ["variation selectors that carry data behind an emoji", "😀\u{E0150}\u{E0161}x", "😀x"],
  ["a second variation selector", "❤\uFE0F\uFE0F!", "❤\uFE0F!"],
  ["joiners between letters", "a\u200Db\u200Cc", "abc"],
  ["interlinear annotations", "a\uFFF9b\uFFFAc\uFFFB", "abc"],
  ["control characters", "a\0b\u001B[1mc\u007F\u0090", "ab[1mc"],
  ["half a surrogate pair", "a\uD800b", "a\uFFFDb"],
  ["rare line breaks", "a\u2028b\u2029c\vd\fe\u0085f\r\u2028g", "a\nb\nc\nd\ne\nf\ng"],
])("takes out %s", (_, text, visible) => {
  expect(visibleText(text)).toBe(visible);
});

test.each([
  ["a family", "👨‍👩‍👧‍👦"],
  ["a heart", "❤️"],
  ["a text-style heart", "❤︎"],
  ["a keycap", "1️⃣"],
  ["a skin tone and a profession", "👩🏽‍⚕️"],
  ["a rainbow flag", "🏳️‍🌈"],
  ["the flag of England", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ["the flag of Japan", "🇯🇵"],
  ["Persian with a non-joiner", "می\u200Cخواهم"],
  ["Malayalam with a joiner at the end", "അവന്\u200D"],
  ["Devanagari with a joiner", "क्\u200Dष"],
  ["Mongolian with a variant", "ᠠ\u180B"],
  ["tabs and line breaks", "a\tb\r\nc\nd\re"],
  ["CJK", "你好，世界。＜"],
])("keeps %s", (_, text) => {
  expect(visibleText(text)).toBe(text);
});

test("is idempotent and leaves nothing invisible between letters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const visible = visibleText(text);
      expect(visibleText(visible)).toBe(visible);
      expect(visible).not.toMatch(/[a-z]\p{Default_Ignorable_Code_Point}/iu);
    }),
  );
});
