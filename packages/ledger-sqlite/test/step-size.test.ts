import { expect, test } from "vitest";
import { StepSize } from "../src/step-size.ts";

const list = Array.from({ length: 1_000 }, (_, index) => index);
const rowsOf = (count: number, units: number) => Array.from({ length: count }, () => ({ record: "x".repeat(units) }));

/** The steps a list is read in when each row has so many units. */
function stepsOf(units: number): readonly (readonly number[])[] {
  const size = new StepSize();
  const steps: (readonly number[])[] = [];
  for (const step of size.cut(list)) {
    steps.push(step);
    size.adapt(rowsOf(step.length, units));
  }
  return steps;
}

test("short rows are read in steps that grow to 256", () => {
  expect(stepsOf(200).map((step) => step.length)).toEqual([32, 128, 256, 256, 256, 72]);
});

test("long rows are read in steps that shrink until they are half a million units", () => {
  const sizes = stepsOf(64_000).map((step) => step.length);
  expect(sizes.slice(0, 5)).toEqual([32, 16, 8, 8, 8]);
  expect(stepsOf(1_000_000).at(-1)).toHaveLength(1);
});

test.each([200, 64_000, 1_000_000])("every element is in one step, in its order, with rows of %d units", (units) => {
  expect(stepsOf(units).flat()).toEqual(list);
});

test("a resource's state counts as a version's record does, and what has neither counts nothing", () => {
  const size = new StepSize();
  size.adapt([{ state: "x".repeat(600_000) }]);
  expect(size.rows).toBe(16);
  size.adapt([{ state: null }, { record: null }]);
  expect(size.rows).toBe(64);
});
