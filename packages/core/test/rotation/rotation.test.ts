import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  adaptThreshold,
  compressText,
  humanText,
  initialThreshold,
  normalBlockValues,
  rotateHuman,
  type RotationStrategy,
  rotationUsage,
  shippedSchema,
} from "../../src/index.ts";
import { goldenValues } from "../blocks/golden-schema.ts";
import { hostileText } from "../blocks/any-block.ts";
import adaptive from "../golden/rotation-adaptive.json" with { type: "json" };
import compress from "../golden/rotation-compress.json" with { type: "json" };
import entries from "../golden/rotation-entries.json" with { type: "json" };
import { propertyRuns } from "../property-runs.ts";

test("the golden files are whole", () => {
  expect([adaptive, compress, entries].map(({ cases }) => cases.length)).toEqual([30, 41, 34]);
});

describe("compress", () => {
  test.each(compress.cases)("$name", ({ in: { content, targetChars, strategy }, out }) => {
    expect(compressText(content, targetChars, strategy as RotationStrategy)).toBe(out.content);
  });
});

describe("adaptive", () => {
  test.each(adaptive.cases)("$name", ({ in: { usages }, out }) => {
    let state = initialThreshold;
    const steps = usages.map((usage) => {
      const { rotate, after } = adaptThreshold(state, usage);
      state = after;
      return { rotate, threshold: after.threshold };
    });
    expect(steps).toEqual(out.steps);
  });
});

describe("entries", () => {
  test.each(entries.cases)("$name", ({ in: { values, at, ...limits }, out }) => {
    expect(rotateHuman(goldenValues(values), limits, at)).toEqual(out);
  });
});

test("usage is the larger share", () => {
  expect(rotationUsage({ length: 50, max: 100 })).toBe(0.5);
  expect(rotationUsage({ length: 50, max: 100 }, { length: 100, max: 100 })).toBe(0.75);
  expect(rotationUsage({ length: 50, max: 100 }, { length: 0, max: 100 })).toBe(0.5);
});

const runs = { numRuns: propertyRuns(500) };
const list = fc.array(hostileText, { maxLength: 12 });
const human = shippedSchema("human");

test("rotation reaches its target or empties the lists, and all that goes is archived", () => {
  fc.assert(
    fc.property(
      fc.record({ name: hostileText, preferences: list, facts: list, contextNotes: list }),
      fc.integer({ min: 0, max: 300 }),
      (given, maxChars) => {
        const values = normalBlockValues(human, given);
        const rotation = rotateHuman(values, { maxChars, threshold: 0.8 }, 0);
        const before = humanText(values).length;
        const after = rotation.rotated ? rotation.values : values;
        const removed = rotation.rotated ? rotation.removed : [];
        const lists = ["contextNotes", "facts", "preferences"];
        const left = lists.flatMap((field) => (after[field] ?? []) as readonly string[]);
        const all = lists.flatMap((field) => (values[field] ?? []) as readonly string[]);
        expect(rotation.rotated).toBe(before > 0.8 * maxChars);
        expect(rotation.chars).toBe(humanText(after).length);
        expect(!rotation.rotated || rotation.chars <= 0.5 * maxChars || left.length === 0).toBe(true);
        expect([...removed.map(({ entry }) => entry), ...left].toSorted()).toEqual(all.toSorted());
        const archived = rotation.rotated ? rotation.archived : "";
        expect(removed.every(({ entry }) => archived.includes(entry))).toBe(true);
      },
    ),
    runs,
  );
});

test("compressed text fits, whatever it is", () => {
  fc.assert(
    fc.property(
      hostileText,
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom<RotationStrategy>("aggressive", "preservative", "adaptive"),
      (text, target, strategy) => {
        const compressed = compressText(text, target, strategy);
        expect(compressed.length).toBeLessThanOrEqual(Math.max(target, 0));
        expect(compressed.isWellFormed()).toBe(true);
      },
    ),
    runs,
  );
});
