import type { Ref, TenantId } from "@loci/domain";
import {
  resourcePurged,
  type ResourceEntriesQuery,
  type ResourceTable,
  type ScanQuery,
  type StoredResource,
} from "@loci/ledger";
import { type EntryRow, logEntryOf, type ResourceRow, storedResourceOf } from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import type { LedgerKeys } from "./encryption/ledger-keys.ts";
import { scopeColumns } from "./memory-reader.ts";
import { type Statement, statement } from "./statement.ts";

const columns =
  "r.ref, r.family, r.scope_kind, r.scope_id, r.belongs_to, r.version, r.sequence, r.recorded_at, r.state";

const current: Statement<ResourceRow> = statement(
  `SELECT ${columns} FROM resources AS r WHERE r.tenant = $1 AND r.family = $2 AND r.ref = ANY ($3::text[])`,
);

/** Of each scope as many as are wanted at all: so that each is read along its part of the index. */
const ofScopes: Statement<ResourceRow> = statement(
  `SELECT r.* FROM unnest($5::text[], $6::text[]) AS wanted (kind, id) CROSS JOIN LATERAL (
       SELECT ${columns} FROM resources AS r WHERE r.tenant = $1 AND r.scope_kind = wanted.kind AND r.scope_id = wanted.id
         AND r.family = $2 AND r.ref > $3 AND r.state IS NOT NULL ORDER BY r.ref LIMIT $4
     ) AS r ORDER BY r.ref LIMIT $4`,
);

const ofGroup: Statement<ResourceRow> = statement(
  `SELECT ${columns} FROM resources AS r WHERE r.tenant = $1 AND r.family = $2 AND r.belongs_to = $5 AND r.belongs_to <> ''
     AND r.ref > $3 AND r.state IS NOT NULL ORDER BY r.ref LIMIT $4`,
);

const fromGroup: Statement<ResourceRow> = statement(
  `SELECT ${columns} FROM resources AS r WHERE r.tenant = $1 AND r.family = $2 AND r.belongs_to <> ''
     AND (r.belongs_to, r.ref) > ($5, $3) AND r.state IS NOT NULL ORDER BY r.belongs_to, r.ref LIMIT $4`,
);

function entriesInOrder(order: "ASC" | "DESC"): Statement<EntryRow> {
  return statement(
    `SELECT sequence, recorded_at, family, type, ref, version, subject, activity, reason, content_hash, record,
         NULL::text AS space
       FROM changes WHERE tenant = $1 AND ref = $2 AND family = $3 AND family <> 'memories' AND version > $4 AND version < $5
         AND type <> '${resourcePurged}'
       ORDER BY version ${order} LIMIT $6`,
  );
}

const entries: Readonly<Record<ResourceEntriesQuery["order"], Statement<EntryRow>>> = {
  oldestFirst: entriesInOrder("ASC"),
  newestFirst: entriesInOrder("DESC"),
};

const allRefs: Statement<{ readonly ref: Ref }> = statement(
  "SELECT ref FROM resources WHERE tenant = $1 AND ref > $2 ORDER BY ref LIMIT $3",
);

const refsOfScopes: Statement<{ readonly ref: Ref }> = statement(
  `SELECT ref FROM resources WHERE tenant = $1 AND ref > $2
     AND (scope_kind, scope_id) IN (SELECT * FROM unnest($4::text[], $5::text[])) ORDER BY ref LIMIT $3`,
);

/** No version is as large. */
const noVersion = 2_147_483_647;

/** Reads resources of families without tables of their own, and what happened to them. */
export function resourceTable(connections: Connections, keys: LedgerKeys): ResourceTable {
  return {
    get: async (tenant, family, refs, call) => {
      if (refs.length === 0) return new Map<Ref, StoredResource>();
      const rows = await connections.read({ tenant }, current, [tenant, family, refs], call);
      return new Map(rows.map((row) => [row.ref, storedResourceOf(keys.state(tenant, row))]));
    },
    list: async (tenant, query, call) => {
      const values = [tenant, query.family, query.after ?? "", query.limit];
      const [wanted, more] =
        "group" in query
          ? [ofGroup, [query.group]]
          : "scopes" in query
            ? [ofScopes, scopeColumns(query.scopes)]
            : [fromGroup, [query.fromGroup]];
      const rows = await connections.read({ tenant }, wanted, [...values, ...more], call);
      return rows.map((row) => storedResourceOf(keys.state(tenant, row)));
    },
    entries: async (tenant, { family, ref, after = 0, before = noVersion, order, limit }, call) => {
      const values = [tenant, ref, family, after, Math.min(before, noVersion), limit];
      const rows = await connections.read({ tenant }, entries[order], values, call);
      return rows.map((row) => logEntryOf(keys.entry(tenant, row)));
    },
  };
}

/** Refs of every family, tombstones included, in their order. */
export async function resourceRefs(
  connections: Connections,
  tenant: TenantId,
  { after = "" as Ref, limit, scopes }: ScanQuery,
): Promise<readonly Ref[]> {
  const values = [tenant, after, limit];
  const rows = await (scopes === undefined
    ? connections.read({ tenant }, allRefs, values)
    : connections.read({ tenant }, refsOfScopes, [...values, ...scopeColumns(scopes)]));
  return rows.map(({ ref }) => ref);
}
