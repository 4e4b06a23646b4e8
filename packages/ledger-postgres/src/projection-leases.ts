import { randomUUID } from "node:crypto";
import type { Instant, TenantId } from "@loci/domain";
import type { ProjectionLease } from "@loci/ledger";
import type { Connections } from "./connections.ts";
import { now } from "./database-clock.ts";
import { type Statement, statement } from "./statement.ts";

/** How long a lease lasts when its holder does not renew it, by the database's clock: another takes over within it. */
export const leaseMilliseconds = 5_000;

interface Changed {
  readonly changed: true;
}

/** One from the future was taken before the clock was set back: it counts as expired, or it might last for days. */
const take: Statement<Changed> = statement(
  `INSERT INTO projections AS p (tenant, projection, acknowledged, holder, leased_at)
     VALUES ($1, $2, 0, $3, ${now("$4")})
     ON CONFLICT (tenant, projection) DO UPDATE SET holder = excluded.holder, leased_at = excluded.leased_at
       WHERE p.holder IS NULL OR p.leased_at > excluded.leased_at
         OR p.leased_at <= excluded.leased_at - ${leaseMilliseconds}
     RETURNING true AS changed`,
);

const acknowledge: Statement<Changed> = statement(
  `UPDATE projections SET acknowledged = $4, leased_at = ${now("$5")}
     WHERE tenant = $1 AND projection = $2 AND holder = $3 RETURNING true AS changed`,
);

const release = statement("UPDATE projections SET holder = NULL WHERE tenant = $1 AND projection = $2 AND holder = $3");

const reset = statement("DELETE FROM projections WHERE projection = $1");

/** Who drains which tenant's log into which projection, and how far each has come. */
export class ProjectionLeases {
  readonly #connections: Connections;
  readonly #clock: (() => Instant) | undefined;

  constructor(connections: Connections, clock: (() => Instant) | undefined) {
    this.#connections = connections;
    this.#clock = clock;
  }

  async take(tenant: TenantId, projection: string): Promise<ProjectionLease | undefined> {
    const connections = this.#connections;
    const lease = [tenant, projection, randomUUID()];
    const taken = await connections.write({ tenant }, take, [...lease, this.#clock?.() ?? null]);
    if (taken.length === 0) return undefined;
    return {
      acknowledge: async (through) => {
        const values = [...lease, through, this.#clock?.() ?? null];
        return (await connections.write({ tenant }, acknowledge, values)).length > 0;
      },
      release: async () => {
        // One that outlives the ledger ends by itself.
        if (!connections.isClosing) await connections.write({ tenant }, release, lease);
      },
    };
  }

  /** Also ends the leases: who drains now must not acknowledge into the rebuilt projection. */
  async reset(projection: string): Promise<void> {
    await this.#connections.write({ everyTenant: true }, reset, [projection]);
  }
}
