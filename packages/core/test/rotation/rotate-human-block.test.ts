import fc from "fast-check";
import { expect, test } from "vitest";
import { humanText, type HumanValues, rotateHumanBlock } from "../../src/index.ts";
import golden from "../golden/rotation-entries.json" with { type: "json" };
import { propertyRuns } from "../property-runs.ts";

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const human = fc.record({
  name: word,
  preferences: fc.array(word, { maxLength: 4 }),
  facts: fc.array(word, { maxLength: 3 }),
  contextNotes: fc.array(word, { maxLength: 10 }),
});

test.each(golden.cases)("golden: $name", ({ in: { values, at, ...limits }, out }) => {
  expect(rotateHumanBlock(values as HumanValues, limits, at)).toEqual(out);
});

test("rotates strictly above the threshold only", () => {
  fc.assert(
    fc.property(human, fc.integer({ min: 1, max: 200 }), (values, maxChars) => {
      const { rotated } = rotateHumanBlock(values, { maxChars, threshold: 0.8, target: 0.5 }, 0);
      expect(rotated).toBe(humanText(values).length > 0.8 * maxChars);
    }),
    { numRuns: propertyRuns(500) },
  );
});

test("reaches its target or empties the lists, and whatever went stands in the archive", () => {
  fc.assert(
    fc.property(human, fc.integer({ min: 1, max: 200 }), (values, maxChars) => {
      // Every block is above a threshold of nothing: the name is always shown.
      const rotation = rotateHumanBlock(values, { maxChars, threshold: 0, target: 0.5 }, 0);
      if (!rotation.rotated) throw new Error("The block was not rotated.");
      const { preferences = [], facts = [], contextNotes = [] } = rotation.values;
      const left = [...contextNotes, ...facts, ...preferences];
      const all = [...values.contextNotes, ...values.facts, ...values.preferences];
      expect(rotation.chars).toBe(humanText(rotation.values).length);
      expect(rotation.overTarget).toBe(rotation.chars > 0.5 * maxChars);
      expect(rotation.overTarget && left.length > 0).toBe(false);
      expect([...rotation.removed.map(({ entry }) => entry), ...left]).toEqual(all);
      for (const entry of all) expect(rotation.archived).toContain(entry);
    }),
    { numRuns: propertyRuns(500) },
  );
});

test("stops at exactly the target", () => {
  // "[FACTS] aa; bb" has 14 units, "[FACTS] bb" has 10.
  const rotation = rotateHumanBlock({ facts: ["aa", "bb"] }, { maxChars: 20, threshold: 0.6, target: 0.5 }, 0);
  expect(rotation).toMatchObject({ values: { facts: ["bb"] }, chars: 10, overTarget: false });
});

test("leaves the values it was given as they were", () => {
  const values = { name: "Al", facts: ["a fact that is long", "another one"] };
  const before = structuredClone(values);
  expect(rotateHumanBlock(values, { maxChars: 10, threshold: 0.8, target: 0.5 }, 0)).toMatchObject({
    removed: [{ entry: "a fact that is long" }, { entry: "another one" }],
  });
  expect(values).toEqual(before);
});

test.each([0, Number.NaN, -5])("refuses the maximum %d", (maxChars) => {
  expect(() => rotateHumanBlock({}, { maxChars, threshold: 0.8, target: 0.5 }, 0)).toThrow(
    expect.objectContaining({ reason: "INVALID_NUMBER" }),
  );
});
