import type { StoredMemory } from "@loci/ledger";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { type LedgerStep, memoryCount, ObservedLedger } from "./observed-ledger.ts";
import { refNumber, sampleBatch, sampleMemory, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const places = fc.uniqueArray(fc.nat(memoryCount - 1), { minLength: 1, maxLength: 3 });
const step: fc.Arbitrary<LedgerStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("write"), places }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("use"), places }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom("remove", "show", "purge"), places }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom("purgeAll", "replay", "cancel", "scrub") }) },
  { weight: 12, arbitrary: fc.record({ type: fc.constant("read"), places }) },
  { weight: 12, arbitrary: fc.record({ type: fc.constantFrom("microtask", "microtask", "turn", "settle") }) },
);

let directory: string;
let remove: () => void;
beforeEach(() => ({ directory, remove } = temporaryDirectory()));
afterEach(() => remove());

test("whatever is written meanwhile, a memory and the tags of a scope are given as the file has them", async () => {
  const ledger = await openSqliteLedger({ directory });
  const observed = new ObservedLedger(ledger, directory);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      for (const step of steps) await observed.take(step);
      await observed.take({ type: "settle" });
    }),
    { seed: 1, numRuns: 60 },
  );

  expect(observed.givenAgain).toBeGreaterThan(100);
  observed.close();
  await ledger.close();
});

test("memories come in the order asked for, whether they were read lately or not, and cannot be changed", async () => {
  const ledger = await openSqliteLedger({ directory });
  const provenance = { sourceId: "source", kind: "document" } as const;
  const memories = [1, 2, 3].map((number) => sampleMemory(number, { metadata: { size: number }, provenance }));
  await ledger.commit(sampleBatch(memories, [1]));
  await ledger.recordUsage(tenant, [{ ref: refNumber(1), at: 1 }]);
  const wanted = [3, 2, 9, 1].map(refNumber);
  const first = await ledger.memories(tenant, [refNumber(2)]);
  const all = await ledger.memories(tenant, wanted);
  expect([...all.keys()]).toEqual([3, 2, 1].map(refNumber));
  expect(all.get(refNumber(2))).toBe(first.get(refNumber(2)));
  for (const { memory, usage } of all.values()) {
    const parts = [memory, usage, memory.scope, memory.tags, memory.metadata, memory.provenance];
    expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true));
  }
  await ledger.close();
});

test("memories that are read together have one object for each scope, and each has its own scope", async () => {
  const ledger = await openSqliteLedger({ directory });
  const scopes = [1, 2, 1, 2, 1].map((number) => ({ kind: "user", id: `ada-${number}` }) as const);
  await ledger.commit(
    sampleBatch(
      scopes.map((scope, index) => sampleMemory(index + 1, { scope })),
      [1],
    ),
  );
  const read = await ledger.memories(
    tenant,
    scopes.map((_, index) => refNumber(index + 1)),
  );
  const given = [...read.values()].map(({ memory }) => memory.scope);
  expect(given).toEqual(scopes);
  expect(new Set(given).size).toBe(2);
  await ledger.close();
});

test("a memory that was used is given with its new usage, and is not read from the file again", async () => {
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(sampleBatch([sampleMemory(1)], [1]));
  const read = async (): Promise<StoredMemory | undefined> =>
    (await ledger.memories(tenant, [refNumber(1)])).get(refNumber(1));
  const before = await read();
  const uses = [5, 9, 7].map((at) => ({ ref: refNumber(1), at }));
  await Promise.all([ledger.recordUsage(tenant, uses.slice(0, 2)), ledger.recordUsage(tenant, uses.slice(2))]);
  const after = await read();
  expect(after?.usage).toEqual({ accessCount: 3, lastAccessedAt: 9 });
  expect(after?.memory).toBe(before?.memory);
  expect(Object.isFrozen(after) && Object.isFrozen(after?.usage)).toBe(true);
  await ledger.close();
});
