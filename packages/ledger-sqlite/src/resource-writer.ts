import type { DatabaseSync } from "node:sqlite";
import type { Instant, Ref, Scope, Version } from "@loci/domain";
import { resourcePurged } from "@loci/ledger";
import type { CommitPlan, KnownResource } from "@loci/ledger/sql";
import type { InternedNames } from "./interned-names.ts";
import { type Command, prepareCommand, prepareQuery, type Query } from "./query.ts";

interface CurrentRow {
  readonly family: string;
  readonly version: Version;
  readonly kind: Scope["kind"];
  readonly name: string;
  readonly belongs_to: string;
  readonly is_removed: number;
}

/** Keeps resources of families without tables of their own in step with the log. */
export class ResourceWriter {
  readonly #names: InternedNames;
  readonly #current: Query<CurrentRow>;
  readonly #purged: Query<{ purged_at: number }>;
  readonly #put: Command;

  constructor(database: DatabaseSync, names: InternedNames) {
    this.#names = names;
    this.#current = prepareQuery(
      database,
      `SELECT r.family, r.version, s.kind, s.name, r.belongs_to, r.state IS NULL AS is_removed
         FROM resources AS r CROSS JOIN scopes AS s ON s.id = r.scope WHERE r.tenant = ? AND r.ref = ?`,
    );
    this.#purged = prepareQuery(database, "SELECT purged_at FROM purged WHERE tenant = ? AND ref = ?");
    this.#put = prepareCommand(
      database,
      `INSERT INTO resources (tenant, ref, family, scope, belongs_to, version, sequence, recorded_at, state)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (tenant, ref) DO UPDATE SET scope = excluded.scope, belongs_to = excluded.belongs_to,
           version = excluded.version, sequence = excluded.sequence, recorded_at = excluded.recorded_at,
           state = excluded.state`,
    );
  }

  /** What is known of a resource; `undefined` when it never was. */
  known(tenant: number, ref: Ref): KnownResource | undefined {
    const row = this.#current.get(tenant, ref);
    if (row === undefined) return this.#purged.get(tenant, ref) === undefined ? undefined : purged;
    const { family, version, kind, name, belongs_to: group, is_removed: isRemoved } = row;
    const scope: Scope = kind === "global" ? { kind } : { kind, id: name };
    return { family, version, scope, group, isRemoved: isRemoved === 1, isPurged: false };
  }

  write(tenant: number, { recordedAt, resources }: Pick<CommitPlan, "recordedAt" | "resources">): void {
    for (const { ref, family, scope, group, version, sequence, state } of resources)
      this.#put.run(tenant, ref, family, this.#names.scope(tenant, scope), group, version, sequence, recordedAt, state);
  }
}

const purged: KnownResource = {
  family: "",
  version: 0,
  scope: { kind: "global" },
  group: "",
  isRemoved: true,
  isPurged: true,
};

/** Removes resources for good, inside the transaction that is open. */
export class ResourcePurger {
  readonly #current: Query<{ family: string; version: Version; is_removed: number }>;
  readonly #emptyEntries: Command;
  readonly #append: Command;
  readonly #remove: Command;

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
    this.#remove.run(tenant, ref);
    return { isPurged: true, isAppended };
  }
}
