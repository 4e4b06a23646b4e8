import { deepEqual, equal } from "node:assert/strict";
import { type Scope, type TenantId } from "@loci/domain";
import { memoriesFamily, memoryChangeOf } from "../index.ts";
import { type LedgerCaseFile, type LedgerContext, type PlantedEntry, refsOf } from "./ledger-context.ts";
import { beginning, refNumber, removed, sampleMemory, written } from "./samples.ts";

const memoriesOnly = { families: [memoriesFamily] };
const alice: Scope = { kind: "user", id: "alice" };

/** A turn of a session, of which this version knows nothing. */
function turn(number: number): PlantedEntry {
  const payload = { role: "user", content: `turn ${number}`, parts: [1, null, { é: "\u{1f600}" }] };
  return { family: "sessions", kind: "turnAppended", ref: refNumber(9_000 + number), version: number, payload };
}

/** What a later version may say of a memory. */
const unknownKind: PlantedEntry = {
  family: memoriesFamily,
  kind: "memoryBlessed",
  ref: refNumber(1),
  version: 1,
  payload: { by: "somebody" },
};

/** Memory 1 at 1, two turns, memory 2 at 4, something unknown of memory 1, a turn, memory 2 removed at 7, a turn. */
async function fill(context: LedgerContext): Promise<void> {
  await context.remember(sampleMemory(1));
  await context.plant(turn(1), turn(2));
  await context.remember(sampleMemory(2));
  await context.plant(unknownKind, turn(3));
  await context.commit([removed(refNumber(2), 2)]);
  await context.plant(turn(4));
}

/** Several families in one log, and versions that do not know all of it. */
export const familyCases: LedgerCaseFile = {
  covers: ["changes", "commit", "head", "memories", "pending", "purge"],
  cases: [
    {
      method: "changes",
      name: "gives entries of families and kinds that nobody here knows as they were written",
      run: async (context) => {
        const { ledger, tenant } = context;
        await fill(context);
        const log = await ledger.changes(tenant, 0, 100);
        deepEqual(
          log.map(({ sequence }) => sequence),
          [1, 2, 3, 4, 5, 6, 7, 8],
        );
        const { recordedAt } = log[1] ?? { recordedAt: -1 };
        deepEqual(log[1], { sequence: 2, recordedAt, ...turn(1) });
        deepEqual(log[4], { sequence: 5, recordedAt: log[4]?.recordedAt, ...unknownKind });
        deepEqual(
          log.map((entry) => memoryChangeOf(entry)?.type),
          ["memoryWritten", undefined, undefined, "memoryWritten", undefined, undefined, "memoryRemoved", undefined],
        );
      },
    },
    {
      method: "changes",
      name: "reads some families as if there were no others",
      run: async (context) => {
        const { ledger, tenant } = context;
        await fill(context);
        const read = async (families: readonly string[], after: number, limit: number): Promise<readonly number[]> =>
          (await ledger.changes(tenant, after, limit, { families })).map(({ sequence }) => sequence);
        deepEqual(await read([memoriesFamily], 0, 100), [1, 4, 5, 7]);
        deepEqual(await read([memoriesFamily], 1, 2), [4, 5]);
        deepEqual(await read([memoriesFamily], 7, 100), []);
        deepEqual(await read(["sessions"], 2, 100), [3, 6, 8]);
        deepEqual(await read(["sessions", memoriesFamily], 1, 5), [2, 3, 4, 5, 6]);
        deepEqual(await read(["nobody's"], 0, 100), []);
        deepEqual(await read([], 0, 100), []);
      },
    },
    {
      method: "changes",
      name: "of one family begins after the sequence and ends at the limit, however much the others have written",
      run: async (context) => {
        const { ledger, tenant } = context;
        for (let part = 0; part < 3; part++) {
          await context.remember(...Array.from({ length: 300 }, (_, index) => sampleMemory(part * 300 + index + 1)));
          await context.plant(...Array.from({ length: 900 }, (_, index) => turn(part * 900 + index + 1)));
        }
        const found = await ledger.changes(tenant, 10, 800, memoriesOnly);
        equal(found.length, 800);
        deepEqual(
          found.map(({ ref }) => ref),
          Array.from({ length: 800 }, (_, index) => refNumber(index + 11)),
        );
        equal((await ledger.changes(tenant, 10, 9_000, memoriesOnly)).length, 890);
        equal((await ledger.changes(tenant, 0, 9_000)).length, 3_600);
      },
    },
    {
      method: "head",
      name: "of some families is their last entry's",
      run: async (context) => {
        const { ledger, tenant } = context;
        equal(await ledger.head(tenant, memoriesOnly), 0);
        await fill(context);
        equal(await ledger.head(tenant), 8);
        equal(await ledger.head(tenant, memoriesOnly), 7);
        equal(await ledger.head(tenant, { families: [memoriesFamily, "sessions"] }), 8);
        equal(await ledger.head(tenant, { families: ["nobody's"] }), 0);
        equal(await ledger.head(`${tenant} ` as TenantId, memoriesOnly), 0);
      },
    },
    {
      method: "pending",
      name: "names no tenant in which only other families have gone on",
      run: async (context) => {
        const { ledger, tenant } = context;
        await fill(context);
        const lease = await ledger.lease(tenant, "of memories");
        const pending = async (): Promise<unknown> =>
          (await ledger.pending("of memories", memoriesOnly)).find((found) => found.tenant === tenant);
        deepEqual(await pending(), { tenant, head: 7, acknowledged: 0 });
        await lease?.acknowledge(7);
        equal(await pending(), undefined);
        const all = await ledger.pending("of memories");
        deepEqual(
          all.find((found) => found.tenant === tenant),
          { tenant, head: 8, acknowledged: 7 },
        );
        await context.remember(sampleMemory(3));
        deepEqual(await pending(), { tenant, head: 9, acknowledged: 7 });
      },
    },
    {
      method: "memories",
      name: "and every other read know nothing of other families",
      run: async (context) => {
        const { ledger, tenant } = context;
        await fill(context);
        const query = { scopes: [alice] as const, evaluationTime: beginning, limit: 100 };
        const memories = await ledger.memories(tenant, [1, 2, 9_001].map(refNumber));
        deepEqual([...memories.keys()].toSorted(), [1, 2].map(refNumber));
        deepEqual(
          (await ledger.versions(tenant, refNumber(1))).map(({ memory }) => memory.version),
          [1],
        );
        deepEqual(await ledger.versions(tenant, refNumber(9_001)), []);
        deepEqual(refsOf(await ledger.list(tenant, query)), [refNumber(1)]);
        const known = await ledger.asKnownAt(tenant, { ...query, knownAt: beginning + 1_000_000_000_000 });
        deepEqual(refsOf(known), [refNumber(1)]);
        deepEqual(refsOf(await ledger.scan(tenant, { limit: 100 })), [1, 2].map(refNumber));
        equal(await ledger.count(tenant), 2);
      },
    },
    {
      method: "commit",
      name: "goes on behind entries of other families, and may use a ref that they use",
      run: async (context) => {
        await fill(context);
        const committed = await context.commit([
          written(sampleMemory(9_001)),
          written(sampleMemory(1, { version: 2 })),
        ]);
        equal(committed.sequence, 10);
        equal((await context.memory(refNumber(9_001))).sequence, 9);
        deepEqual(
          (await context.ledger.changes(context.tenant, 7, 10, memoriesOnly)).map(({ sequence }) => sequence),
          [9, 10],
        );
      },
    },
    {
      method: "purge",
      name: "of memories leaves the entries of other families",
      run: async (context) => {
        const { ledger, tenant } = context;
        await fill(context);
        await context.plant({ ...turn(5), ref: refNumber(1) });
        const others = await ledger.changes(tenant, 0, 100, { families: ["sessions"] });
        await ledger.purge(tenant, { refs: [1, 2].map(refNumber) });
        deepEqual(await ledger.changes(tenant, 0, 100, { families: ["sessions"] }), others);
        const left = await ledger.changes(tenant, 0, 100, memoriesOnly);
        deepEqual(
          left.map(({ kind }) => kind),
          ["memoryRemoved", "memoryRemoved", "memoryRemoved", "memoryRemoved", "memoryRemoved"],
        );
        equal(JSON.stringify(left).includes("somebody"), false);
      },
    },
  ],
};
