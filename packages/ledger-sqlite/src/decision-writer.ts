import type { DatabaseSync } from "node:sqlite";
import type { PlannedDecision } from "@loci/ledger/sql";
import { type Command, prepareCommand } from "./query.ts";

/** Keeps of each memory and activity the latest decision. */
export class DecisionWriter {
  readonly #put: Command;

  constructor(database: DatabaseSync) {
    this.#put = prepareCommand(
      database,
      `INSERT INTO decisions (tenant, ref, activity, sequence, reason, details) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET sequence = excluded.sequence, reason = excluded.reason, details = excluded.details`,
    );
  }

  write(tenant: number, { ref, activity, sequence, reason, details }: PlannedDecision): void {
    this.#put.run(tenant, ref, activity, sequence, reason, JSON.stringify(details));
  }
}
