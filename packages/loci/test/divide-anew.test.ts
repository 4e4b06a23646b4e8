import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tenantsInFile } from "@loci/ledger-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  divideAnew,
  type DividingProgress,
  openEngine,
  openLoci,
  readDivision,
  roles,
  shardDirectory,
  tenantId,
} from "../src/index.ts";
import { rendezvousShard } from "../src/shards/tenant-shard.ts";

const index = "memory";
const scope = "global";
const tenants = Array.from({ length: 8 }, (_, number) => `tenant-${number}`);

describe("dividing a directory that nobody serves", () => {
  let folder: string;
  let directory: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "loci-divide-"));
    directory = join(folder, "data");
    await using engine = await openEngine({ dataDirectory: directory, index });
    for (const tenant of [...tenants, "local"])
      await engine.for(principalOf(tenant)).memories.remember({ text: `The boat of ${tenant} is green.`, scope });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Where each tenant's memories are: found in one shard only, by words and by meaning. */
  async function places(shards: number): Promise<Readonly<Record<string, number>>> {
    const found: Record<string, number> = {};
    for (let shard = 0; shard < shards; shard++) {
      const dataDirectory = shardDirectory(directory, shard);
      await using engine = await openEngine({ dataDirectory, index, isShard: true });
      for (const tenant of await engine.tenants()) {
        const { hits } = await engine.for(principalOf(tenant)).recall({ query: "green boat", scopes: [scope] });
        expect(hits.map(({ memory }) => memory.text)).toEqual([`The boat of ${tenant} is green.`]);
        expect(found).not.toHaveProperty(tenant);
        found[tenant] = shard;
      }
    }
    return found;
  }

  const byName = (shards: number): Readonly<Record<string, number>> =>
    Object.fromEntries([...tenants, "local"].map((tenant) => [tenant, rendezvousShard(tenant, shards)]));

  test("brings every tenant where its name says, to more shards, to fewer and back to one", async () => {
    expect(await divideAnew({ dataDirectory: directory, shards: 2 })).toMatchObject({ shards: 2 });
    expect(await places(2)).toEqual(byName(2));
    expect(readDivision(directory)?.placed).toEqual(new Map());
    await divideAnew({ dataDirectory: directory, shards: 4 });
    expect(readDivision(directory)?.shards).toBe(4);
    await divideAnew({ dataDirectory: directory, shards: 3 });
    expect(await places(3)).toEqual(byName(3));
    expect(existsSync(shardDirectory(directory, 3))).toBe(false);
    await divideAnew({ dataDirectory: directory, shards: 1 });
    expect(readDivision(directory)).toBeUndefined();
    expect(existsSync(join(directory, "shards", "1"))).toBe(false);
    expect(await places(1)).toEqual(byName(1));
    // Whole, and opened as such.
    await using loci = await openLoci({ dataDirectory: directory, tenant: "tenant-3", index });
    expect((await loci.memories.list({ scopes: [scope] })).memories).toHaveLength(1);
  });

  test.each([2, 1])("goes on after it was ended half way, to %i shards", async (shards) => {
    if (shards === 1) await divideAnew({ dataDirectory: directory, shards: 3 });
    const end = new AbortController();
    const onProgress = ({ done }: DividingProgress): void => void (done === 2 && end.abort());
    await expect(
      divideAnew({ dataDirectory: directory, shards, signal: end.signal, onProgress }),
    ).rejects.toMatchObject({ reason: "CANCELLED" });
    // Everybody is where the note says, also those that were copied already.
    const { shards: count = 0, leftovers = [] } = readDivision(directory) ?? {};
    expect(leftovers.length).toBeGreaterThanOrEqual(2);
    const counted = await places(count);
    expect(Object.keys(counted).toSorted()).toEqual(["local", ...tenants]);
    expect(await divideAnew({ dataDirectory: directory, shards })).toMatchObject({ shards });
    expect(await places(shards)).toEqual(byName(shards));
  });

  test("is refused while a shard is open, for a number that cannot be, and where there is nothing", async () => {
    await divideAnew({ dataDirectory: directory, shards: 2 });
    const before = readDivision(directory);
    await using _worker = await openEngine({ dataDirectory: shardDirectory(directory, 1), index, isShard: true });
    await expect(divideAnew({ dataDirectory: directory, shards: 3 })).rejects.toMatchObject({
      reason: "DATA_DIRECTORY_LOCKED",
    });
    expect(readDivision(directory)).toEqual(before);
    for (const shards of [0, 65, 1.5, Number.NaN])
      await expect(divideAnew({ dataDirectory: directory, shards })).rejects.toMatchObject({
        reason: "INVALID_REQUEST",
        field: "shards",
      });
    await expect(divideAnew({ dataDirectory: join(folder, "none"), shards: 2 })).rejects.toMatchObject({
      reason: "DATA_DIRECTORY_MISSING",
    });
    expect(existsSync(join(folder, "none"))).toBe(false);
  });

  test("leaves what is written down for a damaged note alone", async () => {
    await divideAnew({ dataDirectory: directory, shards: 2 });
    writeFileSync(join(directory, "shards.json"), "{");
    await expect(divideAnew({ dataDirectory: directory, shards: 3 })).rejects.toMatchObject({
      reason: "DATA_DIRECTORY_CORRUPT",
    });
    expect(tenantsInFile(directory).length + tenantsInFile(shardDirectory(directory, 1)).length).toBe(9);
  });
});

function principalOf(tenant: string): Parameters<Awaited<ReturnType<typeof openEngine>>["for"]>[0] {
  return { tenant: tenantId(tenant), subject: "test", roles, scopePatterns: ["*"] };
}
