import type { Instant, Ref, Scope, TenantId, Version } from "@loci/domain";
import { type FieldSealing, type KnownResource, type PlannedResource, sealState } from "@loci/ledger/sql";
import { scopeColumns } from "./memory-reader.ts";
import { type Statement, statement } from "./statement.ts";

export interface KnownResourceRow {
  readonly ref: Ref;
  readonly family: string | null;
  readonly version: Version | null;
  readonly scope_kind: Scope["kind"];
  readonly scope_id: string;
  readonly belongs_to: string;
  readonly is_removed: boolean;
}

/** Those that are there, and those that were purged. */
export const loadResources: Statement<KnownResourceRow> = statement(
  `SELECT wanted.ref, r.family, r.version, r.scope_kind, r.scope_id, r.belongs_to, r.state IS NULL AS is_removed
     FROM unnest($2::text[]) AS wanted (ref)
     LEFT JOIN resources AS r ON r.tenant = $1 AND r.ref = wanted.ref
     LEFT JOIN purged AS p ON p.tenant = $1 AND p.ref = wanted.ref
     WHERE r.ref IS NOT NULL OR p.ref IS NOT NULL`,
);

export function knownResourceOf(row: KnownResourceRow): KnownResource {
  const { family, version, scope_kind: kind, scope_id: id, belongs_to: group, is_removed: isRemoved } = row;
  if (family === null || version === null)
    return { family: "", version: 0, scope: { kind: "global" }, group: "", isRemoved: true, isPurged: true };
  return { family, version, scope: kind === "global" ? { kind } : { kind, id }, group, isRemoved, isPurged: false };
}

export const putResources: Statement<unknown> = statement(
  `INSERT INTO resources (tenant, recorded_at, ref, family, scope_kind, scope_id, belongs_to, version, sequence, state)
     SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[], $9::bigint[],
       $10::text[])
     ON CONFLICT (tenant, ref) DO UPDATE SET scope_kind = excluded.scope_kind, scope_id = excluded.scope_id,
       belongs_to = excluded.belongs_to, version = excluded.version, sequence = excluded.sequence,
       recorded_at = excluded.recorded_at, state = excluded.state`,
);

/** Of resources that are removed. Behind their change: whoever adds one waits for it, and then adds none. */
export const removeCheckpoints: Statement<unknown> = statement(
  "DELETE FROM checkpoints WHERE tenant = $1 AND ref = ANY ($2::text[])",
);

/** The values of {@link putResources} behind the tenant. */
export function resourceValues(
  sealing: FieldSealing,
  tenant: TenantId,
  recordedAt: Instant,
  resources: readonly PlannedResource[],
): readonly unknown[] {
  return [
    recordedAt,
    resources.map(({ ref }) => ref),
    resources.map(({ family }) => family),
    ...scopeColumns(resources.map(({ scope }) => scope)),
    resources.map(({ group }) => group),
    resources.map(({ version }) => version),
    resources.map(({ sequence }) => sequence),
    resources.map(({ ref, version, state }) => sealState(sealing, tenant, { ref, version }, state)),
  ];
}
