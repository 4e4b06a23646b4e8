import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { countedAdapters, untestedAdapters } from "./untested-adapters.ts";

const workspace = join(import.meta.dirname, "../../..");

test("every adapter runs every suite of the contracts that it fulfils", () => {
  expect(untestedAdapters(workspace)).toEqual([]);
});

test("adapters are found", () => {
  const { Ledger, VectorStore, TextIndex, Embedder, AgentMemory } = countedAdapters(workspace);
  expect(Ledger).toBeGreaterThanOrEqual(2);
  expect(VectorStore).toBeGreaterThanOrEqual(6);
  expect(TextIndex).toBeGreaterThanOrEqual(4);
  expect(Embedder).toBeGreaterThanOrEqual(1);
  expect(AgentMemory).toBeGreaterThanOrEqual(3);
});

test("both ways to Loci, and each kind of index below it, run the suite of its behaviour", () => {
  const tests = globSync(["packages/*/test/*.ts", "apps/*/test/*.ts", "examples/*/test/*.ts"], { cwd: workspace })
    .map((file) => readFileSync(join(workspace, file), "utf8"))
    .filter((text) => text.includes("lociBehaviour("));
  for (const name of [
    "createEngine",
    "openEngine",
    "connectLoci",
    "embedded",
    "lancedb",
    "pgvector",
    "pinecone",
    "postgres",
  ])
    expect({ name, isTested: tests.some((text) => text.includes(name)) }).toEqual({ name, isTested: true });
});

test("an adapter that is planted without its suite is named, and with it is not", () => {
  const root = mkdtempSync(join(tmpdir(), "loci-adapters-"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  try {
    write("packages/store-oak/package.json", "{}");
    write("packages/store-oak/src/oak.ts", "export class Oak implements Disposable, VectorStore {}");
    write("packages/store-oak/src/words.ts", "class OakWords implements TextIndex {}");
    write("packages/embedding-oak/package.json", "{}");
    write("packages/embedding-oak/src/index.ts", "export async function openOak(): Promise<Embedder> {}");
    write("packages/embedding-oak/test/other.test.ts", 'embedderConformance({}, { name: "x", open: openAsh })');
    expect(untestedAdapters(root)).toEqual([
      "packages/embedding-oak fulfils Embedder with openOak, but none of its tests calls embedderConformance.",
      "packages/store-oak fulfils VectorStore, but none of its tests calls vectorStoreConformance.",
      "packages/store-oak fulfils TextIndex, but none of its tests calls textIndexConformance.",
    ]);
    write("packages/store-oak/test/a.test.ts", "vectorStoreConformance({}, {}); textIndexConformance({}, {})");
    write("packages/embedding-oak/test/other.test.ts", 'embedderConformance({}, { name: "x", open: openOak })');
    expect(untestedAdapters(root)).toEqual([]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
