import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkIdentifier,
  etagOf,
  LociError,
  memoryId,
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
