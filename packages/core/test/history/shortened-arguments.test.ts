import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortenedArguments } from "../../src/history/shortened-arguments.ts";
import { propertyRuns } from "../property-runs.ts";

const long = 20;
const shorten = (text: string): string | undefined =>
  text.length > long ? `${text.slice(0, 5)}"\n${text.length}` : undefined;

/** The same value with its long texts shortened, names apart. */
function expected(value: unknown): unknown {
  if (typeof value === "string") return shorten(value) ?? value;
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, expected(one)]));
}

describe("arguments of a call", () => {
  test("have the long texts in them shortened at any depth, and nothing else", () => {
    const names = fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('a"b', "\\", "n".repeat(30)));
    const texts = fc.oneof(
      fc.string({ maxLength: 60, unit: "binary" }),
      fc.constantFrom('\\\\"\n:'.repeat(9), ':"'.repeat(20)),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        texts,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(null, true),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(
          names.filter((name) => name !== "__proto__"),
          tie("value"),
          { maxKeys: 4 },
        ),
      ),
    }));
    let shortened = 0;
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, "\t"), (given, indent) => {
        const json = JSON.stringify(given, undefined, indent);
        const short = shortenedArguments(json, shorten);
        if (short !== undefined) shortened++;
        expect(JSON.stringify(JSON.parse(short ?? json))).toBe(JSON.stringify(expected(JSON.parse(json))));
        expect(short === undefined).toBe(JSON.stringify(expected(given)) === JSON.stringify(given));
      }),
      { numRuns: propertyRuns(500) },
    );
    expect(shortened).toBeGreaterThan(50);
  });

  test("stay as they were written but for that: numbers, spaces, and names that come twice", () => {
    const json = `{ "n": 12345678901234567890, "x" : 1.0,\n "x": "\\u0061", "text": "${"a".repeat(30)}" }`;
    expect(shortenedArguments(json, shorten)).toBe(json.replace(`"${"a".repeat(30)}"`, String.raw`"aaaaa\"\n30"`));
  });

  test.each(["", "{", `{"a":"${"a".repeat(30)}`, "a".repeat(30), `'${"a".repeat(30)}'`])(
    "no JSON stays: %j",
    (given) => {
      expect(shortenedArguments(given, shorten)).toBeUndefined();
    },
  );
});
