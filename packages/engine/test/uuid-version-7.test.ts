import { memoryId } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { uuidOfName, UuidGenerator } from "../src/calls/uuid-version-7.ts";

test("ids sort by the order they were made in, whatever the clock does", () => {
  const steps = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 2 ** 47 }), (moves, start) => {
      const generator = new UuidGenerator();
      let now = start + 300;
      const ids = moves.map((move) => generator.next((now += move)));
      expect(ids.map(memoryId)).toEqual([...new Set(ids)].toSorted());
    }),
    { seed: 1 },
  );
});

test("a millisecond holds more ids than a call can store", () => {
  const generator = new UuidGenerator();
  const ids = Array.from({ length: 10_000 }, () => generator.next(1_000));
  expect(ids).toEqual([...new Set(ids)].toSorted());
});

test("an id shows the time it was made at", () => {
  expect(new UuidGenerator().next(0x0123_4567_89ab).slice(0, 15)).toBe("01234567-89ab-7");
});

test("a name has one id, and no other name has it", () => {
  const parts = fc.array(fc.string(), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.integer(), parts, parts, (time, left, right) => {
      expect(memoryId(uuidOfName(time, left))).toBe(uuidOfName(time, [...left]));
      expect(uuidOfName(time, left) === uuidOfName(time, right)).toBe(JSON.stringify(left) === JSON.stringify(right));
    }),
    { seed: 1 },
  );
});

test("generators in one process never make the same id, also in the same milliseconds", () => {
  const generators = Array.from({ length: 4 }, () => new UuidGenerator());
  const ids = Array.from({ length: 2_000 }, (_, time) => generators.map((generator) => generator.next(time))).flat();
  expect(new Set(ids).size).toBe(ids.length);
});
