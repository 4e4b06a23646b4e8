import type { DatabaseSync } from "node:sqlite";
import { type Command, prepareCommand } from "./query.ts";
import { type LedgerSealing, sealCheckpoint } from "@loci/ledger/sql";
import type { CheckpointsOperation } from "./write-operation.ts";

/** Writes what was read of long resources, as long as they are there. */
export class CheckpointWriter {
  readonly #sealing: LedgerSealing;
  readonly #removeOthers: Command;
  readonly #put: Command;

  constructor(database: DatabaseSync, sealing: LedgerSealing) {
    this.#sealing = sealing;
    this.#removeOthers = prepareCommand(
      database,
      "DELETE FROM checkpoints WHERE tenant = ? AND ref = ? AND reading <> ?",
    );
    this.#put = prepareCommand(
      database,
      `INSERT INTO checkpoints (tenant, ref, reading, through, outline, state)
         SELECT r.tenant, r.ref, ?, ?, ?, ? FROM resources AS r
           WHERE r.tenant = ? AND r.ref = ? AND r.state IS NOT NULL
         ON CONFLICT DO NOTHING`,
    );
  }

  add(tenant: number, { tenant: name, owner, checkpoints, replaces }: CheckpointsOperation): void {
    const { ref, reading } = owner;
    if (replaces) this.#removeOthers.run(tenant, ref, reading);
    for (const checkpoint of checkpoints) {
      const { through, outline, state } = sealCheckpoint(this.#sealing.fields, name, owner, checkpoint);
      this.#put.run(reading, through, outline, state, tenant, ref);
    }
  }
}
