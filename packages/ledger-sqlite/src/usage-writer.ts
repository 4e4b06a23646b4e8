import type { DatabaseSync } from "node:sqlite";
import type { UsageEntry } from "@loci/ledger";
import { type Command, prepareCommand } from "./query.ts";

/** Adds to the usage counters. */
export class UsageWriter {
  readonly #add: Command;

  constructor(database: DatabaseSync) {
    this.#add = prepareCommand(
      database,
      `INSERT INTO usage (tenant, ref, access_count, last_accessed_at)
         SELECT tenant, ref, 1, ? FROM memories WHERE tenant = ? AND ref = ?
         ON CONFLICT DO UPDATE SET access_count = access_count + 1,
           last_accessed_at = max(last_accessed_at, excluded.last_accessed_at)`,
    );
  }

  /** Refs that do not exist are passed over. */
  record(tenant: number, entries: readonly UsageEntry[]): void {
    for (const { ref, at } of entries) this.#add.run(at, tenant, ref);
  }
}
