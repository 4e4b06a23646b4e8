import { checkVector } from "@loci/domain";
import { expect, test } from "vitest";

const unit = Float32Array.of(0.6, 0.8);

test.each([
  ["unit length", unit],
  ["rounded to 16 bits", Float32Array.of(0.6001, 0.8)],
  ["all zeros", new Float32Array(2)],
])("takes a vector of %s", (_, vector) => {
  expect(() => checkVector(vector, 2, "vectors[3]")).not.toThrow();
});

test.each([
  ["another dimension", Float32Array.of(1)],
  ["NaN", Float32Array.of(Number.NaN, 1)],
  ["an infinity", Float32Array.of(Infinity, 0)],
  ["another length", Float32Array.of(0.6, 0.9)],
  ["another type", [0.6, 0.8] as unknown as Float32Array],
])("refuses a vector with %s and says where it stood", (_, vector) => {
  expect(() => checkVector(vector, 2, "vectors[3]")).toThrow(
    expect.objectContaining({ reason: "INVALID_VECTOR", field: "vectors[3]" }),
  );
});
