import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Loci, type MaintenanceProgress, type MaintenanceReport, type MemoryId, roles } from "@loci/domain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const principal = { roles, scopePatterns: ["*"] } as const;
const scope = "user:alice";
let opened: TestEngine;
let loci: Loci;

beforeEach(async () => {
  opened = await TestEngine.open();
  loci = opened.as(principal);
});
afterEach(() => opened[Symbol.asyncDispose]());

async function change(id: MemoryId, text: string): Promise<void> {
  const { etag } = await loci.memories.get(id);
  await loci.memories.update(id, { text }, { etag });
}

async function remember(text: string): Promise<MemoryId> {
  return (await loci.memories.remember({ text, scope })).id;
}

/** Changes what stands in the ledger's file behind its back. */
function damage(sql: string): void {
  const database = new DatabaseSync(join(opened.directory, "ledger.sqlite"), { timeout: 5_000 });
  expect(database.prepare(sql).run().changes).toBe(1);
  database.close();
}

/** What is asked for of the texts of a damaged ledger. */
function expectDamage(report: MaintenanceReport, count: number): void {
  expect(report.counts["damaged"]).toBe(count);
  expect(report.notes.join("\n")).toContain("loci memories update");
  expect(JSON.stringify(report)).not.toContain("harbour");
}

test("verify names the memory of which one bit was flipped in the file", async () => {
  await remember("The door is blue.");
  const id = await remember("The ship leaves the harbour at noon.");
  await loci.settled();
  await opened.engine.close();
  await opened.ledger.close();
  const path = join(opened.directory, "ledger.sqlite");
  const bytes = readFileSync(path);
  const place = bytes.indexOf("ship leaves the harbour");
  expect(place).toBeGreaterThan(0);
  // "rhip"
  bytes[place]! ^= 1;
  writeFileSync(path, bytes);
  await opened.reopen();
  loci = opened.as(principal);

  const progress: MaintenanceProgress[] = [];
  const found = await loci.maintenance.verify({}, { onProgress: (step) => void progress.push(step) });
  expect(found.findings).toEqual([
    { memory: id, reason: "DAMAGED_TEXT", details: { version: "1", entry: "2", currentVersion: "1" } },
  ]);
  expectDamage(found, 1);
  expect(progress).toContainEqual(expect.objectContaining({ activity: "reading the log", done: 2, total: 2 }));

  // As it advises.
  await change(id, "The ship leaves the harbour at noon.");
  const after = await loci.maintenance.verify({ repair: true });
  expect(after.findings).toEqual([
    { memory: id, reason: "DAMAGED_TEXT", details: { version: "1", entry: "2", currentVersion: "2" } },
  ]);
  expectDamage(after, 1);
});

test("verify finds former versions and tombstones that are damaged", async () => {
  const edited = await remember("The harbour is open.");
  await change(edited, "The harbour is closed.");
  const forgotten = await remember("Harbour fees are due in May.");
  await loci.memories.forget(forgotten);
  damage("UPDATE changes SET record = replace(record, 'is open', 'is opem') WHERE sequence = 1");
  damage("UPDATE changes SET record = replace(record, 'in May', 'in Mai') WHERE sequence = 4");
  const report = await loci.maintenance.verify();
  expect(report.findings).toEqual([
    { memory: edited, reason: "DAMAGED_TEXT", details: { version: "1", entry: "1", currentVersion: "2" } },
    { memory: forgotten, reason: "DAMAGED_TEXT", details: { version: "2", entry: "4", currentVersion: "2" } },
  ]);
});

test("verify tells of an entry that cannot be read, instead of ending with it", async () => {
  const whole = await remember("The door is blue.");
  const id = await remember("The harbour is open.");
  damage("UPDATE changes SET record = substr(record, 3) WHERE sequence = 2");
  const report = await loci.maintenance.verify();
  expect(report.findings).toEqual([
    { reason: "DAMAGED_ENTRY", details: { family: "memories", resource: id, version: "1", entry: "2" } },
  ]);
  expect(report.counts).toEqual({ entries: 2, damaged: 1 });
  expect(report.notes.join("\n")).toContain("cannot be read");
  expect((await loci.memories.get(whole)).text).toBe("The door is blue.");
});
