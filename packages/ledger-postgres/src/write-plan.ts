import type { TenantId } from "@loci/domain";
import type { CommitBatch, EmbeddingOfRecord, ModelUsageEntry } from "@loci/ledger";
import {
  blobOf,
  type CommitPlan,
  type LedgerSealing,
  type LogEnd,
  packVectors,
  sealDetails,
  sealEntry,
} from "@loci/ledger/sql";
import type { RunStatement } from "./connections.ts";
import { scopeColumns } from "./memory-reader.ts";
import { putResources, removeCheckpoints, resourceValues } from "./resource-rows.ts";
import { type Statement, statement } from "./statement.ts";
import { addModelUsage, modelUsageValues } from "./usage-tables.ts";

const appendEntries = statement(
  `INSERT INTO changes (tenant, recorded_at, sequence, family, type, ref, version, space, content_hash, record, subject, activity,
       reason)
     SELECT $1, $2, * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[],
       $10::text[], $11::text[], $12::text[], $13::text[])`,
);

const putMemories = statement(
  `INSERT INTO memories (tenant, ref, version, sequence, state, scope_kind, scope_id, category, created_at, expires_at,
       source_id, position, slot, text_key, standing, key)
     SELECT $1, * FROM unnest($2::text[], $3::integer[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
       $9::bigint[], $10::bigint[], $11::text[], $12::bigint[], $13::text[], $14::text[], $15::double precision[], $16::text[])
     ON CONFLICT (tenant, ref) DO UPDATE SET version = excluded.version, sequence = excluded.sequence,
       state = excluded.state, scope_kind = excluded.scope_kind, scope_id = excluded.scope_id,
       category = excluded.category, created_at = excluded.created_at, expires_at = excluded.expires_at,
       source_id = excluded.source_id, position = excluded.position, slot = excluded.slot,
       text_key = excluded.text_key, standing = excluded.standing, key = excluded.key`,
);

const removeTags = statement("DELETE FROM tags WHERE tenant = $1 AND ref = ANY ($2::text[])");

const putTags = statement(
  `INSERT INTO tags (tenant, ref, tag, scope_kind, scope_id, category, created_at, expires_at, sequence)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
       $9::bigint[])`,
);

const endVersions = statement(
  `UPDATE active_versions AS v SET ended = changed.ended
     FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) AS changed (scope_kind, scope_id, sequence, ended)
     WHERE v.tenant = $1 AND v.scope_kind = changed.scope_kind AND v.scope_id = changed.scope_id
       AND v.sequence = changed.sequence`,
);

const beginVersions = statement(
  `INSERT INTO active_versions (tenant, scope_kind, scope_id, sequence, ended)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[])`,
);

/** All vectors travel as one value in binary; in an array each would be sent as hexadecimal digits. */
const putEmbeddings = statement(
  `INSERT INTO embeddings (tenant, space, content_hash, chunks, vectors)
     SELECT $1, e.space, e.content_hash, e.chunks, substring($2::bytea FROM e.start + 1 FOR e.length)
       FROM unnest($3::text[], $4::text[], $5::integer[], $6::integer[], $7::integer[])
         AS e (space, content_hash, chunks, start, length)
     ON CONFLICT DO NOTHING`,
);

const putRequests = statement(
  `INSERT INTO requests (tenant, written_at, recorded_at, subject, method, request_id, body_hash, sequence, results)
     SELECT $1, $2, $3, * FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[])
     ON CONFLICT (tenant, subject, method, request_id) DO UPDATE SET body_hash = excluded.body_hash,
       sequence = excluded.sequence, recorded_at = excluded.recorded_at, written_at = excluded.written_at,
       results = excluded.results`,
);

const putDecisions = statement(
  `INSERT INTO decisions (tenant, ref, activity, sequence, reason, details)
     SELECT DISTINCT ON (d.ref, d.activity) $1, d.ref, d.activity, d.sequence, d.reason, d.details
       FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[])
       WITH ORDINALITY AS d (ref, activity, sequence, reason, details, place) ORDER BY d.ref, d.activity, d.place DESC
     ON CONFLICT (tenant, ref, activity) DO UPDATE SET sequence = excluded.sequence, reason = excluded.reason,
       details = excluded.details`,
);

export const advanceLog: Statement<Record<string, never>> = statement(
  "UPDATE tenants SET head = $2, sealed_through = $2, recorded_at = $3, written_at = clock_timestamp() WHERE tenant = $1",
);

/** Where a plan is written, and what its words are sealed with. */
export interface WrittenWith {
  readonly send: RunStatement;
  readonly tenant: TenantId;
  readonly sealing: LedgerSealing;
}

/** Sends what the plan comes to. */
export function writePlan(
  { send, tenant, sealing }: WrittenWith,
  plan: CommitPlan,
  end: LogEnd,
  accepted: readonly CommitBatch[],
): Promise<unknown>[] {
  const { entries, versions, ended, answers, current, decisions } = plan;
  const embeddings = accepted.flatMap((batch): readonly EmbeddingOfRecord[] => batch.embeddings ?? []);
  const modelUsage = accepted.flatMap(({ modelUsage: entry }): readonly ModelUsageEntry[] =>
    entry === undefined ? [] : [entry],
  );
  const sent: Promise<unknown>[] = [];
  const write = (wanted: Statement<unknown>, ...values: readonly unknown[]): void => {
    sent.push(send(wanted, [tenant, ...values]));
  };
  if (entries.length > 0) {
    const texts = entries.map(({ sequence, family, record, reason = null }) =>
      sealEntry(sealing.fields, { tenant, sequence }, family, { record: record ?? null, reason }),
    );
    write(
      appendEntries,
      plan.recordedAt,
      ...columns(entries, ["sequence", "family", "kind", "ref", "version", "space", "contentHash"]),
      texts.map(({ record }) => record),
      entries.map(({ author }) => author.subject ?? null),
      entries.map(({ author }) => author.activity ?? null),
      texts.map(({ reason }) => reason),
    );
    write(advanceLog, plan.head, plan.recordedAt);
  }
  if (current.length > 0) {
    const indexed = current.map(({ fields }) => sealing.columns.fields(tenant, fields));
    write(
      putMemories,
      ...columns(current, ["ref", "version", "sequence"]),
      current.map(({ fields }) => fields.state),
      current.map(({ fields }) => fields.scope.kind),
      current.map(({ fields }) => fields.scope.id ?? ""),
      ...columns(indexed, [
        "category",
        "createdAt",
        "expiresAt",
        "sourceId",
        "position",
        "slot",
        "textKey",
        "standing",
        "key",
      ]),
    );
    const edited = current.filter(({ version }) => version > 1).map(({ ref }) => ref);
    if (edited.length > 0) write(removeTags, edited);
    const tags = current.flatMap(({ ref, sequence }, index) => {
      const fields = indexed[index];
      return fields?.active === true ? fields.tags.map((tag) => ({ ref, tag, sequence, ...fields })) : [];
    });
    if (tags.length > 0)
      write(
        putTags,
        ...columns(tags, ["ref", "tag"]),
        tags.map(({ scope }) => scope.kind),
        tags.map(({ scope }) => scope.id ?? ""),
        ...columns(tags, ["category", "createdAt", "expiresAt", "sequence"]),
      );
  }
  if (ended.length > 0)
    write(endVersions, ...scopeColumns(ended.map(({ scope }) => scope)), ...columns(ended, ["sequence", "ended"]));
  const active = versions.filter(({ fields }) => fields.active);
  if (active.length > 0)
    write(
      beginVersions,
      active.map(({ fields }) => fields.scope.kind),
      active.map(({ fields }) => fields.scope.id ?? ""),
      ...columns(active, ["sequence", "ended"]),
    );
  if (plan.resources.length > 0)
    write(putResources, ...resourceValues(sealing.fields, tenant, plan.recordedAt, plan.resources));
  const removed = plan.resources.filter(({ state }) => state === null).map(({ ref }) => ref);
  if (removed.length > 0) write(removeCheckpoints, removed);
  if (embeddings.length > 0) {
    const { values, bounds } = packVectors(embeddings.map(({ vectors }) => vectors));
    write(
      putEmbeddings,
      blobOf(values, 0, values.length),
      ...columns(embeddings, ["space", "contentHash"]),
      embeddings.map(({ vectors }) => vectors.length),
      bounds.map(({ start }) => start * Float32Array.BYTES_PER_ELEMENT),
      bounds.map(({ start, end: last }) => (last - start) * Float32Array.BYTES_PER_ELEMENT),
    );
  }
  for (const entry of modelUsage) write(addModelUsage, ...modelUsageValues(entry));
  if (decisions.length > 0)
    write(
      putDecisions,
      ...columns(decisions, ["ref", "activity", "sequence", "reason"]),
      decisions.map(({ ref, activity, details }) =>
        sealDetails(sealing.fields, tenant, { ref, activity }, JSON.stringify(details)),
      ),
    );
  if (answers.length > 0)
    write(
      putRequests,
      end.now,
      plan.recordedAt,
      ...columns(answers, ["subject", "method", "requestId", "bodyHash"]),
      answers.map(({ committed }) => committed.sequence),
      answers.map(({ committed }) => JSON.stringify(committed.results)),
    );
  return sent;
}

/** Rows turned into one array a column, as `unnest` takes them. */
function columns<Row, Key extends keyof Row>(rows: readonly Row[], keys: readonly Key[]): Row[Key][][] {
  return keys.map((key) => rows.map((row) => row[key]));
}
