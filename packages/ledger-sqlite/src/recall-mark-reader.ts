import type { DatabaseSync } from "node:sqlite";
import type { Instant, Ref, TenantId } from "@loci/domain";
import type { RecallMarkQuery } from "@loci/ledger";
import { prepareQuery, type Query } from "./query.ts";
import { inSteps, type ReadingPace } from "./reading-pace.ts";

/** Reads when memories were last shown. */
export class RecallMarkReader {
  readonly #marks: Query<{ ref: Ref; session: string; shown_at: Instant }>;

  constructor(database: DatabaseSync) {
    this.#marks = prepareQuery(
      database,
      `SELECT m.ref, m.session, m.shown_at FROM json_each(?) AS wanted
         CROSS JOIN recall_marks AS m ON m.tenant = (SELECT id FROM tenants WHERE name = ?) AND m.owner = ?
           AND m.ref = wanted.value`,
    );
  }

  async lastShown(
    tenant: TenantId,
    { owner, session, shownTo, refs }: RecallMarkQuery,
    pace: ReadingPace,
  ): Promise<Map<Ref, Instant>> {
    const found = new Map<Ref, Instant>();
    for (const some of inSteps(refs)) {
      for (const mark of this.#marks.all(JSON.stringify(some), tenant, owner)) {
        if ((mark.session === session) !== (shownTo === "session")) continue;
        found.set(mark.ref, Math.max(mark.shown_at, found.get(mark.ref) ?? mark.shown_at));
      }
      await pace.step();
    }
    return found;
  }
}
