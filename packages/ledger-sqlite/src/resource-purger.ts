import type { DatabaseSync } from "node:sqlite";
import type { Instant, Ref, Version } from "@loci/domain";
import { resourcePurged } from "@loci/ledger";
import { type Command, prepareCommand, prepareQuery, type Query } from "./query.ts";

/** Removes resources for good, inside the transaction that is open. */
export class ResourcePurger {
  readonly #current: Query<{ family: string; version: Version; is_removed: number }>;
  readonly #emptyEntries: Command;
  readonly #append: Command;
  readonly #remove: Command;
  readonly #removeCheckpoints: Command;

  constructor(database: DatabaseSync) {
    this.#current = prepareQuery(
      database,
      "SELECT family, version, state IS NULL AS is_removed FROM resources WHERE tenant = ? AND ref = ?",
    );
    this.#emptyEntries = prepareCommand(
      database,
      `UPDATE changes INDEXED BY changes_of_resource
         SET type = '${resourcePurged}', record = NULL, subject = NULL, activity = NULL, reason = NULL
         WHERE tenant = ? AND ref = ? AND family = ? AND family <> 'memories'`,
    );
    this.#append = prepareCommand(
      database,
      `INSERT INTO changes (tenant, sequence, recorded_at, family, type, ref, version, content_hash)
         VALUES (?, ?, ?, ?, '${resourcePurged}', ?, ?, '')`,
    );
    this.#removeCheckpoints = prepareCommand(database, "DELETE FROM checkpoints WHERE tenant = ? AND ref = ?");
    this.#remove = prepareCommand(database, "DELETE FROM resources WHERE tenant = ? AND ref = ?");
  }

  /** @param next of the entry that is appended @returns whether there was one, and whether an entry was appended */
  purge(
    tenant: number,
    ref: Ref,
    next: { readonly sequence: number; readonly recordedAt: Instant },
  ): { readonly isPurged: boolean; readonly isAppended: boolean } {
    const current = this.#current.get(tenant, ref);
    if (current === undefined) return { isPurged: false, isAppended: false };
    const { family, version, is_removed: isRemoved } = current;
    this.#emptyEntries.run(tenant, ref, family);
    const isAppended = isRemoved === 0;
    if (isAppended) this.#append.run(tenant, next.sequence, next.recordedAt, family, ref, version + 1);
    this.#removeCheckpoints.run(tenant, ref);
    this.#remove.run(tenant, ref);
    return { isPurged: true, isAppended };
  }
}
