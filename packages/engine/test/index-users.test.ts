import type { SettingsTable } from "@loci/ledger";
import { collectionId } from "@loci/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IndexUsers } from "../src/maintenance/index-users.ts";

const signal = new AbortController().signal;
const times = { sign: 20, silence: 300, patience: 700 };
const small = { place: "pgvector", collection: collectionId("memories-small") };
const large = { place: "pgvector", collection: collectionId("memories-large") };
const former = { ...small, projections: [] };

// A machine that is busy must not make a server look silent.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Settings as a ledger has them, in memory. */
class MemorySettings implements Pick<SettingsTable, "set" | "list"> {
  readonly values: Map<string, string> = new Map<string, string>();

  async set(_tenant: unknown, name: string, value: string | undefined): Promise<void> {
    if (value === undefined) this.values.delete(name);
    else this.values.set(name, value);
  }

  async list(_tenant: unknown, prefix: string): Promise<ReadonlyMap<string, string>> {
    return new Map([...this.values].filter(([name]) => name.startsWith(prefix)));
  }
}

function userOf(settings: MemorySettings, server: string): IndexUsers {
  const report = (error: unknown): never => {
    throw error;
  };
  return new IndexUsers({ settings: settings as unknown as SettingsTable }, server, report, times);
}

test("indexes are free once the others have left them, or closed", async () => {
  const settings = new MemorySettings();
  const [hers, his, another] = ["hers", "his", "another"].map((name) => userOf(settings, name));
  await Promise.all([hers?.start(small), his?.start(small), another?.start(large)]);
  await hers?.use(large);
  let isFree: boolean | undefined;
  const waiting = hers?.released(former, signal).then((free) => (isFree = free));
  await vi.advanceTimersByTimeAsync(600);
  expect(isFree).toBeUndefined();
  await his?.use(large);
  await vi.advanceTimersByTimeAsync(250);
  await waiting;
  expect(isFree).toBe(true);
  // The place itself, with whatever collection.
  expect(await hers?.released({ place: "lancedb", projections: [] }, signal)).toBe(true);
  await his?.close();
  await another?.close();
  expect(await hers?.released({ place: "pgvector", projections: [] }, signal)).toBe(true);
  await hers?.close();
  expect(settings.values.size).toBe(0);
});

test("a server that still gives signs keeps its indexes, one that is silent does not", async () => {
  const settings = new MemorySettings();
  const [hers, his] = ["hers", "his"].map((name) => userOf(settings, name));
  await Promise.all([hers?.start(large), his?.start(small)]);
  const beside = hers?.released(former, signal);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await beside).toBe(false);
  await his?.close();
  // Killed: its note stays, and changes no more.
  await settings.set(undefined, "index-user:killed", JSON.stringify({ ...small, sign: "1.1" }));
  const after = hers?.released(former, signal);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await after).toBe(true);
  expect([...settings.values.keys()]).toEqual(["index-user:hers"]);
  await hers?.close();
});

test("waiting ends when the call does", async () => {
  const settings = new MemorySettings();
  const hers = userOf(settings, "hers");
  await settings.set(undefined, "index-user:his", JSON.stringify({ ...small, sign: "1.1" }));
  const controller = new AbortController();
  const waiting = hers.released(former, controller.signal);
  await vi.advanceTimersByTimeAsync(50);
  controller.abort();
  await expect(waiting).rejects.toBeInstanceOf(Error);
});
