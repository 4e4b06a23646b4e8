import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Instant } from "@loci/domain";
import type { InternedNames } from "./interned-names.ts";
import { type Command, prepareCommand } from "./query.ts";
import type { AcknowledgeOperation, LeaseOperation } from "./write-operation.ts";

/** How long a lease lasts when its holder does not renew it. */
export const leaseMilliseconds = 10_000;

/**
 * Keeps who drains which tenant's log into which projection, and how far each has come. A directory has one owner at a time:
 * leases that were taken before it was opened are over. To end them in the file would read a row of every tenant.
 */
export class ProjectionWriter {
  readonly #names: InternedNames;
  readonly #take: Command;
  readonly #acknowledge: Command;
  readonly #release: Command;
  readonly #reset: Command;
  /** Begins the name of every holder since the file was opened. */
  readonly #session = `${randomBytes(8).toString("hex")}:`;

  constructor(database: DatabaseSync, names: InternedNames) {
    this.#names = names;
    // A lease from the future was taken before the clock was set back: it counts as expired, or it might last for days.
    this.#take = prepareCommand(
      database,
      `INSERT INTO projections (tenant, projection, acknowledged, holder, leased_at) VALUES (?, ?, 0, ?, ?)
         ON CONFLICT DO UPDATE SET holder = excluded.holder, leased_at = excluded.leased_at
           WHERE holder IS NULL OR substr(holder, 1, ${this.#session.length}) <> '${this.#session}'
             OR leased_at > excluded.leased_at OR leased_at <= excluded.leased_at - ${leaseMilliseconds}`,
    );
    this.#acknowledge = prepareCommand(
      database,
      `UPDATE projections SET acknowledged = ?, leased_at = ? WHERE tenant = ? AND projection = ? AND holder = ?`,
    );
    this.#release = prepareCommand(
      database,
      "UPDATE projections SET holder = NULL WHERE tenant = ? AND projection = ? AND holder = ?",
    );
    this.#reset = prepareCommand(database, "DELETE FROM projections WHERE projection = ?");
  }

  /** False while another holder has the lease. */
  take(operation: LeaseOperation, now: Instant): boolean {
    const { tenant, projection, holder } = operation;
    return Number(this.#take.run(this.#names.tenant(tenant), projection, this.#nameOf(holder), now).changes) === 1;
  }

  /** False when the holder no longer has the lease. */
  acknowledge(operation: AcknowledgeOperation, now: Instant): boolean {
    const { tenant, projection, holder, through } = operation;
    return (
      Number(
        this.#acknowledge.run(through, now, this.#names.tenant(tenant), projection, this.#nameOf(holder)).changes,
      ) === 1
    );
  }

  release(operation: LeaseOperation): boolean {
    const { tenant, projection, holder } = operation;
    return Number(this.#release.run(this.#names.tenant(tenant), projection, this.#nameOf(holder)).changes) === 1;
  }

  /** Also ends the leases: who drains now must not acknowledge into the rebuilt projection. */
  reset(projection: string): void {
    this.#reset.run(projection);
  }

  #nameOf(holder: string): string {
    return this.#session + holder;
  }
}
