import { type CallOptions, formatScope, type Instant, type Ref, type Sequence, type TenantId } from "@loci/domain";
import {
  type Family,
  memoriesFamily,
  type Purged,
  type PurgeSelection,
  resourcePurged,
  type ScanQuery,
} from "@loci/ledger";
import { erasedRequestId, type LogEnd, refsToPurge, tablesOf } from "@loci/ledger/sql";
import { lockLog } from "./commit-writer.ts";
import { advanceLog } from "./write-plan.ts";
import { allDone, type Connections } from "./connections.ts";
import { removeCheckpoints } from "./resource-rows.ts";
import { resourceRefs } from "./resource-table.ts";
import type { ScopeReader } from "./scope-reader.ts";
import { type Statement, statement } from "./statement.ts";
import { tables } from "./tables.ts";

const findCurrent: Statement<{ readonly ref: Ref; readonly version: number; readonly is_tombstone: boolean }> =
  statement(
    `SELECT ref, version, state = 'deleted' AS is_tombstone FROM memories
       WHERE tenant = $1 AND ref = ANY ($2::text[]) ORDER BY ref`,
  );

interface FoundRow {
  readonly ref: Ref;
  readonly version: number;
  readonly is_tombstone: boolean;
}

/** How many are gone that were there, and of which families. */
interface PurgeResult extends Pick<Purged, "memories" | "resources"> {
  readonly families: readonly Family[];
}

/** What the purged memories have in the database, and go with them. */
const removals: readonly Statement<unknown>[] = [
  statement(
    `DELETE FROM active_versions AS v USING changes AS c
       WHERE v.tenant = $1 AND c.tenant = $1 AND c.ref = ANY ($2::text[]) AND c.family = 'memories' AND v.sequence = c.sequence`,
  ),
  statement(
    `UPDATE changes SET type = 'memoryRemoved', space = NULL, content_hash = '', record = NULL,
         subject = NULL, activity = NULL, reason = NULL
       WHERE tenant = $1 AND ref = ANY ($2::text[]) AND family = 'memories'`,
  ),
  ...tablesOf(tables, "whenMemoriesArePurged", "rows").map((table) =>
    statement(`DELETE FROM ${table} WHERE tenant = $1 AND ref = ANY ($2::text[])`),
  ),
];

const findResources: Statement<{
  readonly ref: Ref;
  readonly family: string;
  readonly version: number;
  readonly is_tombstone: boolean;
}> = statement(
  `SELECT ref, family, version, state IS NULL AS is_tombstone FROM resources
     WHERE tenant = $1 AND ref = ANY ($2::text[]) ORDER BY ref`,
);

const resourceRemovals: readonly Statement<unknown>[] = [
  statement(
    `UPDATE changes SET type = '${resourcePurged}', record = NULL, subject = NULL, activity = NULL, reason = NULL
       WHERE tenant = $1 AND ref = ANY ($2::text[]) AND family <> 'memories'`,
  ),
  statement("DELETE FROM resources WHERE tenant = $1 AND ref = ANY ($2::text[])"),
  // Behind the resource, for which it waits until whoever adds to it is done: only then is all of it there to be seen.
  removeCheckpoints,
];

const remember = statement(
  `INSERT INTO purged (tenant, ref, purged_at) SELECT $1, wanted.ref, $3 FROM unnest($2::text[]) AS wanted (ref)
     ON CONFLICT DO NOTHING`,
);

const appendRemovals = statement(
  `INSERT INTO changes (tenant, recorded_at, sequence, family, type, ref, version, content_hash)
     SELECT $1, $2, removed.sequence, removed.family,
         CASE removed.family WHEN 'memories' THEN 'memoryRemoved' ELSE '${resourcePurged}' END, removed.ref, removed.version, ''
       FROM unnest($3::bigint[], $4::text[], $5::text[], $6::integer[]) AS removed (sequence, family, ref, version)`,
);

/** What purged memories have left behind elsewhere, also by purges that were interrupted. */
const sweeps: readonly Statement<unknown>[] = [
  ...tablesOf(tables, "whenMemoriesArePurged", "all").map((table) =>
    statement(`DELETE FROM ${table} WHERE tenant = $1`),
  ),
  statement(
    `DELETE FROM embeddings AS e WHERE e.tenant = $1 AND NOT EXISTS (
       SELECT 1 FROM changes AS c WHERE c.tenant = $1 AND c.content_hash = e.content_hash)`,
  ),
];

const sweepsOfTenant: readonly Statement<unknown>[] = [
  ...tablesOf(tables, "whenTenantIsPurged", "all").map((table) => statement(`DELETE FROM ${table} WHERE tenant = $1`)),
  statement("DELETE FROM requests WHERE tenant = $1 AND method <> ''"),
];

/** What names something that was purged, or one of the scopes. */
const removeReceipts = statement(
  `DELETE FROM receipts AS r WHERE r.tenant = $1 AND EXISTS (
     SELECT 1 FROM json_array_elements_text(r.names::json) AS named (name)
       WHERE named.name = ANY ($2::text[])
         OR EXISTS (SELECT 1 FROM purged AS p WHERE p.tenant = $1 AND p.ref = named.name))`,
);

interface AnswerRow {
  readonly subject: string;
  readonly method: string;
  readonly request_id: string;
  readonly written_at: Instant;
}

/** Answers that name what was purged. */
const takeAnswers: Statement<AnswerRow> = statement(
  `DELETE FROM requests WHERE tenant = $1 AND EXISTS (
     SELECT 1 FROM json_array_elements(results::json) AS wanted (result)
       JOIN purged AS p ON p.tenant = $1 AND p.ref = wanted.result ->> 'ref')
     RETURNING subject, method, request_id, written_at`,
);

/** What is kept of them. */
const putErasedRequests = statement(
  `INSERT INTO requests (tenant, subject, method, request_id, body_hash, sequence, recorded_at, written_at, results)
     SELECT $1, '', '', erased.id, '', 0, 0, erased.written_at, '[]'
       FROM unnest($2::text[], $3::bigint[]) AS erased (id, written_at)
     ON CONFLICT (tenant, subject, method, request_id) DO UPDATE SET written_at = excluded.written_at`,
);

/** Removes memories for good. */
export class Purge {
  readonly #connections: Connections;
  readonly #scopes: ScopeReader;
  readonly #clock: (() => Instant) | undefined;

  constructor(connections: Connections, scopes: ScopeReader, clock: (() => Instant) | undefined) {
    this.#connections = connections;
    this.#scopes = scopes;
    this.#clock = clock;
  }

  /** @returns how many are gone that were there */
  async run(tenant: TenantId, selection: PurgeSelection, call: CallOptions | undefined): Promise<PurgeResult> {
    const purged = { memories: 0, resources: 0, families: new Set<Family>([memoriesFamily]) };
    const memories = async (query: ScanQuery): Promise<readonly Ref[]> =>
      (await this.#scopes.scan(tenant, query, call)).map(({ memory }) => memory.id);
    const resources = (query: ScanQuery): Promise<readonly Ref[]> => resourceRefs(this.#connections, tenant, query);
    for await (const refs of refsToPurge(selection, memories, resources)) {
      const counts = await this.#purge(tenant, refs);
      purged.memories += counts.memories;
      purged.resources += counts.resources;
      for (const family of counts.families) purged.families.add(family);
    }
    await this.#sweep(tenant, selection);
    return { ...purged, families: [...purged.families] };
  }

  #purge(tenant: TenantId, refs: readonly Ref[]): Promise<PurgeResult> {
    return this.#connections.transaction({ tenant }, async (send, commit) => {
      const [ends, found, resources] = (await allDone([
        send(lockLog, [tenant, this.#clock?.() ?? null]),
        send(findCurrent, [tenant, refs]),
        send(findResources, [tenant, refs]),
      ])) as [readonly LogEnd[], readonly FoundRow[], readonly (FoundRow & { readonly family: Family })[]];
      const [end] = ends;
      const counts: PurgeResult = {
        memories: found.length,
        resources: resources.length,
        families: resources.map(({ family }) => family),
      };
      if (end === undefined || found.length + resources.length === 0) return counts;
      const memories = found.map(({ ref }) => ref);
      const others = resources.map(({ ref }) => ref);
      const recordedAt = Math.max(end.now, end.recordedAt);
      const appended = [...found.map((row) => ({ ...row, family: memoriesFamily })), ...resources].filter(
        ({ is_tombstone }) => !is_tombstone,
      );
      const sequences = appended.map((_, index): Sequence => end.head + index + 1);
      const last = [
        ...(memories.length === 0 ? [] : removals.map((removal) => send(removal, [tenant, memories]))),
        ...(others.length === 0 ? [] : resourceRemovals.map((removal) => send(removal, [tenant, others]))),
        send(remember, [tenant, [...memories, ...others], recordedAt]),
      ];
      if (appended.length > 0)
        last.push(
          send(appendRemovals, [
            tenant,
            recordedAt,
            sequences,
            appended.map(({ family }) => family),
            appended.map(({ ref }) => ref),
            appended.map(({ version }) => version + 1),
          ]),
          send(advanceLog, [tenant, end.head + appended.length, recordedAt]),
        );
      await commit(last);
      return counts;
    });
  }

  /** Holds the log, so that no batch can bring an embedding before its text is seen in the log. */
  #sweep(tenant: TenantId, selection: PurgeSelection): Promise<void> {
    const scopes = "scopes" in selection ? selection.scopes.map(formatScope) : [];
    return this.#connections.transaction({ tenant }, async (send, commit) => {
      const statements = "everything" in selection ? [...sweepsOfTenant, ...sweeps] : sweeps;
      const [, answers] = (await allDone([send(lockLog, [tenant, null]), send(takeAnswers, [tenant])])) as [
        unknown,
        readonly AnswerRow[],
      ];
      const ids = answers.map(({ subject, method, request_id: requestId }) =>
        erasedRequestId(subject, { method, requestId }),
      );
      const kept =
        ids.length === 0
          ? []
          : [send(putErasedRequests, [tenant, ids, answers.map(({ written_at: writtenAt }) => writtenAt)])];
      const receipts = send(removeReceipts, [tenant, scopes]);
      await commit([...kept, receipts, ...statements.map((sweep) => send(sweep, [tenant]))]);
    });
  }
}
