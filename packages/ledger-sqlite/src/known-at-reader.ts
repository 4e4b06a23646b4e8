import type { DatabaseSync } from "node:sqlite";
import type { Instant, Scope, Sequence, TenantId } from "@loci/domain";
import { type KnownAtQuery, tooManyVersions } from "@loci/ledger";
import { prepareQuery, type Query } from "./query.ts";
import type { ReadingPace } from "./reading-pace.ts";

/** How much of the log one step looks at: about 4 ms when all of it is of one scope. */
const sequencesPerStep = 32_768;

/** Finds the versions that were active at a recorded time. */
export class KnownAtReader {
  readonly #head: Query<{ head: Sequence }>;
  readonly #next: Query<{ sequence: Sequence; recorded_at: Instant }>;
  readonly #active: Query<{ sequence: Sequence }>;

  constructor(database: DatabaseSync) {
    const tenant = "(SELECT id FROM tenants WHERE name = ?)";
    this.#head = prepareQuery(database, "SELECT head FROM tenants WHERE name = ?");
    this.#next = prepareQuery(
      database,
      `SELECT sequence, recorded_at FROM changes WHERE tenant = ${tenant} AND sequence > ? ORDER BY sequence LIMIT 1`,
    );
    this.#active = prepareQuery(
      database,
      `SELECT sequence FROM active_versions
         WHERE scope = (SELECT id FROM scopes WHERE tenant = ${tenant} AND kind = ? AND name = ?)
           AND sequence > ? AND sequence <= ? AND (ended IS NULL OR ended > ?)`,
    );
  }

  /**
   * The changes that made the versions, in the order of the log.
   *
   * @throws LociError `TOO_MANY_VERSIONS`
   */
  async versions(tenant: TenantId, query: KnownAtQuery, pace: ReadingPace): Promise<Sequence[]> {
    const last = this.#lastRecordedBy(tenant, query.knownAt);
    const found = new Set<Sequence>();
    for (const scope of query.scopes) {
      for (let after = 0; after < last; after += sequencesPerStep) {
        for (const sequence of this.#activeAt(tenant, scope, after, last)) found.add(sequence);
        if (found.size > query.limit) throw tooManyVersions(query);
        await pace.step();
      }
    }
    return [...found].toSorted((left, right) => left - right);
  }

  #activeAt(tenant: TenantId, scope: Scope, after: Sequence, last: Sequence): readonly Sequence[] {
    const end = Math.min(last, after + sequencesPerStep);
    const rows = this.#active.all(tenant, scope.kind, scope.id ?? "", after, end, last);
    return rows.map(({ sequence }) => sequence);
  }

  /** By halving: times never decrease along the log. 0 when nothing had been recorded. */
  #lastRecordedBy(tenant: TenantId, knownAt: Instant): Sequence {
    let recorded = 0;
    let later = this.#head.get(tenant)?.head ?? 0;
    while (recorded < later) {
      const middle = Math.floor((recorded + later) / 2);
      const next = this.#next.get(tenant, middle);
      if (next !== undefined && next.sequence <= later && next.recorded_at <= knownAt) recorded = next.sequence;
      else later = middle;
    }
    return recorded;
  }
}
