import type { DatabaseSync } from "node:sqlite";
import type { Ref } from "@loci/domain";
import type { UsageEntry } from "@loci/ledger";
import { type Command, prepareCommand } from "./query.ts";

/** Adds to the usage counters. */
export class UsageWriter {
  readonly #add: Command;
  readonly #addShown: Command;

  constructor(database: DatabaseSync) {
    this.#add = prepareCommand(
      database,
      `INSERT INTO usage (tenant, ref, access_count, last_accessed_at)
         SELECT tenant, ref, 1, ? FROM memories WHERE tenant = ? AND ref = ?
         ON CONFLICT DO UPDATE SET access_count = access_count + 1,
           last_accessed_at = max(last_accessed_at, excluded.last_accessed_at)`,
    );
    this.#addShown = prepareCommand(
      database,
      `INSERT INTO shown (tenant, ref, count) SELECT tenant, ref, 1 FROM memories WHERE tenant = ? AND ref = ?
         ON CONFLICT DO UPDATE SET count = count + 1`,
    );
  }

  /** Refs that do not exist are passed over. */
  record(tenant: number, entries: readonly UsageEntry[]): void {
    for (const { ref, at } of entries) this.#add.run(at, tenant, ref);
  }

  /** The same. */
  recordShown(tenant: number, refs: readonly Ref[]): void {
    for (const ref of refs) this.#addShown.run(tenant, ref);
  }
}
