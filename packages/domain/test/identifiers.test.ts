import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkIdentifier,
  checkKeptIdentifier,
  etagOf,
  isIdentifier,
  LociError,
  memoryId,
  parseKeptScope,
  parseScope,
  resourceId,
  tenantId,
  utf8ByteLength,
  versionOfEtag,
} from "../src/index.ts";

const reasonOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (LociError.is(error)) return error.reason;
    throw error;
  }
  return "none";
};

describe("identifiers", () => {
  test.each([
    ["empty", ""],
    ["a NUL", "a\0b"],
    ["a line break", "a\nb"],
    ["a Unicode line separator", "a\u2028b"],
    ["half a surrogate pair", "a\ud800"],
    ["decomposed text", "cafe\u0301"],
    ["201 bytes", "a".repeat(201)],
    ["201 bytes in 101 letters", `${"é".repeat(100)}a`],
    ["not a string", 7],
    ["nothing", undefined],
  ])("%s is refused", (_name, value) => {
    expect(reasonOf(() => checkIdentifier(value, "tenant"))).toBe("INVALID_IDENTIFIER");
  });

  test.each(["acme", "a_c", "a%", "../x", "café", "日本", "a".repeat(200), "é".repeat(100)])(
    "%s is kept as it is",
    (value) => {
      expect(tenantId(value)).toBe(value);
    },
  );

  const seemingAlike = [
    ["a zero-width space", "ali\u200bce", "U+200B at 3"],
    ["a bidirectional override", "\u202eecila", "U+202E at 0"],
    ["an isolate", "alice\u2066", "U+2066 at 5"],
    ["a tag character", "alice\u{e0041}", "U+E0041 at 5"],
    ["a soft hyphen", "ali\u00adce", "U+00AD at 3"],
    ["a filler", "alice\u3164", "U+3164 at 5"],
    ["a byte order mark", "\ufeffalice", "U+FEFF at 0"],
    ["a grapheme joiner", "ali\u034fce", "U+034F at 3"],
    ["a joiner between Latin letters", "ali\u200dce", "U+200D at 3"],
    ["a joiner that joins nothing", "علی\u200c", "U+200C at 3"],
    ["a joiner twice", "می\u200c\u200cخواهم", "U+200C at 3"],
    ["a joiner behind an emoji", "👩\u200d", "U+200D at 2"],
    ["a variation selector on a letter", "a\ufe0f", "U+FE0F at 1"],
    ["white space in front", " alice", "begins or ends with white space"],
    ["white space behind", "alice\u3000", "begins or ends with white space"],
    ["nothing but Braille's blank", "\u2800", "begins or ends with white space"],
  ] as const;

  test.each(seemingAlike)("one with %s is refused, and it is said where", (_name, value, where) => {
    expect(() => checkIdentifier(value, "id")).toThrow(where);
    expect(reasonOf(() => parseScope(`user:${value}`))).toBe("INVALID_IDENTIFIER");
    expect(isIdentifier(value)).toBe(false);
  });

  test.each(seemingAlike)("one with %s that is stored can still be named", (_name, value) => {
    expect(checkKeptIdentifier(value, "id")).toBe(value);
    expect(tenantId(value)).toBe(value);
    expect(parseKeptScope(`user:${value}`)).toEqual({ kind: "user", id: value });
  });

  test.each([
    ["an emoji of several", "👩‍👩‍👧"],
    ["an emoji with a colour of skin", "👩🏽‍🚀 Ada"],
    ["a heart in colour", "❤️"],
    ["a flag made of tags", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
    ["a Persian word with a joiner", "می‌خواهم"],
    ["a Sinhala name", "ශ්‍රී ලංකා"],
    ["a Malayalam name that ends with a joiner", "അവന്‍"],
    ["an ideographic space within", "山田　太郎"],
  ])("%s is kept as it is", (_name, value) => {
    expect(checkIdentifier(value, "id")).toBe(value);
  });

  test("only a lower-case UUIDv7 is a memory id", () => {
    expect(memoryId("01890a5d-ac96-774b-bcce-b302099a8057")).toBe("01890a5d-ac96-774b-bcce-b302099a8057");
    for (const bad of ["01890A5D-AC96-774B-BCCE-B302099A8057", "01890a5d-ac96-474b-bcce-b302099a8057", "x", ""])
      expect(reasonOf(() => memoryId(bad))).toBe("INVALID_IDENTIFIER");
  });

  test.each([
    ["edit", "The id of an edit is"],
    ["capture", "The id of a capture is"],
  ] as const)("what is no id of %s is told as such", (of, said) => {
    expect(() => resourceId("x", of)).toThrow(said);
  });

  test("utf8ByteLength is the length of the UTF-8 encoding", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(utf8ByteLength(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });

  test("an etag belongs to one resource", () => {
    const one = memoryId("01890a5d-ac96-774b-bcce-b302099a8057");
    const other = memoryId("01890a5d-ac96-774b-bcce-b302099a8058");
    expect(versionOfEtag(one, etagOf(one, 3))).toBe(3);
    expect(versionOfEtag(other, etagOf(one, 3))).toBeUndefined();
    for (const bad of ["", "x", `${one}.`, `${one}.0`, `${one}.-1`, `${one}.1.5`, `${one}.NaN`])
      expect(versionOfEtag(one, bad)).toBeUndefined();
  });
});
