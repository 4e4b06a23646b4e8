import { scopeKinds } from "@loci/domain";
import type { ScopesQuery } from "@loci/ledger";
import { missingNativePostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { Connections } from "../src/connections.ts";
import { execute, openLedgerDatabase } from "./open-database.ts";
import { batchOf, sampleMemory, tenant, written } from "./samples.ts";

// Row-level security must not keep the conditions from the index either.
test.skipIf(missingNativePostgres() !== undefined)(
  "scopes are counted in an index, and no memory is read",
  async () => {
    await using database = await openLedgerDatabase("native");
    const ledger = await database.open({ listen: false });
    const memories = Array.from({ length: 4_000 }, (_, index) =>
      sampleMemory(index + 1, { scope: { kind: "user", id: `user-${index % 200}` } }),
    );
    await ledger.commit(batchOf([], { changes: memories.map(written) }));
    await execute(database.superuser, "VACUUM ANALYZE");
    const service = new Client({ connectionString: database.service });
    await service.connect();
    await service.query("BEGIN");
    await service.query("SELECT set_config('search_path', 'loci', true), set_config('loci.tenant', $1, true)", [
      tenant,
    ]);

    const calls = vi.spyOn(Connections.prototype, "read");
    const queries: readonly ScopesQuery[] = [
      { kinds: scopeKinds, scopes: [], limit: 50 },
      { kinds: [], scopes: [{ kind: "user", id: "user-7" }], limit: 50 },
    ];
    for (const query of queries) await ledger.scopes(tenant, query);
    const statements = calls.mock.calls.map(([, statement, values]) => ({ text: statement.text, values }));
    calls.mockRestore();
    expect(statements.length).toBe(scopeKinds.length + 1);
    for (const { text, values } of statements) {
      const { rows } = await service.query<{ "QUERY PLAN": string }>(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`, [
        ...values,
      ]);
      const plan = rows.map((row) => row["QUERY PLAN"]);
      const reading = plan.filter((line) => /\bon memories\b/.test(line));
      const read = reading.map((line) => {
        const [found = 0, loops = 0] = /rows=([\d.]+) loops=(\d+)\)$/.exec(line)?.slice(1).map(Number) ?? [];
        return { isIndexOnly: line.includes("Index Only Scan using memories_"), entries: found * loops };
      });
      // Of 200 scopes with 20 memories each no more than 50 are counted.
      const wasteful = read.filter(({ isIndexOnly, entries }) => !isIndexOnly || entries > 50 * 20);
      expect({ plan, isRead: read.length > 0, wasteful }).toEqual({ plan, isRead: true, wasteful: [] });
    }
    await service.query("ROLLBACK");
    await service.end();
    await ledger.close();
  },
);
