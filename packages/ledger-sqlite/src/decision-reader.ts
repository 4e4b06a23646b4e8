import type { DatabaseSync } from "node:sqlite";
import type { Ref, TenantId } from "@loci/domain";
import type { Decision } from "@loci/ledger";
import { type LedgerSealing, openDetails } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { inSteps, type ReadingPace } from "./reading-pace.ts";

/** Reads what was decided about memories. */
export class DecisionReader {
  readonly #sealing: LedgerSealing;
  readonly #latest: Query<{ ref: Ref; reason: string; details: string }>;

  constructor(database: DatabaseSync, sealing: LedgerSealing) {
    this.#sealing = sealing;
    this.#latest = prepareQuery(
      database,
      `SELECT d.ref, d.reason, d.details FROM json_each(?) AS wanted
         CROSS JOIN decisions AS d
           ON d.tenant = (SELECT id FROM tenants WHERE name = ?) AND d.ref = wanted.value AND d.activity = ?`,
    );
  }

  async latest(
    tenant: TenantId,
    activity: string,
    refs: readonly Ref[],
    pace: ReadingPace,
  ): Promise<ReadonlyMap<Ref, Decision>> {
    const found = new Map<Ref, Decision>();
    for (const some of inSteps(refs)) {
      for (const { ref, reason, details: sealed } of this.#latest.all(JSON.stringify(some), tenant, activity)) {
        const details = openDetails(this.#sealing.fields, tenant, { ref, activity }, sealed);
        found.set(ref, { ref, reason, details: JSON.parse(details) as Decision["details"] });
      }
      await pace.step();
    }
    return found;
  }
}
