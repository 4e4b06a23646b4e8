import type { DatabaseSync } from "node:sqlite";
import type { TenantId } from "@loci/domain";
import { type LedgerSealing, type PlannedDecision, sealDetails } from "@loci/ledger/sql";
import { type Command, prepareCommand } from "./query.ts";

/** Keeps of each memory and activity the latest decision. */
export class DecisionWriter {
  readonly #sealing: LedgerSealing;
  readonly #put: Command;

  constructor(database: DatabaseSync, sealing: LedgerSealing) {
    this.#sealing = sealing;
    this.#put = prepareCommand(
      database,
      `INSERT INTO decisions (tenant, ref, activity, sequence, reason, details) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET sequence = excluded.sequence, reason = excluded.reason, details = excluded.details`,
    );
  }

  write(tenant: number, name: TenantId, { ref, activity, sequence, reason, details }: PlannedDecision): void {
    const sealed = sealDetails(this.#sealing.fields, name, { ref, activity }, JSON.stringify(details));
    this.#put.run(tenant, ref, activity, sequence, reason, sealed);
  }
}
