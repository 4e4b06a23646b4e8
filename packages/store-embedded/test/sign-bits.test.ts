import { expect, test } from "vitest";
import { Pace } from "../src/segments/pace.ts";
import { quantiseVector } from "../src/vectors/quantise.ts";
import { SignBits, signsOf } from "../src/vectors/sign-bits.ts";
import { VectorMemory } from "../src/vectors/vector-memory.ts";

test("signs tell vectors apart that have a large part in common", async () => {
  // Around 0 all of them would have the same signs.
  const vectors = [
    [0.6, 0.5, 0.62],
    [0.5, 0.6, 0.62],
    [0.55, 0.55, 0.5],
  ].map((values) => Float32Array.from(values));
  const memory = new VectorMemory(3, vectors.length, true);
  for (const [place, vector] of vectors.entries()) memory.put(place, quantiseVector(vector));
  const { mean, bits } = await SignBits.make(memory, new Pace(new AbortController().signal));
  expect([...mean].map((value) => value.toFixed(2))).toEqual(["0.55", "0.55", "0.58"]);
  const signs = vectors.map((_, place) => bits[place * memory.signBytes]);
  expect(signs.slice(0, 2)).toEqual([0b101, 0b110]);
  expect(vectors.map((vector) => signsOf(vector, mean, memory.signBytes)[0]).slice(0, 2)).toEqual(signs.slice(0, 2));
});
