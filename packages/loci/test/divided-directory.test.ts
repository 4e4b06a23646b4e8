import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { divideDirectory, openEngine, openLoci, readDivision, shardDirectory, tenantShards } from "../src/index.ts";
import { rendezvousShard } from "../src/shards/tenant-shard.ts";

const index = "memory";
/** One that would be elsewhere if it had not been there first. */
const stays = nameOfShard(1, "old");
const lives = nameOfShard(1, "new");

describe("a divided data directory", () => {
  let folder: string;
  let directory: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "loci-divided-"));
    directory = join(folder, "data");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function remember(dataDirectory: string, tenant: string, text: string): Promise<void> {
    await using loci = await openLoci({ dataDirectory, tenant, index });
    await loci.memories.remember({ text, scope: "global" });
  }

  test("keeps the tenants it had where they are, and spreads those that come", async () => {
    await remember(directory, stays, "The harbour opens at six.");
    const division = await divideDirectory(directory, 2);
    expect(division).toEqual({ shards: 2, placed: new Map([[stays, 0]]), leftovers: [] });
    expect(readDivision(directory)).toEqual(division);
    const shardOf = tenantShards(division);
    expect([stays, lives, "local"].map(shardOf)).toEqual([0, 1, 0]);
    expect(shardDirectory(directory, 0)).toBe(directory);
    expect(statSync(join(directory, "shards.json")).mode & 0o077).toBe(0);
    // What a tenant has is found as before.
    await using loci = await openLoci({ dataDirectory: directory, tenant: stays, index });
    const { memories } = await loci.memories.list({ scopes: ["global"] });
    expect(memories.map(({ text }) => text)).toEqual(["The harbour opens at six."]);
  });

  test("is not divided again, and not served by another number of workers", async () => {
    const division = await divideDirectory(directory, 2);
    await remember(directory, "local", "The tide is low at noon.");
    expect(await divideDirectory(directory, 2)).toEqual(division);
    await expect(divideDirectory(directory, 3)).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      message: expect.stringContaining("divided into 2 shards") as unknown,
      advice: expect.stringContaining("--workers 2") as unknown,
    });
    expect(readDivision(directory)).toEqual(division);
  });

  test("is refused as a whole, and for a tenant of another shard", async () => {
    await divideDirectory(directory, 2);
    const refused = { reason: "INVALID_CONFIGURATION", advice: expect.stringContaining("--workers 2") as unknown };
    await expect(openEngine({ dataDirectory: directory, index })).rejects.toMatchObject(refused);
    await expect(openLoci({ dataDirectory: directory, tenant: lives, index })).rejects.toMatchObject(refused);
    expect(existsSync(join(directory, "ledger.sqlite"))).toBe(false);
    // The worker that it belongs to opens it.
    const engine = await openEngine({ dataDirectory: directory, index, isShard: true });
    await engine.close();
  });

  test("is refused by one of its shards, and opened by whoever says that it is one", async () => {
    await divideDirectory(directory, 2);
    const dataDirectory = shardDirectory(directory, 1);
    const refused = {
      reason: "INVALID_CONFIGURATION",
      message: expect.stringContaining(`is shard 1 of ${directory}`) as unknown,
      advice: expect.stringContaining(`Serve ${directory} with`) as unknown,
    };
    await expect(openEngine({ dataDirectory, index })).rejects.toMatchObject(refused);
    await expect(openLoci({ dataDirectory, tenant: lives, index })).rejects.toMatchObject(refused);
    expect(existsSync(join(dataDirectory, "ledger.sqlite"))).toBe(false);
    await using engine = await openEngine({ dataDirectory, index, isShard: true });
    expect(await engine.tenants()).toEqual([]);
  });

  test("is not served when one of its shards was lost", async () => {
    await divideDirectory(directory, 3);
    rmSync(shardDirectory(directory, 2), { recursive: true });
    await expect(divideDirectory(directory, 3)).rejects.toMatchObject({
      reason: "DATA_DIRECTORY_MISSING",
      resource: shardDirectory(directory, 2),
    });
    expect(existsSync(shardDirectory(directory, 2))).toBe(false);
  });

  test("is read as a former version wrote it", async () => {
    await remember(directory, "local", "The tide is low at noon.");
    writeFileSync(
      join(directory, "shards.json"),
      `{"format":1,"shards":2,"tenantsOfShard0":[${JSON.stringify(stays)}]}\n`,
    );
    expect(readDivision(directory)).toEqual({ shards: 2, placed: new Map([[stays, 0]]), leftovers: [] });
  });

  test("is not divided while somebody has it open", async () => {
    await using _open = await openLoci({ dataDirectory: directory, tenant: "local", index });
    await expect(divideDirectory(directory, 2)).rejects.toMatchObject({ reason: "DATA_DIRECTORY_LOCKED" });
    expect(readDivision(directory)).toBeUndefined();
  });

  test.each([
    ["cut off", '{"format":1,"sha', "DATA_DIRECTORY_CORRUPT"],
    ["no object", "null", "DATA_DIRECTORY_CORRUPT"],
    ["without shards", '{"format":1,"tenantsOfShard0":[]}', "DATA_DIRECTORY_CORRUPT"],
    [
      "with a shard that is not there",
      '{"format":2,"shards":2,"placed":[[],[],["x"]],"leftovers":[]}',
      "DATA_DIRECTORY_CORRUPT",
    ],
    [
      "with leftovers of nobody",
      '{"format":2,"shards":2,"placed":[],"leftovers":[{"shard":1}]}',
      "DATA_DIRECTORY_CORRUPT",
    ],
    ["of a newer version", '{"format":3}', "DATA_DIRECTORY_TOO_NEW"],
  ])("with a note that is %s is never taken for a whole one", async (_, note, reason) => {
    await divideDirectory(directory, 2);
    writeFileSync(join(directory, "shards.json"), note);
    await expect(divideDirectory(directory, 2)).rejects.toMatchObject({ reason });
    await expect(openLoci({ dataDirectory: directory, tenant: "local", index })).rejects.toMatchObject({ reason });
    expect(readFileSync(join(directory, "shards.json"), "utf8")).toBe(note);
  });

  test.each([1, 0, 65, 1.5, Number.NaN])("cannot have %d shards", async (shards) => {
    await expect(divideDirectory(directory, shards)).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION" });
    expect(existsSync(directory)).toBe(false);
  });
});

function nameOfShard(shard: number, prefix: string): string {
  for (let number = 0; ; number++)
    if (rendezvousShard(`${prefix}-${number}`, 2) === shard) return `${prefix}-${number}`;
}
