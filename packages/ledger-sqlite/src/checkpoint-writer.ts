import type { DatabaseSync } from "node:sqlite";
import { type Command, prepareCommand } from "./query.ts";
import type { CheckpointsOperation } from "./write-operation.ts";

/** Writes what was read of long resources, as long as they are there. */
export class CheckpointWriter {
  readonly #removeOthers: Command;
  readonly #put: Command;

  constructor(database: DatabaseSync) {
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

  add(tenant: number, { owner: { ref, reading }, checkpoints, replaces }: CheckpointsOperation): void {
    if (replaces) this.#removeOthers.run(tenant, ref, reading);
    for (const { through, outline, state } of checkpoints) this.#put.run(reading, through, outline, state, tenant, ref);
  }
}
