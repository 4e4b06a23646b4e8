import type { IndexAdapter } from "@loci/loci";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { chosenIndexes, type IndexOption, indexOption } from "../src/config/index-option.ts";

// The files of this project share what they import: this one loads it anew, and so does the next.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());

vi.mock("@loci/loci/indexes", async (importOriginal) => {
  const own = await importOriginal<{ readonly indexAdapters: readonly IndexAdapter[] }>();
  const toy: IndexAdapter = {
    name: "toy",
    title: "Toy",
    place: "outside",
    ofEachServer: { vectors: false, text: false },
    notErased: [],
    secret: { option: "key", path: "toy.key", called: "the key", about: "the key", of: "toy index", form: "a key" },
    settings: [
      { type: "choice", option: "paint", path: "toy.paint", readBy: "both", about: "Looks.", choices: ["red", "blue"] },
      { type: "number", option: "wheels", path: "toy.wheels", about: "Runs.", least: 2, most: 6 },
    ],
    open: async () => {
      throw new Error("is not opened");
    },
    remove: async () => {},
  };
  return { ...own, indexAdapters: [...own.indexAdapters, toy] };
});

afterEach(() => vi.unstubAllEnvs());

test("an adapter in the list is a choice of --index, and read from its variables", () => {
  expect(indexOption().argChoices).toContain("toy");
  expect(indexOption().description).toContain("for toy LOCI_TOY_KEY");
  const choose = (): unknown => chosenIndexes("toy" as IndexOption).index;
  expect(choose).toThrow(/--index toy needs a secret, but LOCI_TOY_KEY is empty/);
  vi.stubEnv("LOCI_TOY_KEY", "k");
  vi.stubEnv("LOCI_TOY_WHEELS", "4");
  vi.stubEnv("LOCI_TOY_PAINT", "red");
  expect(choose()).toEqual({ kind: "toy", key: "k", paint: "red" });
  vi.stubEnv("LOCI_TOY_PAINT", "green");
  expect(choose).toThrow(/LOCI_TOY_PAINT is "green", which is none of Toy's/);
});
