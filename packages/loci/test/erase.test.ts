import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type IndexKind,
  indexKinds,
  openEngine,
  openLoci,
  type Principal,
  restoreBackup,
  roles,
  tenantId,
} from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseErasure } from "../src/erasures.ts";

const canary = "xqcanaryzw";
let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "loci-erase-"));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

/** Files with the canary in them. Another process looks: this one must not open the ledger's files. */
function filesWithCanary(directory: string): readonly string[] {
  try {
    // Also as UTF-16, and in file names.
    const utf16 = canary.split("").join("\\x00");
    const found = execFileSync("grep", ["-rlaiP", `${canary}|${utf16}`, directory], { encoding: "utf8" });
    return found.trim().split("\n");
  } catch {
    // What grep says when it finds nothing.
    return [];
  }
}

function principalOf(tenant: string): Principal {
  return { tenant: tenantId(tenant), subject: "test", roles, scopePatterns: ["*"] };
}

test.each<IndexKind>(indexKinds)(
  "no byte of what was erased is in any file of the data directory, with indexes in %s",
  async (index) => {
    const dataDirectory = join(parent, "data");
    const engine = await openEngine({ dataDirectory, index });
    const loci = engine.for(principalOf("acme"));
    const other = engine.for(principalOf("other"));
    const scopes = [`user:${canary}`, "user:bob"] as const;
    for (const on of [loci, other])
      for (const scope of on === loci ? scopes : (["user:bob"] as const))
        await on.memories.rememberMany(
          Array.from({ length: 120 }, (_, number) => ({
            text: scope === "user:bob" ? `Bob's note ${number}` : `${canary} note ${number} `.repeat(1 + (number % 40)),
            scope,
            tags: scope === "user:bob" ? ["tea"] : [canary],
            slot: scope === "user:bob" ? undefined : `${canary} ${number}`,
            metadata: scope === "user:bob" ? {} : { note: canary },
          })),
          { requestId: `${scope} first` },
        );
    const { memories } = await loci.memories.list({ scopes: [scopes[0]], pageSize: 50 });
    for (const { id, etag } of memories) await loci.memories.update(id, { text: `${canary} edited ${id}` }, { etag });
    for (const { id } of memories.slice(0, 10)) await loci.memories.forget(id);
    await loci.recall({ query: `what of ${canary}`, scopes: [scopes[0]] });
    await loci.settled();
    // Indexes that were left behind hold the words too.
    if (index === "memory") {
      await loci.maintenance.reindex({ to: "embedded" });
      await loci.maintenance.reindex({ to: "memory" });
    }
    expect(filesWithCanary(dataDirectory)).not.toEqual([]);
    const bobs = async (): Promise<unknown> => [
      (await loci.maintenance.exportMemories({ pageSize: 1_000 })).lines.filter((line) => line.includes("user:bob")),
      (await other.maintenance.exportMemories({ pageSize: 1_000 })).lines,
      (await other.recall({ query: "Bob's note 7", scopes: ["user:bob"], evaluationTime: 1 })).hits.map(
        ({ text }) => text,
      ),
    ];
    const before = await bobs();

    const receipt = await loci.maintenance.erase({ user: canary });
    expect(receipt.counts).toMatchObject({ found: 120, erased: 120, foreign: 0 });
    expect((await loci.recall({ query: canary, scopes })).hits.filter(({ text }) => text.includes(canary))).toEqual([]);
    expect(filesWithCanary(dataDirectory)).toEqual([]);
    expect(await bobs()).toEqual(before);
    expect((await loci.maintenance.verify()).findings).toEqual([]);
    await engine.close();
    expect(filesWithCanary(dataDirectory)).toEqual([]);

    const again = await openEngine({ dataDirectory, index });
    await again.for(principalOf("acme")).maintenance.erase({ tenant: "acme" });
    expect((await again.for(principalOf("other")).maintenance.exportMemories()).lines.length).toBe(120);
    await again.close();
  },
);

test("a backup is made while it is in use, is checked, and forgets again what was erased since", async () => {
  const dataDirectory = join(parent, "data");
  const loci = await openLoci({ tenant: "local", dataDirectory });
  const remember = async (text: string): Promise<string> =>
    (await loci.memories.remember({ text, scope: text.startsWith("Bob") ? "user:bob" : "user:alice" })).id;
  for (let number = 0; number < 40; number++) await remember(`${number % 2 === 0 ? "Bob" : canary} note ${number}`);
  let writes = 0;
  const load = { isRunning: true };
  const writer = (async () => {
    for (; load.isRunning; writes++) await remember(`Bob writes on ${writes}`);
  })();
  const first = join(parent, "first");
  const { counts } = await loci.maintenance.backup({ directory: first });
  load.isRunning = false;
  await writer;
  expect(counts["bytes"]).toBeGreaterThan(0);
  expect(writes).toBeGreaterThan(0);

  const { memories } = await loci.memories.list({ scopes: ["user:bob"], pageSize: 1_000 });
  await loci.memories.forget(memories.at(-1)?.id ?? ("" as never));
  await loci.maintenance.erase({ user: "alice" });
  const second = join(parent, "second");
  await loci.maintenance.backup({ directory: second });
  await expect(loci.maintenance.backup({ directory: second })).rejects.toMatchObject({ reason: "INVALID_REQUEST" });
  for (const place of ["x", "backups", "index/x"])
    await expect(loci.maintenance.backup({ directory: join(dataDirectory, place) })).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
    });
  await loci.maintenance.backup({ directory: join(dataDirectory, "backups/third") });
  await loci.close();

  const lines = (await readFile(join(second, "erasures.jsonl"), "utf8")).trim().split("\n");
  const erasures = lines.map((line, index) => parseErasure(line, `erasures.jsonl:${index + 1}`));
  const restoredDirectory = join(parent, "restored");
  expect((await restoreBackup({ from: first, dataDirectory: restoredDirectory, erasures })).erased).toBe(21);
  expect(filesWithCanary(restoredDirectory)).toEqual([]);
  const restored = await openLoci({ tenant: "local", dataDirectory: restoredDirectory });
  await restored.settled();
  const found = (await restored.memories.list({ scopes: ["user:alice", "user:bob"], pageSize: 1_000 })).memories;
  expect(found.length).toBeGreaterThanOrEqual(19);
  expect(found.every(({ text }) => text.startsWith("Bob"))).toBe(true);
  expect((await restored.recall({ query: "Bob note 8", scopes: ["user:bob"] })).hits.length).toBeGreaterThan(0);
  expect((await restored.maintenance.verify()).findings).toEqual([]);
  await restored.close();

  // Into a directory in use, from a damaged file, from nowhere.
  const target = join(parent, "another");
  await expect(restoreBackup({ from: first, dataDirectory: restoredDirectory })).rejects.toMatchObject({
    reason: "INVALID_REQUEST",
  });
  await expect(restoreBackup({ from: parent, dataDirectory: target })).rejects.toMatchObject({
    reason: "FILE_NOT_FOUND",
  });
  const copy = await readFile(join(first, "ledger.sqlite"));
  copy[copy.length - 100] = (copy[copy.length - 100] ?? 0) ^ 1;
  await writeFile(join(first, "ledger.sqlite"), copy);
  await expect(restoreBackup({ from: first, dataDirectory: target })).rejects.toMatchObject({
    reason: "DATA_DIRECTORY_CORRUPT",
  });
});
