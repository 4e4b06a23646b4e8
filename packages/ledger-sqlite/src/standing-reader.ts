import type { DatabaseSync } from "node:sqlite";
import type { Instant, Ref, Sequence, TenantId } from "@loci/domain";
import type { StandingQuery } from "@loci/ledger";
import type { CurrentVersion } from "./memory-reader.ts";
import { prepareQuery, type Query } from "./query.ts";
import type { ReadingPace } from "./reading-pace.ts";

interface StandingEntry {
  readonly expires_at: Instant | null;
  readonly ref: Ref;
  readonly sequence: Sequence;
}

/** Reads which memories stand in every context of a scope: from an index of only those, in their order. */
export class StandingReader {
  readonly #ofScope: Query<StandingEntry>;

  constructor(database: DatabaseSync) {
    this.#ofScope = prepareQuery(
      database,
      `SELECT expires_at, ref, sequence FROM memories
         WHERE scope = (SELECT id FROM scopes
             WHERE tenant = (SELECT id FROM tenants WHERE name = ?) AND kind = ? AND name = ?)
           AND standing IS NOT NULL AND (expires_at IS NULL OR expires_at > ?)
         ORDER BY standing DESC, ref LIMIT ?`,
    );
  }

  /** Each once. */
  async find(
    tenant: TenantId,
    { scopes, evaluationTime, limit }: StandingQuery,
    pace: ReadingPace,
  ): Promise<CurrentVersion[]> {
    const found = new Map<Sequence, CurrentVersion>();
    for (const { kind, id = "" } of scopes) {
      for (const { ref, sequence } of this.#ofScope.all(tenant, kind, id, evaluationTime, limit))
        found.set(sequence, { ref, sequence });
      await pace.step();
    }
    return [...found.values()];
  }
}
