import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadModel, loadModelSync, MAX_INPUT_TOKENS, StaticModel } from "../src/index.ts";

interface ReferenceCase {
  readonly text: string;
  readonly tokens: number;
  readonly vector: readonly number[];
}

const cases = JSON.parse(
  readFileSync(new URL("./fixtures/reference-vectors.json", import.meta.url), "utf8"),
) as readonly ReferenceCase[];
const model = new StaticModel(loadModelSync());

function length(vector: Float32Array): number {
  return Math.hypot(...vector);
}

function cosine(left: string, right: string): number {
  const other = model.embed(right);
  return model.embed(left).reduce((sum, value, axis) => sum + value * (other[axis] ?? Number.NaN), 0);
}

describe("agreement with the Python reference", () => {
  it.each(
    cases.map((reference, index) => [`${index}: ${JSON.stringify(reference.text.slice(0, 40))}`, reference] as const),
  )("%s", (_, reference) => {
    const vector = new Float32Array(model.dimensions);
    expect(model.embedInto(reference.text, vector)).toBe(reference.tokens);
    const worst = Math.max(...reference.vector.map((value, axis) => Math.abs(value - (vector[axis] ?? Number.NaN))));
    expect(worst).toBeLessThan(1e-5);
  });
});

describe("vectors", () => {
  it("have length one, or zero when no token is known", () => {
    for (const { text, tokens } of cases) expect(length(model.embed(text))).toBeCloseTo(tokens > 0 ? 1 : 0, 5);
    expect(length(model.embed("  \u{1F355} "))).toBe(0);
  });

  it("are the same bits every time, in any order, in another instance", async () => {
    const other = new StaticModel(await loadModel());
    const texts = cases.map((reference) => reference.text);
    const first = texts.map((text) => model.embed(text));
    expect(
      texts
        .toReversed()
        .map((text) => other.embed(text))
        .toReversed(),
    ).toEqual(first);
  });

  it("stay the same while the word cache overflows", () => {
    const before = model.embed("a stable sentence");
    for (let index = 0; index < 40_000; index++) model.embed(`w${index.toString(36)}`);
    expect(model.embed("a stable sentence")).toEqual(before);
  });

  it("ignore what follows the token limit", () => {
    const full = "tree ".repeat(MAX_INPUT_TOKENS);
    expect(model.embed(`${full} car`)).toEqual(model.embed(full));
  });

  it("put what means the same nearer than what does not", () => {
    expect(cosine("My dog is ill", "The puppy feels sick")).toBeGreaterThan(
      cosine("My dog is ill", "The invoice is overdue"),
    );
    expect(cosine("How do I restart the server?", "reboot the machine")).toBeGreaterThan(
      cosine("How do I restart the server?", "a recipe for soup"),
    );
  });

  it("survive lone surrogates and any single character", () => {
    expect(length(model.embed("\ud800 hello \udfff"))).toBeCloseTo(1, 5);
    for (let code = 0; code < 0x3000; code++) {
      const norm = length(model.embed(String.fromCharCode(code)));
      expect(norm === 0 || Math.abs(norm - 1) < 1e-5).toBe(true);
    }
  });
});

describe("embedInto", () => {
  it("writes only its own places", () => {
    const target = new Float32Array(3 * model.dimensions).fill(7);
    model.embedInto("hello", target, model.dimensions);
    expect(target.subarray(model.dimensions, 2 * model.dimensions)).toEqual(model.embed("hello"));
    expect(target.filter((value) => value === 7)).toHaveLength(2 * model.dimensions);
  });

  it("refuses a target that is too short", () => {
    expect(() => model.embedInto("hello", new Float32Array(10))).toThrow(RangeError);
    expect(() => model.embedInto("hello", new Float32Array(model.dimensions), 1)).toThrow(/places from 1/);
    expect(() => model.embedInto("hello", new Float32Array(model.dimensions), -1)).toThrow(RangeError);
  });
});
