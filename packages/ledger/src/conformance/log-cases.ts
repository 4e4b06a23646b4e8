import { deepEqual, equal } from "node:assert/strict";
import type { Sequence } from "@loci/domain";
import { type Change, type CheckedEntries, memoriesFamily, memoryChangeOf, memoryEntryOf } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, type PlantedEntry } from "./ledger-context.ts";
import {
  beginning,
  contentHashOf,
  refNumber,
  removed,
  sampleEmbedding,
  sampleMemory,
  space,
  written,
} from "./samples.ts";

/** Reading the log and hearing of it. */
export const logCases: LedgerCaseFile = {
  covers: ["changes", "checkEntries", "head", "onCommitted"],
  cases: [
    {
      method: "changes",
      name: "gives back every kind of change as it was committed",
      run: async (context) => {
        const changes: readonly Change[] = [
          written(sampleMemory(1, { tags: ["a"] })),
          written(sampleMemory(1, { version: 2, text: "edited" })),
          { type: "embeddingRecorded", ref: refNumber(1), version: 2, space, contentHash: contentHashOf("edited") },
          removed(refNumber(1), 3, beginning + 77),
        ];
        await context.commit(changes, { embeddings: [sampleEmbedding("edited")] });
        const log = await context.ledger.changes(context.tenant, 0, 10);
        deepEqual(
          log,
          changes.map((change, index) => ({
            sequence: index + 1,
            recordedAt: beginning,
            ...memoryEntryOf(change),
            author: { subject: "local" },
          })),
        );
        deepEqual(log.map(memoryChangeOf), changes);
      },
    },
    {
      method: "changes",
      name: "begins after the sequence and ends at the limit",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(...Array.from({ length: 700 }, (_, index) => sampleMemory(index + 1)));
        for (const [after, limit, first, count] of [
          [0, 1, 1, 1],
          [5, 3, 6, 3],
          [0, 699, 1, 699],
          [10, 1000, 11, 690],
          [699, 10, 700, 1],
        ] as const) {
          const found = await ledger.changes(tenant, after, limit);
          deepEqual(
            found.map(({ sequence }) => sequence),
            Array.from({ length: count }, (_, index) => first + index),
          );
        }
        for (const [after, limit] of [
          [700, 10],
          [900, 10],
          [0, 0],
        ] as const)
          deepEqual(await ledger.changes(tenant, after, limit), []);
        await expectRefusal(() => ledger.changes(tenant, 0, 10, { signal: AbortSignal.abort() }), "CANCELLED");
      },
    },
    {
      method: "checkEntries",
      name: "reads every entry of every family a stretch at a time, and finds none of them damaged",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(...Array.from({ length: 300 }, (_, index) => sampleMemory(index + 1)));
        await context.commit([written(sampleMemory(1, { version: 2, text: "edited \u00e9\ud83d\ude00" }))]);
        await context.commit([removed(refNumber(1), 3, beginning + 77)]);
        await context.commit(
          [{ type: "embeddingRecorded", ref: refNumber(2), version: 1, space, contentHash: contentHashOf("memory 2") }],
          { embeddings: [sampleEmbedding("memory 2")] },
        );
        await ledger.purge(tenant, { refs: [refNumber(3)] });
        await context.plant({
          family: "weather",
          kind: "rained",
          ref: refNumber(900),
          version: 1,
          payload: { litres: 2 },
        });
        const head = await ledger.head(tenant);
        let checked = 0;
        for (let after: Sequence | undefined = 0; after !== undefined;) {
          const stretch: CheckedEntries = await ledger.checkEntries(tenant, after, 100);
          checked += stretch.checked;
          deepEqual(stretch.damaged, []);
          after = stretch.through;
        }
        equal(checked, head);
        await expectRefusal(() => ledger.checkEntries(tenant, 0, 10, { signal: AbortSignal.abort() }), "CANCELLED");
      },
    },
    {
      method: "checkEntries",
      name: "names the memory whose entry speaks of another one or of another version, and goes on",
      run: async (context) => {
        const { ledger, tenant } = context;
        const planted = (number: number, memory: object): PlantedEntry => ({
          family: memoriesFamily,
          kind: "memoryWritten",
          ref: refNumber(number),
          version: 1,
          payload: { ...sampleMemory(number), ...memory },
        });
        await context.remember(sampleMemory(1));
        await context.plant(
          planted(2, { id: refNumber(3) }),
          planted(3, { version: 2 }),
          planted(4, { text: undefined }),
          planted(5, {}),
        );
        const { checked, damaged } = await ledger.checkEntries(tenant, 0, 10);
        equal(checked, 5);
        deepEqual(
          damaged,
          [2, 3, 4].map((number) => ({
            sequence: number,
            family: memoriesFamily,
            ref: refNumber(number),
            version: 1,
            damage: "content",
          })),
        );
      },
    },
    {
      method: "head",
      name: "is 0 before the first change and then the last sequence",
      run: async (context) => {
        equal(await context.ledger.head(context.tenant), 0);
        await context.remember(sampleMemory(1), sampleMemory(2));
        equal(await context.ledger.head(context.tenant), 2);
      },
    },
    {
      method: "onCommitted",
      name: "tells of each commit that wrote something, until it is stopped",
      run: async (context) => {
        const heard: unknown[] = [];
        const stop = context.ledger.onCommitted((tenant, head, families) => heard.push([tenant, head, families]));
        const idempotency = { method: "m", requestId: "r", bodyHash: "b" };
        await context.commit([written(sampleMemory(1)), written(sampleMemory(2))], { idempotency });
        await context.commit([written(sampleMemory(1)), written(sampleMemory(2))], { idempotency });
        await expectRefusal(() => context.remember(sampleMemory(1)), "VERSION_CONFLICT");
        await context.remember(sampleMemory(3));
        stop();
        await context.remember(sampleMemory(4));
        deepEqual(heard, [
          [context.tenant, 2, ["memories"]],
          [context.tenant, 3, ["memories"]],
        ]);
      },
    },
  ],
};
