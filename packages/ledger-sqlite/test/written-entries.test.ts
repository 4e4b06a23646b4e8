import type { Sequence } from "@loci/domain";
import { type CommitBatch, type LogEntry, memoriesFamily } from "@loci/ledger";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import {
  batchOf,
  hashOfMemory,
  refNumber,
  sampleBatch,
  sampleMemory,
  sampleResource,
  space,
  tenant,
} from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** What is committed next, by how many memories there are already. */
const commits: readonly ((known: number) => CommitBatch)[] = [
  (known) => ({ ...batchOf(known + 1, known + 2, known + 3), reason: "IMPORTED" }),
  (known) => ({ ...batchOf(known + 1), author: { subject: "ann", activity: "capture" } }),
  (known) => ({
    ...sampleBatch([sampleMemory(known + 1)], []),
    changes: [
      { type: "memoryWritten", memory: sampleMemory(known + 1, { tags: [] }), contentHash: hashOfMemory(known + 1) },
      { type: "embeddingRecorded", ref: refNumber(known + 1), version: 1, space, contentHash: hashOfMemory(known + 1) },
      sampleResource(1_000 + known),
    ],
  }),
  (known) => ({
    ...batchOf(),
    author: {},
    changes: [
      { ...sampleResource(2_000 + known), payload: { read: "by its family" } },
      { type: "resourceRemoved", family: "notes", kind: "noteRemoved", ref: refNumber(2_000 + known), version: 2 },
    ],
  }),
  (known) => ({
    ...batchOf(known + 1),
    changes: [
      ...batchOf(known + 1).changes,
      { type: "memoryRemoved", ref: refNumber(known + 1), version: 2, removedAt: 9 },
    ],
  }),
];

interface Read {
  readonly after: Sequence;
  readonly limit: number;
  readonly families: readonly string[] | undefined;
}

const reads: fc.Arbitrary<Read> = fc.record({
  after: fc.nat(30),
  limit: fc.integer({ min: 1, max: 40 }),
  families: fc.constantFrom(undefined, [memoriesFamily], ["notes"], [memoriesFamily, "notes"]),
});

test("what was just committed is read as it is read from the file", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.nat(commits.length - 1), reads), { minLength: 4, maxLength: 14 }),
      async (steps) => {
        const { directory, remove } = temporaryDirectory();
        const ledger = await openSqliteLedger({ directory });
        const answers: { readonly read: Read; readonly head: Sequence; readonly entries: readonly LogEntry[] }[] = [];
        const ask = async (read: Read): Promise<void> => {
          const { after, limit, families } = read;
          const entries = await ledger.changes(tenant, after, limit, { families });
          answers.push({ read, head: await ledger.head(tenant), entries });
        };
        let known = 0;
        for (const step of steps) {
          if (typeof step !== "number") await ask(step);
          else await ledger.commit((commits[step] as (typeof commits)[number])((known += 5)));
        }
        await ask({ after: 0, limit: 100, families: undefined });
        await ledger.close();
        const again = await openSqliteLedger({ directory });
        for (const { read, head, entries } of answers) {
          const all = await again.changes(tenant, read.after, 100, { families: read.families });
          expect(entries).toStrictEqual(all.filter(({ sequence }) => sequence <= head).slice(0, read.limit));
        }
        await again.close();
        remove();
      },
    ),
    { numRuns: 12 },
  );
});

test("what was just committed and purged is read by nobody", async () => {
  const { directory, remove } = temporaryDirectory();
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(batchOf(1, 2));
  await ledger.purge(tenant, { refs: [refNumber(2)] });
  const text = JSON.stringify(await ledger.changes(tenant, 0, 10));
  expect(text).toContain("memory 1");
  expect(text).not.toContain("memory 2");
  await ledger.close();
  remove();
});

test("long texts push out what was committed before them, and are read from the file where they are too long themselves", async () => {
  const { directory, remove } = temporaryDirectory();
  const ledger = await openSqliteLedger({ directory });
  const long = (number: number) => sampleMemory(number, { text: "x".repeat(60_000) });
  await ledger.commit(batchOf(1));
  for (let from = 2; from < 42; from += 10)
    await ledger.commit(
      sampleBatch(
        Array.from({ length: 10 }, (_, offset) => long(from + offset)),
        [],
      ),
    );
  await ledger.commit(
    sampleBatch(
      Array.from({ length: 20 }, (_, offset) => long(42 + offset)),
      [],
    ),
  );
  const entries = await ledger.changes(tenant, 0, 100);
  expect(entries.map(({ ref }) => ref)).toEqual(Array.from({ length: 61 }, (_, number) => refNumber(number + 1)));
  await ledger.close();
  remove();
});
