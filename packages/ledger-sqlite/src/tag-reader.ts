import type { DatabaseSync } from "node:sqlite";
import type { Category, Scope, TenantId } from "@loci/domain";
import type { LedgerSealing } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";
import type { RecentTags } from "./recent-tags.ts";

/** Reads which tags there are. */
export class TagReader {
  readonly #distinct: Query<{ tag: string }>;
  readonly #recent: RecentTags;
  readonly #sealing: LedgerSealing;

  constructor(database: DatabaseSync, recent: RecentTags, sealing: LedgerSealing) {
    this.#recent = recent;
    this.#sealing = sealing;
    const scope =
      "(SELECT id FROM scopes WHERE tenant = (SELECT id FROM tenants WHERE name = ?) AND kind = ? AND name = ?)";
    // From each tag to the next larger one: a tag of very many memories costs no more than one of a single memory.
    this.#distinct = prepareQuery(
      database,
      `WITH RECURSIVE steps (scope, category, tag) AS (
         SELECT scope, category, min(tag) FROM tags WHERE scope = ${scope} AND category = ? AND tag > ?
         UNION ALL
         SELECT scope, category, (SELECT min(tag) FROM tags AS next
             WHERE next.scope = steps.scope AND next.category = steps.category AND next.tag > steps.tag)
           FROM steps WHERE tag IS NOT NULL
       )
       SELECT tag FROM steps WHERE tag IS NOT NULL LIMIT ${rowsPerStep}`,
    );
  }

  async ofCategory(
    tenant: TenantId,
    scopes: readonly Scope[],
    category: Category,
    pace: ReadingPace,
  ): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const scope of scopes) {
      const known = this.#recent.get(tenant, scope, category);
      if (known !== undefined) {
        for (const tag of known) found.add(tag);
        continue;
      }
      let sealed = this.#after(tenant, scope, category, "");
      let tags = this.#words(tenant, sealed);
      // What takes several steps is not of one time.
      if (tags.length < rowsPerStep) this.#recent.keep(tenant, scope, category, tags);
      for (const tag of tags) found.add(tag);
      while (sealed.length === rowsPerStep) {
        await pace.step();
        sealed = this.#after(tenant, scope, category, sealed.at(-1) as string);
        tags = this.#words(tenant, sealed);
        for (const tag of tags) found.add(tag);
      }
    }
    return [...found];
  }

  #words(tenant: TenantId, sealed: readonly string[]): readonly string[] {
    return sealed.map((tag) => this.#sealing.columns.word(tenant, "tag", tag));
  }

  /** Those of one step as they stand there, in their order. @param tag the last one before them */
  #after(tenant: TenantId, { kind, id = "" }: Scope, category: Category, tag: string): readonly string[] {
    return this.#distinct.all(tenant, kind, id, category, tag).map((row) => row.tag);
  }
}
