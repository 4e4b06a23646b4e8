import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadModel, loadModelSync, ModelFileError, modelFile, parseModel } from "../src/index.ts";

const bytes = new Uint8Array(readFileSync(modelFile()));

function changed(at: number, value: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] = value;
  return copy;
}

describe("the shipped model", () => {
  it("has 256 dimensions and a row for every token", () => {
    const model = loadModelSync();
    expect(model.dimensions).toBe(256);
    expect(model.table).toHaveLength(model.vocabulary.length * 256);
    expect(model.factors).toHaveLength(model.vocabulary.length);
    expect(new Set(model.vocabulary).size).toBe(model.vocabulary.length);
    expect(bytes.length).toBeLessThanOrEqual(9_000_000);
  });

  it("opens from bytes at any offset", () => {
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(parseModel(shifted.subarray(3)).digest).toBe(loadModelSync().digest);
  });
});

describe("a broken file", () => {
  it.each([
    ["empty", new Uint8Array(0), /0 bytes/],
    ["cut short", bytes.slice(0, -1), /its header promises/],
    ["mostly missing", bytes.slice(0, 100), /its header promises/],
    ["of another kind", changed(0, 0x58), /does not start with "LOCISTAT"/],
    ["of another version", changed(8, 9), /version is 9/],
    ["changed in one byte", changed(bytes.length - 5000, (bytes[bytes.length - 5000] ?? 0) ^ 1), /checksum/],
  ])("that is %s is refused and says why", (_, broken, reason) => {
    expect(() => parseModel(broken)).toThrow(ModelFileError);
    expect(() => parseModel(broken)).toThrow(reason);
  });

  it("that is missing is refused, sync and async", async () => {
    expect(() => loadModelSync("/nowhere/loci.bin")).toThrow(/cannot be read: \/nowhere\/loci.bin/);
    await expect(loadModel("/nowhere/loci.bin")).rejects.toMatchObject({ code: "MODEL_FILE_INVALID" });
  });
});
