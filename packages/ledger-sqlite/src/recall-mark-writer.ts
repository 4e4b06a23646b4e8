import type { DatabaseSync } from "node:sqlite";
import type { Instant } from "@loci/domain";
import type { RecallMark } from "@loci/ledger";
import { type Command, prepareCommand } from "./query.ts";

/** Writes what sessions were shown, and removes what need not be remembered any more. */
export class RecallMarkWriter {
  readonly #put: Command;
  readonly #removeEnded: Command;

  constructor(database: DatabaseSync) {
    this.#put = prepareCommand(
      database,
      `INSERT INTO recall_marks (tenant, owner, ref, session, shown_at, kept_until) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET shown_at = max(shown_at, excluded.shown_at),
           kept_until = max(kept_until, excluded.kept_until)`,
    );
    this.#removeEnded = prepareCommand(database, "DELETE FROM recall_marks WHERE kept_until <= ?");
  }

  record(tenant: number, marks: readonly RecallMark[], now: Instant): void {
    this.#removeEnded.run(now);
    for (const { owner, session, refs, at, keepMilliseconds } of marks)
      for (const ref of refs) this.#put.run(tenant, owner, ref, session, at, now + keepMilliseconds);
  }
}
