import type { Ledger } from "@loci/ledger";
import { missingNativePostgres } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Connections } from "../src/connections.ts";
import { RecentlyRead } from "../src/recently-read.ts";
import { type LedgerDatabase, openLedgerDatabase } from "./open-database.ts";
import { batchOf, refNumber, sampleMemory, tenant, written } from "./samples.ts";

// Two servers need more than the one connection of PGlite.
describe.skipIf(missingNativePostgres() !== undefined)("memories that were read lately", () => {
  let database: LedgerDatabase;
  let ledger: Ledger;
  let otherServer: Ledger;
  const refs = [1, 2, 3].map(refNumber);
  const scope = { kind: "user", id: "alice" } as const;

  beforeAll(async () => {
    database = await openLedgerDatabase("native");
    [ledger, otherServer] = await Promise.all([database.open(), database.open()]);
    await ledger.commit(batchOf([1, 2, 3]));
  });
  afterAll(async () => {
    await ledger.close();
    await otherServer.close();
    await database.drop();
  });

  /** What this server reads, and how many records the database sent for it. */
  async function read(): Promise<{ readonly memories: readonly unknown[]; readonly sent: number }> {
    const spy = vi.spyOn(Connections.prototype, "read");
    const found = await ledger.memories(tenant, refs);
    const rows = (await spy.mock.results[0]?.value) as readonly { readonly record: string | null }[];
    spy.mockRestore();
    const memories = refs.map((ref) => {
      const stored = found.get(ref);
      return stored && [stored.memory.text, stored.memory.version, stored.usage.accessCount];
    });
    return { memories, sent: rows.filter(({ record }) => record !== null).length };
  }

  test("are read once, and are what the database has whatever another server does", async () => {
    const first = await read();
    expect(first.sent).toBe(3);
    expect(await read()).toEqual({ ...first, sent: 0 });
    expect((await ledger.memories(tenant, refs)).get(refNumber(1))).toEqual(
      (await otherServer.memories(tenant, refs)).get(refNumber(1)),
    );

    await otherServer.recordUsage(tenant, [{ ref: refNumber(2), at: 9 }]);
    const changed = sampleMemory(1, { text: "changed", version: 2, updatedAt: 9 });
    await otherServer.commit(batchOf([], { changes: [written(changed)] }));
    const second = await read();
    expect(second.sent).toBe(1);
    expect(second.memories).toMatchObject([
      ["changed", 2, 0],
      ["memory 2", 1, 1],
      ["memory 3", 1, 0],
    ]);

    await otherServer.purge(tenant, { refs: [refNumber(3)] });
    expect(await read()).toMatchObject({ memories: [["changed", 2, 0], ["memory 2", 1, 1], undefined], sent: 0 });
  });

  test("are all forgotten by a purge of this server, and may not be changed by a caller", async () => {
    await read();
    await ledger.purge(tenant, { refs: [refNumber(2)] });
    expect(await read()).toMatchObject({ memories: [["changed", 2, 0], undefined, undefined], sent: 1 });
    const memory = (await ledger.memories(tenant, refs)).get(refNumber(1))?.memory;
    expect(memory?.scope).toEqual(scope);
    expect([Object.isFrozen(memory), Object.isFrozen(memory?.tags), Object.isFrozen(memory?.scope)]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe("values that were read lately", () => {
  test("end with time, and with the room there is", () => {
    let now = 0;
    const kept = new RecentlyRead<string, string>({ mostWeight: 8, weightOf: ({ length }) => length, now: () => now });
    const found = (keys: string, owner = "owner"): unknown => [...kept.get(owner, keys.split(""))].flat();
    kept.set("owner", "a", "one");
    expect([found("ab"), found("a", "other")]).toEqual([["a", "one"], []]);
    now = 9 * 60_000;
    expect(found("a")).toEqual(["a", "one"]);
    now = 15 * 60_000;
    expect(found("a")).toEqual([]);
    for (const key of ["a", "b", "c", "d", "e"]) kept.set("owner", key, "four");
    expect(found("abcde")).toEqual(["d", "four", "e", "four"]);
    kept.set("owner", "e", "new");
    expect(found("e")).toEqual(["e", "new"]);
    const { purges } = kept;
    kept.forget();
    expect([found("e"), kept.purges === purges]).toEqual([[], false]);
  });
});
