import type { Instant, Ref } from "@loci/domain";
import type { RecallMark, RecallMarkTable } from "@loci/ledger";
import type { Connections } from "./connections.ts";
import { now } from "./database-clock.ts";
import type { Pruner } from "./pruner.ts";
import { type Statement, statement } from "./statement.ts";

/** In the order of the keys, so that two servers never wait for each other's rows. */
const put = statement(
  `INSERT INTO recall_marks AS m (tenant, owner, ref, session, shown_at, kept_until)
     SELECT $1, shown.owner, shown.ref, shown.session, max(shown.at), max(shown.kept) + ${now("$2")}
       FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
         AS shown (owner, ref, session, at, kept)
       GROUP BY shown.owner, shown.ref, shown.session ORDER BY shown.owner, shown.ref, shown.session
     ON CONFLICT (tenant, owner, ref, session) DO UPDATE SET shown_at = greatest(m.shown_at, excluded.shown_at),
       kept_until = greatest(m.kept_until, excluded.kept_until)`,
);

const lastShown: Statement<{ readonly ref: Ref; readonly shown_at: Instant }> = statement(
  `SELECT m.ref, max(m.shown_at) AS shown_at FROM unnest($5::text[]) AS wanted (ref)
     JOIN recall_marks AS m ON m.tenant = $1 AND m.owner = $2 AND m.ref = wanted.ref AND (m.session = $3) = $4
     GROUP BY m.ref`,
);

export function recallMarkTable(
  connections: Connections,
  pruner: Pruner,
  clock: (() => Instant) | undefined,
): RecallMarkTable {
  return {
    record: async (tenant, marks) => {
      const rows = marks.flatMap((mark) => mark.refs.map((ref): [Ref, RecallMark] => [ref, mark]));
      await connections.write({ tenant }, put, [
        tenant,
        clock?.() ?? null,
        rows.map(([, { owner }]) => owner),
        rows.map(([ref]) => ref),
        rows.map(([, { session }]) => session),
        rows.map(([, { at }]) => at),
        rows.map(([, { keepMilliseconds }]) => keepMilliseconds),
      ]);
      await pruner.recallMarks();
    },
    lastShown: async (tenant, { owner, session, shownTo, refs }, call) => {
      const values = [tenant, owner, session, shownTo === "session", refs];
      const rows = await connections.read({ tenant }, lastShown, values, call);
      return new Map(rows.map((row) => [row.ref, row.shown_at]));
    },
  };
}
