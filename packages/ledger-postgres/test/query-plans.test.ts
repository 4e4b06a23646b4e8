import { memoryStates, type Scope } from "@loci/domain";
import type { Ledger, RefsQuery } from "@loci/ledger";
import { missingNativePostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { Connections } from "../src/connections.ts";
import { execute, openLedgerDatabase } from "./open-database.ts";
import { batchOf, hashOfMemory, refNumber, sampleMemory, space, tenant, written } from "./samples.ts";

const scopes: [Scope] = [{ kind: "user", id: "alice" }];
/** A scope that holds little of what there is. */
const bob: Scope = { kind: "user", id: "bob" };
const few: Omit<RefsQuery, "order"> = { kinds: [], scopes: [bob], states: ["active"], evaluationTime: 0, limit: 1_000 };
const query = { scopes, evaluationTime: 0, limit: 20 };

const reads: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
  memories: (ledger) => ledger.memories(tenant, [1, 2, 3].map(refNumber)),
  versions: (ledger) => ledger.versions(tenant, refNumber(1)),
  changes: (ledger) => ledger.changes(tenant, 100, 20),
  "changes, of one family": (ledger) => ledger.changes(tenant, 100, 20, { families: ["memories"] }),
  head: (ledger) => ledger.head(tenant),
  "head, of one family": (ledger) => ledger.head(tenant, { families: ["memories"] }),
  decisions: (ledger) => ledger.decisions(tenant, "expire", [1, 2, 3].map(refNumber)),
  list: (ledger) => ledger.list(tenant, query),
  "list, the next page": (ledger) => ledger.list(tenant, { ...query, after: { createdAt: 99, ref: refNumber(99) } }),
  "list, what held": (ledger) => ledger.list(tenant, { ...query, validAt: 0 }),
  "list, what is not active": (ledger) => ledger.list(tenant, { ...query, states: ["deleted"] }),
  "list, in every state": (ledger) => ledger.list(tenant, { ...query, states: memoryStates, validAt: 0 }),
  byTags: (ledger) => ledger.byTags(tenant, { ...query, tags: ["tag"] }),
  tags: (ledger) => ledger.tags(tenant, { scopes, category: "fact" }),
  atPositions: (ledger) => ledger.atPositions(tenant, scopes, [{ sourceId: "source-1", position: 7 }]),
  withNeighbours: (ledger) => ledger.withNeighbours?.(tenant, scopes, [7, 9].map(refNumber)) ?? Promise.resolve(),
  bySlots: (ledger) => ledger.bySlots(tenant, { scopes, slots: ["theme"], limitOfEach: 9 }),
  byTexts: (ledger) => ledger.byTexts(tenant, { scope: scopes[0], texts: ["memory 7"], limitOfEach: 9 }),
  byKeys: (ledger) => ledger.byKeys(tenant, { scope: scopes[0], keys: ["key 7", "key 9"] }),
  lastPosition: (ledger) => ledger.lastPosition(tenant, { kind: "user", id: "alice" }, "source-1"),
  refs: (ledger) => ledger.refs(tenant, { ...few, order: "created" }),
  "refs, by use": (ledger) => ledger.refs(tenant, { ...few, order: "uses" }),
  scan: (ledger) => ledger.scan(tenant, { limit: 20 }),
  embeddings: (ledger) => ledger.embeddings(tenant, space, [hashOfMemory(1)]),
  embedded: (ledger) => ledger.embedded(tenant, space, [hashOfMemory(1)]),
};

// A condition that row-level security keeps from an index would read every tenant's rows.
test.skipIf(missingNativePostgres() !== undefined)("no read of a few rows reads a whole table", async () => {
  await using database = await openLedgerDatabase("native");
  const ledger = await database.open({ listen: false });
  const memories = Array.from({ length: 5_000 }, (_, index) =>
    sampleMemory(index + 1, {
      key: `key ${index}`,
      slot: `slot ${index % 1_000}`,
      provenance: { sourceId: `source-${index % 100}`, kind: "conversation", position: Math.floor(index / 100) },
    }),
  );
  memories.push(...Array.from({ length: 20 }, (_, index) => sampleMemory(5_001 + index, { scope: bob })));
  const embeddings = memories.map((_, index) => ({
    space,
    contentHash: hashOfMemory(index + 1),
    vectors: [Float32Array.of(index)] as [Float32Array],
  }));
  const decisions = memories.map(({ id: ref }) => ({ ref, reason: "OFTEN_USED", details: {} }));
  await ledger.commit(batchOf([], { changes: memories.map(written), embeddings, decisions }));
  await execute(database.superuser, "ANALYZE");
  const service = new Client({ connectionString: database.service });
  await service.connect();
  await service.query("BEGIN");
  await service.query("SELECT set_config('search_path', 'loci', true), set_config('loci.tenant', $1, true)", [tenant]);

  const read = vi.spyOn(Connections.prototype, "read");
  const alone = vi.spyOn(Connections.prototype, "readAlone");
  const wholeTables: string[] = [];
  for (const [name, run] of Object.entries(reads)) {
    read.mockClear();
    alone.mockClear();
    await run(ledger);
    const [, statement, values] = read.mock.calls[0] ?? alone.mock.calls[0] ?? [];
    if (statement === undefined) throw new Error(`${name} reads nothing`);
    // For its values, and for whatever values there are, as a connection comes to plan it.
    const plans = [
      [`EXPLAIN ${statement.text}`, [...(values ?? [])]],
      [`EXPLAIN (GENERIC_PLAN) ${statement.text}`, []],
    ] as const;
    for (const [text, own] of plans) {
      const { rows } = await service.query<{ "QUERY PLAN": string }>(text, [...own]);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      const places = [...plan.matchAll(/Index Scan using memories_by_position.*\n\s+Index Cond: (.*)/gu)];
      // Without the scope, with which it begins, an index is read whole.
      const isWhole = places.some(([, condition]) => condition?.includes("scope_kind") !== true);
      if (isWhole || /Seq Scan on (changes|memories|tags|embeddings|decisions)/.test(plan))
        wholeTables.push(`${name}\n${plan}`);
    }
  }
  read.mockRestore();
  await service.query("ROLLBACK");
  await service.end();
  await ledger.close();
  expect(wholeTables).toEqual([]);
});
