import type { Ref, Sequence, TenantId } from "@loci/domain";
import type { Transaction } from "../postgres/transaction.ts";
import type { RowTables } from "../schema/tables.ts";

/**
 * Each batch notes which rows it has changed, so that who keeps rows of an earlier state reads only those again. Notes have numbers,
 * one after the other. They say nothing of what a version has written that makes none: so the last note names its transaction, and
 * counts only while that is the last one that has moved the tenant's checkpoint (`xmin` is the transaction that wrote a row of
 * PostgreSQL). After any other a number is left out, by which whoever keeps rows knows. A note also has an id of its own: where a
 * standby has taken over without the last writes, their numbers are given again, to others.
 */
const mostNotes = 32;

/** A batch that changes more says so instead of naming them: reading all rows anew costs less then. */
const mostRefs = 128;

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
            last AS (SELECT stamp, writer FROM ${recent} WHERE tenant = $1 ORDER BY stamp DESC LIMIT 1),
            noted AS (INSERT INTO ${recent} (tenant, stamp, id, writer, refs)
              SELECT $1, coalesce(last.stamp + CASE WHEN last.writer::xid::text = $3 THEN 1 ELSE 2 END, 1), gen_random_uuid(),
                pg_current_xact_id(), $4::uuid[] FROM (SELECT) AS one LEFT JOIN last ON true),
            forgotten AS (DELETE FROM ${recent} WHERE tenant = $1 AND stamp <= (SELECT stamp FROM last) - ${mostNotes - 1})
          SELECT form FROM moved`,
          [tenant, through, before.writer, refs.length > mostRefs ? null : refs],
        );
  return stands?.form ?? 0;
}

/** What has become of a tenant's rows since a note. */
export interface ChangesSince<Read> {
  /** The number of the last note. */
  readonly stamp: number;
  readonly id: string;
  /** The ids of that note and of those behind it, by their numbers. */
  readonly ids: Readonly<Record<number, string>>;
  /** How many notes behind it say what they changed. Fewer than numbers: some are gone, were left out or changed too much. */
  readonly notes: number;
  readonly refs: readonly Ref[];
  /** The rows of `refs`, as they are now. */
  readonly rows: Read;
}

/** The SQL of the number and id of the last note, or of no row where that does not count. $1: tenant. */
export function lastNote({ checkpoints, recent }: Pick<RowTables, "checkpoints" | "recent">): string {
  return `SELECT own.stamp, own.id FROM ${checkpoints} AS place CROSS JOIN LATERAL
      (SELECT stamp, id, writer FROM ${recent} WHERE tenant = $1 ORDER BY stamp DESC LIMIT 1) AS own
      WHERE place.tenant = $1 AND place.xmin = own.writer::xid`;
}

/**
 * The SQL of one `ChangesSince`, or of no row where the last note does not count. $1 is the tenant, $2 the number of the note.
 *
 * @param rowsOf the SQL of the rows of the refs that some SQL gives, as JSON
 */
export function changesSince(
  tables: Pick<RowTables, "checkpoints" | "recent">,
  rowsOf: (refs: string) => string,
): string {
  const { recent } = tables;
  return `WITH last AS MATERIALIZED (${lastNote(tables)}),
    note AS MATERIALIZED (SELECT stamp, id, refs FROM ${recent} WHERE tenant = $1 AND stamp >= $2),
    changed AS MATERIALIZED (SELECT DISTINCT unnest(refs) AS ref FROM note WHERE stamp > $2)
    SELECT stamp, id, (SELECT coalesce(json_object_agg(stamp, id), '{}'::json) FROM note) AS ids,
      (SELECT count(*) FROM note WHERE stamp > $2 AND refs IS NOT NULL) AS notes, ARRAY(SELECT ref FROM changed) AS refs,
      (${rowsOf("changed")}) AS rows
    FROM last`;
}
