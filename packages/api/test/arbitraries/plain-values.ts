import { isIdentifier } from "@loci/domain";
import fc from "fast-check";

/** A record whose optional fields are absent as often as not, never `undefined`. */
export function recordOf<Fields extends object>(
  required: { [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: fc.Arbitrary<Fields[Name]> },
  optional: {
    [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]-?: fc.Arbitrary<
      Exclude<Fields[Name], undefined>
    >;
  },
): fc.Arbitrary<Fields> {
  return fc.record<Record<string, unknown>>(
    { ...required, ...optional },
    { requiredKeys: Object.keys(required), noNullPrototype: true },
  ) as unknown as fc.Arbitrary<Fields>;
}

/** Any well-formed text, NUL and byte order marks included. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constant("\uFEFF\0"),
);

/** Text an identifier may be. */
export const identifier: fc.Arbitrary<string> = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .map((value) => value.normalize("NFC").replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "_"))
  .filter(isIdentifier);

/** Any double, NaN, infinities and negative zero included. */
export const double: fc.Arbitrary<number> = fc.double();

/** What a required output may be: protobuf's default value has one zero. */
export const doubleWithOneZero: fc.Arbitrary<number> = double.map((value) => (value === 0 ? 0 : value));

export const int32: fc.Arbitrary<number> = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
export const tokens: fc.Arbitrary<number> = fc.nat({ max: 2 ** 31 - 1 });
export const instant: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -8.64e15, max: 8.64e15 }),
  fc.constantFrom(-8.64e15, -1_001, -1_000, -999, -1, 0, 1, 999, 1_000, 8.64e15),
);
export const uuid: fc.Arbitrary<string> = fc.uuid({ version: 7 });

export function namedValues<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Record<string, Value>> {
  return fc.dictionary(fc.oneof(text, fc.constant("__proto__")), value, {
    maxKeys: 4,
    noNullPrototype: true,
  });
}
