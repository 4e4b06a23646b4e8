import type { Ref, Sequence, TenantId } from "@loci/domain";
import type { Transaction } from "../postgres/transaction.ts";
import type { RowTables } from "../schema/tables.ts";

/**
 * Each batch notes which rows it has changed, so that who keeps rows of an earlier state reads only those again. Notes have numbers,
 * one after the other. They say nothing of what a version has written that makes none: so the last note names its transaction, and
 * counts only while that is the last one that has moved the tenant's checkpoint (`xmin` is the transaction that wrote a row of
 * PostgreSQL). After any other the next note begins a new generation, and what was kept of an older one is worthless.
 */
const mostNotes = 64;

/** A batch that changes more says so instead of naming them: reading all rows anew costs less then. */
const mostRefs = 500;

/** Where a tenant stands, and who has moved its checkpoint there. */
export interface Place {
  readonly sequence: Sequence;
  readonly writer: string;
}

/**
 * Moves the checkpoint, which the transaction has locked, and notes what was changed.
 *
 * @param form the SQL of the table that says of which form all tables are
 * @returns the form
 */
export async function moveCheckpoint(
  transaction: Transaction,
  { checkpoints, recent }: Pick<RowTables, "checkpoints" | "recent">,
  form: string,
  {
    tenant,
    before,
    through,
    refs,
  }: {
    readonly tenant: TenantId;
    readonly before: Place;
    readonly through: Sequence;
    /** `undefined`: nothing is noted. */
    readonly refs: readonly Ref[] | undefined;
  },
): Promise<number> {
  const move = `UPDATE ${checkpoints} SET sequence = $2 WHERE tenant = $1 RETURNING (SELECT version FROM ${form}) AS form`;
  const [stands] =
    refs === undefined
      ? await transaction.query<{ form: number }>(move, [tenant, through])
      : await transaction.query<{ form: number }>(
          `WITH moved AS (${move}),
            last AS (SELECT stamp, generation, writer FROM ${recent} WHERE tenant = $1 ORDER BY stamp DESC LIMIT 1),
            noted AS (INSERT INTO ${recent} (tenant, stamp, generation, writer, refs)
              SELECT $1, coalesce(last.stamp, 0) + 1, CASE WHEN last.writer::xid::text = $3 THEN last.generation ELSE gen_random_uuid() END,
                pg_current_xact_id(), $4::uuid[] FROM (SELECT) AS one LEFT JOIN last ON true),
            forgotten AS (DELETE FROM ${recent} WHERE tenant = $1 AND stamp <= (SELECT stamp FROM last) - ${mostNotes - 1})
          SELECT form FROM moved`,
          [tenant, through, before.writer, refs.length > mostRefs ? null : refs],
        );
  return stands?.form ?? 0;
}

/** What has become of a tenant's rows since a note. */
export interface ChangesSince<Row> {
  readonly generation: string;
  /** The number of the last note. */
  readonly stamp: number;
  /** How many notes say what they changed. Less than there were: some are gone, or changed too much. */
  readonly notes: number;
  readonly refs: readonly Ref[];
  /** Of `refs`, as they are now. */
  readonly rows: readonly Row[];
}

/**
 * The SQL of one `ChangesSince`, or of no row where the last note does not count. $1 is the tenant, $2 the number of the note.
 *
 * @param rowsOf the SQL of the rows of a ref
 */
export function changesSince(
  { checkpoints, recent }: Pick<RowTables, "checkpoints" | "recent">,
  rowsOf: (ref: string) => string,
): string {
  return `WITH last AS MATERIALIZED (SELECT own.stamp, own.generation FROM ${checkpoints} AS place CROSS JOIN LATERAL
      (SELECT stamp, generation, writer FROM ${recent} WHERE tenant = $1 ORDER BY stamp DESC LIMIT 1) AS own
      WHERE place.tenant = $1 AND place.xmin = own.writer::xid),
    note AS MATERIALIZED (SELECT refs FROM ${recent} WHERE tenant = $1 AND stamp > $2 AND refs IS NOT NULL),
    changed AS MATERIALIZED (SELECT DISTINCT unnest(refs) AS ref FROM note)
    SELECT generation, stamp, (SELECT count(*) FROM note) AS notes, ARRAY(SELECT ref FROM changed) AS refs,
      (SELECT coalesce(json_agg(row), '[]'::json) FROM (SELECT own.* FROM changed CROSS JOIN LATERAL (${rowsOf("changed.ref")}) AS own) AS row) AS rows
    FROM last`;
}
