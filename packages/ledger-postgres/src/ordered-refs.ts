import { setImmediate } from "node:timers/promises";
import {
  type CallOptions,
  CallSignal,
  type MemoryOrder,
  type NonEmpty,
  packedIdBytes,
  type Scope,
  type TenantId,
} from "@loci/domain";
import { type ListQuery, type RefsQuery, type StoredMemory, tooManyMemories } from "@loci/ledger";
import { GatheredRefs, orderKeyOf, storedMemoryOf, type VersionRow, wantedMemory } from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import type { LedgerKeys } from "./encryption/ledger-keys.ts";
import { joinVersions, scopeColumns, versionColumns } from "./memory-reader.ts";
import { mayBeGiven, type ScopeReader } from "./scope-reader.ts";
import { type Statement, statement } from "./statement.ts";

/** So many ids are a row of the answer: each row is decoded by itself. */
const idsInRow = 32_768;
/** So many versions are read at once where each is asked whether it suits. */
const versionsAtOnce = 512;

const joinVersion = "JOIN changes AS c ON c.tenant = $1 AND c.sequence = m.sequence";
const joinUsage = "LEFT JOIN usage AS u ON u.tenant = $1 AND u.ref = m.ref";

const keys: Readonly<Record<MemoryOrder, { readonly key: string; readonly join: string }>> = {
  created: { key: "m.created_at", join: "" },
  updated: { key: "(c.record::json ->> 'updatedAt')::bigint", join: joinVersion },
  used: { key: "u.last_accessed_at", join: joinUsage },
  uses: { key: "coalesce(u.access_count, 0)", join: joinUsage },
  importance: { key: "(c.record::json ->> 'importance')::float8", join: joinVersion },
};

/** How a query looks for memories: another plan is good for each. */
interface Ways {
  /** Scopes of whole kinds, too: the tenant's memories are read, rather than an index for each scope. */
  readonly isByKind: boolean;
  readonly isActiveOnly: boolean;
}

/** $2: kinds; $3, $4: other scopes; $5: states; $6: categories; $7: evaluation time; $8: with unapproved tombstones. */
function found({ isByKind, isActiveOnly }: Ways, join: string): string {
  const scopes = "unnest($3::text[], $4::text[]) AS scope (kind, id)";
  const isInScope = "m.scope_kind = scope.kind AND m.scope_id = scope.id";
  const where = [
    "m.tenant = $1",
    isByKind
      ? `(m.scope_kind = ANY ($2::text[]) OR EXISTS (SELECT 1 FROM ${scopes} WHERE ${isInScope}))`
      : `${isInScope} AND cardinality($2::text[]) = 0`,
    // Said twice, so that the index of active memories may be used.
    isActiveOnly ? "m.state = 'active'" : "true",
    "m.state = ANY ($5::text[])",
    "($6::text[] IS NULL OR m.category = ANY ($6))",
    "(m.expires_at IS NULL OR m.expires_at > $7::bigint)",
    mayBeGiven("$8"),
  ];
  return `FROM ${isByKind ? "" : `${scopes} JOIN`} memories AS m ${isByKind ? "" : `ON ${isInScope}`} ${join} WHERE ${where.join(" AND ")}`;
}

/** $9: most ids that are wanted. */
function inOrder(ways: Ways, order: MemoryOrder): Statement<{ readonly packed: Uint8Array }> {
  const { key, join } = keys[order];
  return statement(
    `SELECT string_agg(decode(replace(f.ref, '-', ''), 'hex'), ''::bytea ORDER BY f.place) AS packed FROM (
       SELECT m.ref, row_number() OVER (ORDER BY ${key} DESC NULLS LAST, m.ref) AS place ${found(ways, join)} LIMIT $9
     ) AS f GROUP BY (f.place - 1) / ${idsInRow} ORDER BY (f.place - 1) / ${idsInRow}`,
  );
}

/** Of whole kinds. $9: the ref to go on behind; $10: limit. */
const byRef: Statement<VersionRow> = statement(
  `SELECT ${versionColumns} FROM (
     SELECT m.ref, m.sequence ${found({ isByKind: true, isActiveOnly: false }, "")} AND m.ref > $9 ORDER BY m.ref LIMIT $10
   ) AS f ${joinVersions} ORDER BY f.ref`,
);

/**
 * Refs in an order, which the database makes. Where each memory is to be asked whether it suits, they are read and put in order here.
 *
 * @throws LociError `TOO_MANY_MEMORIES`
 */
export async function readOrderedRefs(
  { connections, keys: ledgerKeys, lists }: OrderedRefsParts,
  tenant: TenantId,
  query: RefsQuery,
  call: CallOptions | undefined,
): Promise<Uint8Array> {
  const { kinds, scopes, states, categories = null, evaluationTime, withUnapproved = false, order, limit } = query;
  const ways: Ways = { isByKind: kinds.length > 0, isActiveOnly: states.every((state) => state === "active") };
  const values = [tenant, kinds, ...scopeColumns(scopes), states, categories, evaluationTime, withUnapproved];
  if (query.suits === undefined && query.text === undefined) {
    const rows = await connections.readAlone(tenant, inOrder(ways, order), [...values, limit + 1], call);
    const packed = Buffer.concat(rows.map((row) => row.packed));
    if (packed.length > limit * packedIdBytes) throw tooManyMemories(query);
    return packed;
  }
  const refs = new GatheredRefs(limit);
  const isWanted = wantedMemory(query);
  const keep = (page: readonly StoredMemory[]): void => {
    for (const stored of page) if (isWanted(stored)) refs.add(stored.memory.id, orderKeyOf(stored, order));
  };
  let isEnd = !ways.isByKind && scopes.length === 0;
  for (let last: StoredMemory | undefined; !isEnd;) {
    const page: readonly StoredMemory[] = ways.isByKind
      ? (await connections.readAlone(tenant, byRef, [...values, last?.memory.id ?? "", versionsAtOnce], call)).map(
          (row) => storedMemoryOf(ledgerKeys.entry(tenant, row)),
        )
      : await lists.list(tenant, pageBehind(query, last), call);
    keep(page);
    last = page.at(-1);
    isEnd = page.length < versionsAtOnce;
  }
  using over = new CallSignal(call);
  return await refs.inOrder(async () => {
    await setImmediate();
    over.throwIfAborted();
  });
}

/** What reads refs, and for scopes that are named, newest first, memories. */
export interface OrderedRefsParts {
  readonly connections: Connections;
  readonly keys: LedgerKeys;
  readonly lists: Pick<ScopeReader, "list">;
}

/** Of scopes that are named each has its memories in the order of their creation: paged by ref, all would be read for each page. */
function pageBehind(query: RefsQuery, last: StoredMemory | undefined): ListQuery {
  const { scopes, states, categories, evaluationTime, withUnapproved } = query;
  const after = last && { createdAt: last.memory.createdAt, ref: last.memory.id };
  const named = scopes as NonEmpty<Scope>;
  return { scopes: named, states, categories, evaluationTime, withUnapproved, after, limit: versionsAtOnce };
}
