import type { DatabaseSync } from "node:sqlite";
import type { MemoryUsage, Ref } from "@loci/domain";
import type { UsageEntry } from "@loci/ledger";
import { usageOf, type VersionRow } from "@loci/ledger/sql";
import { type Command, prepareCommand, prepareQuery, type Query } from "./query.ts";

/** Adds to the usage counters. */
export class UsageWriter {
  readonly #add: Query<Pick<VersionRow, "access_count" | "last_accessed_at">>;
  readonly #addShown: Command;

  constructor(database: DatabaseSync) {
    this.#add = prepareQuery(
      database,
      `INSERT INTO usage (tenant, ref, access_count, last_accessed_at)
         SELECT tenant, ref, 1, ? FROM memories WHERE tenant = ? AND ref = ?
         ON CONFLICT DO UPDATE SET access_count = access_count + 1,
           last_accessed_at = max(last_accessed_at, excluded.last_accessed_at)
         RETURNING access_count, last_accessed_at`,
    );
    this.#addShown = prepareCommand(
      database,
      `INSERT INTO shown (tenant, ref, count) SELECT tenant, ref, 1 FROM memories WHERE tenant = ? AND ref = ?
         ON CONFLICT DO UPDATE SET count = count + 1`,
    );
  }

  /**
   * Refs that do not exist are passed over.
   *
   * @returns the usage that the others have now
   */
  record(tenant: number, entries: readonly UsageEntry[]): ReadonlyMap<Ref, MemoryUsage> {
    const used = new Map<Ref, MemoryUsage>();
    for (const { ref, at } of entries) {
      const row = this.#add.get(at, tenant, ref);
      if (row !== undefined) used.set(ref, usageOf(row));
    }
    return used;
  }

  /** Refs that do not exist are passed over. */
  recordShown(tenant: number, refs: readonly Ref[]): void {
    for (const ref of refs) this.#addShown.run(tenant, ref);
  }
}
