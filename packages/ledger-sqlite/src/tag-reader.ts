import type { DatabaseSync } from "node:sqlite";
import type { Category, Scope, TenantId } from "@loci/domain";
import { prepareQuery, type Query } from "./query.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";

/** Reads which tags there are. */
export class TagReader {
  readonly #distinct: Query<{ tag: string }>;

  constructor(database: DatabaseSync) {
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
    for (const { kind, id = "" } of scopes) {
      let after = "";
      for (;;) {
        const rows = this.#distinct.all(tenant, kind, id, category, after);
        for (const { tag } of rows) found.add(tag);
        const last = rows.at(-1);
        if (last === undefined || rows.length < rowsPerStep) break;
        after = last.tag;
        await pace.step();
      }
    }
    return [...found];
  }
}
