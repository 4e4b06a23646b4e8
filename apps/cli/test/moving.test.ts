import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MaintenanceReport, RecallResult } from "@loci/loci";
import { type PineconeEmulator, startPineconeEmulator } from "@loci/pinecone-emulator";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

let folder: string;
let emulator: PineconeEmulator;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-cli-moving-"));
  emulator = await startPineconeEmulator();
  vi.stubEnv("LOCI_DATA_DIR", join(folder, "data"));
  vi.stubEnv("LOCI_PINECONE_API_KEY", emulator.apiKey);
  vi.stubEnv("LOCI_PINECONE_CONTROLLER_URL", emulator.controllerUrl);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await emulator[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function json<Value>(...words: readonly string[]): Promise<Value> {
  const { code, out, error } = await runCommand([...words, "--json"]);
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return JSON.parse(out) as Value;
}

async function recalled(...words: readonly string[]): Promise<readonly string[]> {
  const { hits } = await json<RecallResult>("recall", "When do we deploy?", ...words);
  return hits.map(({ memory }) => memory.text);
}

test("indexes go to Pinecone and back, by the command and by being opened there", async () => {
  const text = "We deploy on Thursday.";
  await json("remember", text);
  const there = await json<MaintenanceReport>("reindex", "--to", "pinecone");
  expect(there.counts["changes"]).toBe(1);
  // Without a word they are where they were moved to.
  expect(await recalled()).toEqual([text]);
  const [where] = (await json<MaintenanceReport>("reindex")).notes;
  expect(where).toContain('in "pinecone" with the embedder "local". Places to move to: memory, embedded, lancedb.');

  // The place that is named is not gone to before the command has begun.
  const back = await json<MaintenanceReport>("reindex", "--index", "embedded", "--to", "embedded", "--drop-old");
  expect([back.counts["changes"], back.counts["dropped"]]).toEqual([1, 1]);
  expect((await json<MaintenanceReport>("reindex", "--to", "embedded")).notes[0]).toContain("already");
  expect(await recalled()).toEqual([text]);

  // Opened there, they stay there.
  expect(await recalled("--index", "pinecone")).toEqual([text]);
  expect((await json<MaintenanceReport>("reindex")).notes[0]).toContain('in "pinecone"');
  vi.stubEnv("LOCI_PINECONE_API_KEY", "");
  const { code, error } = await runCommand(["recall", "deploy"]);
  expect([code === 0, error]).toEqual([false, expect.stringContaining("pinecone")]);
  expect(await recalled("--index", "embedded")).toEqual([text]);
});
