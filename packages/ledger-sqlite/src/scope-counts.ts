import type { DatabaseSync } from "node:sqlite";
import type { Ref, ScopeMemories, TenantId } from "@loci/domain";
import type { ScopesQuery } from "@loci/ledger";
import { scopeOfColumns, type ScopeStretch, scopeStretches } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";

/** Entries of an index that are counted between two looks at the clock: about a millisecond. */
const defaultEntriesPerStep = 16_384;

interface NamedScope {
  readonly id: number;
  readonly name: string;
}

/** Where in the index of a scope's texts a count goes on. */
interface IndexPlace {
  readonly text_key: string;
  readonly ref: Ref;
}

const beginning: IndexPlace = { text_key: "", ref: "" as Ref };

/** Counts the active memories of scopes: in an index that has nothing else. */
export class ScopeCounts {
  readonly #behind: Query<NamedScope>;
  readonly #named: Query<NamedScope>;
  readonly #count: Query<{ counted: number }>;
  readonly #place: Query<IndexPlace>;
  readonly #entriesPerStep: number;

  constructor(database: DatabaseSync, entriesPerStep: number = defaultEntriesPerStep) {
    this.#entriesPerStep = entriesPerStep;
    const ofKind = "tenant = (SELECT id FROM tenants WHERE name = ?) AND kind = ?";
    this.#behind = prepareQuery(
      database,
      `SELECT id, name FROM scopes WHERE ${ofKind} AND name > ? ORDER BY name LIMIT ${rowsPerStep}`,
    );
    this.#named = prepareQuery(database, `SELECT id, name FROM scopes WHERE ${ofKind} AND name = ?`);
    const entries = "FROM memories WHERE scope = ? AND active = 1 AND (text_key, ref) > (?, ?)";
    this.#count = prepareQuery(
      database,
      `SELECT count(*) AS counted FROM (SELECT 1 ${entries} LIMIT ${entriesPerStep}) AS entries`,
    );
    this.#place = prepareQuery(
      database,
      `SELECT text_key, ref ${entries} ORDER BY text_key, ref LIMIT 1 OFFSET ${entriesPerStep - 1}`,
    );
  }

  async read(tenant: TenantId, query: ScopesQuery, pace: ReadingPace): Promise<ScopeMemories[]> {
    const found: ScopeMemories[] = [];
    for (const stretch of scopeStretches(query))
      for (let scopes = this.#first(tenant, stretch); scopes.length > 0; scopes = this.#next(tenant, stretch, scopes))
        for (const { id, name } of scopes) {
          if (found.length === query.limit) return found;
          const memories = await this.#memoriesOf(id, pace);
          // Its memories were forgotten, or it holds something else.
          if (memories > 0) found.push({ scope: scopeOfColumns(stretch.kind, name), memories });
          await pace.step();
        }
    return found;
  }

  #first(tenant: TenantId, stretch: ScopeStretch): readonly NamedScope[] {
    if ("after" in stretch) return this.#behind.all(tenant, stretch.kind, stretch.after);
    return stretch.ids.flatMap((id) => this.#named.get(tenant, stretch.kind, id) ?? []);
  }

  #next(tenant: TenantId, stretch: ScopeStretch, before: readonly NamedScope[]): readonly NamedScope[] {
    const last = before.at(-1);
    if ("ids" in stretch || last === undefined || before.length < rowsPerStep) return [];
    return this.#behind.all(tenant, stretch.kind, last.name);
  }

  async #memoriesOf(scope: number, pace: ReadingPace): Promise<number> {
    let memories = 0;
    for (let after: IndexPlace | undefined = beginning; after !== undefined;) {
      const { text_key, ref }: IndexPlace = after;
      const counted = this.#count.get(scope, text_key, ref)?.counted ?? 0;
      memories += counted;
      if (counted < this.#entriesPerStep) break;
      after = this.#place.get(scope, text_key, ref);
      await pace.step();
    }
    return memories;
  }
}
