import { memoriesFamily } from "@loci/ledger";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { batchOf, hashOfMemory, refNumber, sampleBatch, sampleMemory, space, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

let directory: string;
let remove: () => void;
beforeEach(() => ({ directory, remove } = temporaryDirectory()));
afterEach(() => remove());

const memories = { families: [memoriesFamily] };

test("two that follow a log are given the same entries, which neither can change", async () => {
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(batchOf(1, 2, 3));
  const first = await ledger.changes(tenant, 0, 10, memories);
  const second = await ledger.changes(tenant, 0, 10, memories);
  expect(second).toEqual(first);
  expect(second[0]).toBe(first[0]);
  expect(second).not.toBe(first);
  const { payload } = first[0] as { readonly payload: { readonly memory: { readonly tags: readonly string[] } } };
  expect([first[0], payload, payload.memory, payload.memory.tags].every((part) => Object.isFrozen(part))).toBe(true);
  // Who stands further on needs a part of it, and who asks for other families or fewer entries something else.
  expect((await ledger.changes(tenant, 2, 10, memories)).map((entry) => entry === first[2])).toEqual([true]);
  expect((await ledger.changes(tenant, 0, 2, memories)).length).toBe(2);
  expect(await ledger.changes(tenant, 0, 10, { families: ["notes"] })).toEqual([]);
  await ledger.close();
});

test("what was committed meanwhile is read, behind a stretch that was full as well", async () => {
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(batchOf(1, 2));
  expect((await ledger.changes(tenant, 0, 2, memories)).length).toBe(2);
  expect((await ledger.changes(tenant, 0, 10, memories)).length).toBe(2);
  await ledger.commit(batchOf(3));
  expect((await ledger.changes(tenant, 0, 10, memories)).map(({ ref }) => ref)).toEqual([1, 2, 3].map(refNumber));
  expect((await ledger.changes(tenant, 0, 2, memories)).length).toBe(2);
  expect((await ledger.changes(tenant, 2, 2, memories)).map(({ ref }) => ref)).toEqual([refNumber(3)]);
  await ledger.close();
});

test("what was purged is in no entry that was read before", async () => {
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(batchOf(1, 2));
  await ledger.commit({
    ...batchOf(),
    changes: [{ type: "memoryRemoved", ref: refNumber(2), version: 2, removedAt: 9 }],
  });
  expect(JSON.stringify(await ledger.changes(tenant, 0, 10, memories))).toContain("memory 2");
  // It was removed before, so that nothing is appended to the log.
  expect((await ledger.purge(tenant, { refs: [refNumber(2)] })).memories).toBe(1);
  expect(JSON.stringify(await ledger.changes(tenant, 0, 10, memories))).not.toContain("memory 2");
  await ledger.close();
});

test("the first embedding of a text stays, also where the next one differs and the first was never read", async () => {
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(batchOf(1));
  await ledger.close();
  const again = await openSqliteLedger({ directory });
  const other = [Float32Array.of(1, 0)] as const;
  await again.commit({
    ...sampleBatch([sampleMemory(2)], []),
    embeddings: [
      { space, contentHash: hashOfMemory(1), vectors: other },
      { space, contentHash: hashOfMemory(2), vectors: other },
    ],
  });
  other[0].fill(9);
  const found = await again.embeddings(tenant, space, [1, 2].map(hashOfMemory));
  expect(found.get(hashOfMemory(1))?.[0].length).toBe(256);
  expect(found.get(hashOfMemory(2))).toEqual([Float32Array.of(1, 0)]);
  await again.close();
});
