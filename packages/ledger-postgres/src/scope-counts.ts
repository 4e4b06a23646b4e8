import type { CallOptions, ScopeMemories, TenantId } from "@loci/domain";
import type { ScopesQuery } from "@loci/ledger";
import { scopeOfColumns, scopeStretches } from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import { type Statement, statement } from "./statement.ts";

interface CountedScope {
  readonly id: string;
  readonly memories: number;
}

/** How many active memories there are in the scope that a row of `of` names. */
function memoriesOf(of: string): string {
  return `SELECT count(*) AS memories FROM memories AS m
    WHERE m.tenant = $1 AND m.scope_kind = $2 AND m.scope_id = ${of}.id AND m.state = 'active'`;
}

/** The first id behind another that has active memories: null behind the last one. */
function nextId(after: string): string {
  return `(SELECT m.scope_id FROM memories AS m
    WHERE m.tenant = $1 AND m.scope_kind = $2 AND m.scope_id > ${after} AND m.state = 'active'
    ORDER BY m.scope_id LIMIT 1)`;
}

/** From each scope to the next one, so that those behind the limit are not read. $3: id to begin behind; $4: limit. */
const ofKind: Statement<CountedScope> = statement(
  `WITH RECURSIVE steps (id) AS (
     SELECT ${nextId("$3")}
     UNION ALL
     SELECT ${nextId("steps.id")} FROM steps WHERE steps.id IS NOT NULL
   )
   SELECT steps.id, (${memoriesOf("steps")}) AS memories FROM steps WHERE steps.id IS NOT NULL LIMIT $4`,
);

/** $3: ids, in the order of the answer; $4: limit. */
const ofIds: Statement<CountedScope> = statement(
  `SELECT wanted.id, counted.memories FROM unnest($3::text[]) WITH ORDINALITY AS wanted (id, number)
     CROSS JOIN LATERAL (${memoriesOf("wanted")}) AS counted
     WHERE counted.memories > 0 ORDER BY wanted.number LIMIT $4`,
);

/** Counts the active memories of scopes: in an index of active memories by scope. */
export async function readScopes(
  connections: Connections,
  tenant: TenantId,
  query: ScopesQuery,
  call: CallOptions | undefined,
): Promise<readonly ScopeMemories[]> {
  const found: ScopeMemories[] = [];
  for (const stretch of scopeStretches(query)) {
    const missing = query.limit - found.length;
    if (missing === 0) break;
    const [wanted, from] = "ids" in stretch ? [ofIds, stretch.ids] : [ofKind, stretch.after];
    const rows = await connections.read({ tenant }, wanted, [tenant, stretch.kind, from, missing], call);
    for (const { id, memories } of rows) found.push({ scope: scopeOfColumns(stretch.kind, id), memories });
  }
  return found;
}
