import type { DatabaseSync } from "node:sqlite";
import type { Ref, Scope, TenantId, Version } from "@loci/domain";
import { type CommitPlan, type KnownResource, type LedgerSealing, sealState } from "@loci/ledger/sql";
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
  readonly #sealing: LedgerSealing;
  readonly #current: Query<CurrentRow>;
  readonly #purged: Query<{ purged_at: number }>;
  readonly #put: Command;
  readonly #removeCheckpoints: Command;

  constructor(database: DatabaseSync, names: InternedNames, sealing: LedgerSealing) {
    this.#names = names;
    this.#sealing = sealing;
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
    this.#removeCheckpoints = prepareCommand(database, "DELETE FROM checkpoints WHERE tenant = ? AND ref = ?");
  }

  /** What is known of a resource; `undefined` when it never was. */
  known(tenant: number, ref: Ref): KnownResource | undefined {
    const row = this.#current.get(tenant, ref);
    if (row === undefined) return this.#purged.get(tenant, ref) === undefined ? undefined : purged;
    const { family, version, kind, name, belongs_to: group, is_removed: isRemoved } = row;
    const scope: Scope = kind === "global" ? { kind } : { kind, id: name };
    return { family, version, scope, group, isRemoved: isRemoved === 1, isPurged: false };
  }

  write(tenant: number, name: TenantId, { recordedAt, resources }: Pick<CommitPlan, "recordedAt" | "resources">): void {
    for (const { ref, family, scope, group, version, sequence, state: plain } of resources) {
      const state = sealState(this.#sealing.fields, name, { ref, version }, plain);
      if (state === null) this.#removeCheckpoints.run(tenant, ref);
      this.#put.run(tenant, ref, family, this.#names.scope(tenant, scope), group, version, sequence, recordedAt, state);
    }
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
