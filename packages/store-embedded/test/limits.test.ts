import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { memoryId, type Scope, tenantId } from "@loci/domain";
import type { IndexUpsert } from "@loci/store";
import { afterEach, describe, expect, test } from "vitest";
import { checkRoom } from "../src/vectors/check-room.ts";
import { hasSigns } from "../src/vectors/sign-bits.ts";
import { maxVectors } from "../src/vectors/vector-memory.ts";
import { openTestStore, type TestStore } from "./embedded-fixture.ts";

test("an index holds what WebAssembly can address, and beyond it names the next adapter", () => {
  expect(maxVectors(1536)).toBeGreaterThan(2_700_000);
  expect(maxVectors(1536) * 1536).toBeLessThan(2 ** 32);
  expect(hasSigns(1536, maxVectors(1536))).toBe(false);
  expect(hasSigns(1536, 2_400_000)).toBe(true);
  const most = maxVectors(384);
  expect(() => checkRoom(384, most - 5, 5)).not.toThrow();
  expect(() => checkRoom(384, most - 5, 6)).toThrow(
    expect.objectContaining({
      reason: "UNSUPPORTED_OPERATION",
      message: expect.stringContaining(String(most)) as string,
      advice: expect.stringContaining("store-lancedb") as string,
    }),
  );
});

const scope: Scope = { kind: "global" };
const row: IndexUpsert = {
  type: "upsert",
  ref: memoryId("00000000-0000-7000-8000-000000000001"),
  version: 1,
  scope,
  fields: {},
  vectors: [],
  terms: new Map([["word", 1]]),
};

describe("a store", () => {
  let store: TestStore;
  afterEach(() => store.destroy());

  test("closes the least recently used indexes, and opens them again with all they hold", async () => {
    store = await openTestStore({ maxOpenIndexes: 3 });
    const tenants = Array.from({ length: 12 }, (_, number) => tenantId(`t${number}`));
    for (const round of [1, 2, 3])
      for (const tenant of tenants) await store.textIndex.apply(tenant, [{ ...row, version: round }], round);
    for (const tenant of tenants) {
      expect(await store.textIndex.checkpoint(tenant)).toBe(3);
      const hits = await store.textIndex.search({ tenant, scopes: [scope], terms: ["word"], limit: 5 });
      expect(hits.map(({ version }) => version)).toEqual([3]);
    }
  });

  test("says so when one tenant's index cannot be used, and serves the others", async () => {
    store = await openTestStore();
    const [blocked, other] = [tenantId("blocked"), tenantId("other")];
    // A file where the tenant's directory should be.
    await writeFile(join(store.directory, createHash("sha256").update(blocked).digest("hex").slice(0, 40)), "");
    await expect(store.textIndex.apply(blocked, [row], 1)).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
    await store.textIndex.apply(other, [row], 1);
    expect(await store.textIndex.checkpoint(other)).toBe(1);
  });
});
