import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { requestHash } from "../src/calls/content-hash.ts";

test("the order of fields and fields without a value make no difference", () => {
  expect(requestHash({ text: "a", scope: undefined, tags: ["x"] })).toBe(requestHash({ tags: ["x"], text: "a" }));
  expect(requestHash([{ b: { d: 1, c: 2 } }])).toBe(requestHash([{ b: { c: 2, d: 1 } }]));
});

test("different requests have different hashes", () => {
  const hostile = JSON.parse('{"__proto__": {"text": "a"}}') as unknown;
  const requests = [
    {},
    [],
    hostile,
    { text: "a" },
    { text: ["a"] },
    { fields: [["text", "a"]] },
    { text: null },
    "a",
    1,
  ];
  expect(new Set(requests.map(requestHash)).size).toBe(requests.length);
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      expect(requestHash(left) === requestHash(right)).toBe(isDeepStrictEqual(left, right));
    }),
    { seed: 1 },
  );
});
