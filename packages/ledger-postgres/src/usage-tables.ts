import type { CallOptions, Instant, Ref, TenantId } from "@loci/domain";
import type { ModelAccount, ModelUsageEntry, ModelUsageTable, UsageEntry } from "@loci/ledger";
import { saturated } from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import { type Statement, statement } from "./statement.ts";

/** In the order of the refs, so that two servers never wait for each other's rows. */
const addUsage = statement(
  `INSERT INTO usage AS u (tenant, ref, access_count, last_accessed_at)
     SELECT m.tenant, m.ref, added.count, added.at
       FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS added (ref, count, at)
       JOIN memories AS m ON m.tenant = $1 AND m.ref = added.ref ORDER BY m.ref
     ON CONFLICT (tenant, ref) DO UPDATE SET access_count = u.access_count + excluded.access_count,
       last_accessed_at = greatest(u.last_accessed_at, excluded.last_accessed_at)`,
);

const addShown = statement(
  `INSERT INTO shown AS s (tenant, ref, count)
     SELECT m.tenant, m.ref, count(*) FROM unnest($2::text[]) AS added (ref)
       JOIN memories AS m ON m.tenant = $1 AND m.ref = added.ref GROUP BY m.tenant, m.ref ORDER BY m.ref
     ON CONFLICT (tenant, ref) DO UPDATE SET count = s.count + excluded.count`,
);

const readShown: Statement<{ readonly ref: Ref; readonly count: number }> = statement(
  "SELECT ref, count FROM shown WHERE tenant = $1 AND ref = ANY ($2::text[])",
);

const columns = ["input_tokens", "cached_input_tokens", "output_tokens"];

/** The account of the tenant itself, which has no session, and that of the session if there is one. */
export const addModelUsage: Statement<Record<string, never>> = statement(
  `INSERT INTO model_usage AS a (tenant, session, model, calls, input_tokens, cached_input_tokens, output_tokens)
     SELECT $1, account.session, $3, 1, $4, $5, $6 FROM unnest($2::text[]) AS account (session) ORDER BY account.session
     ON CONFLICT (tenant, session, model) DO UPDATE SET calls = a.calls + 1,
       ${columns.map((column) => `${column} = ${saturated("least", `a.${column} + excluded.${column}`)}`).join(", ")}`,
);

const readModelUsage: Statement<ModelAccount> = statement(
  // Sums that were written before they had a limit may be beyond it.
  `SELECT model, calls, ${saturated("least", "input_tokens")} AS "inputTokens",
       ${saturated("least", "cached_input_tokens")} AS "cachedInputTokens",
       ${saturated("least", "output_tokens")} AS "outputTokens"
     FROM model_usage WHERE tenant = $1 AND session = $2 ORDER BY model`,
);

/** Stands in the place of the session for the account of the tenant itself. */
const tenantAccount = "";

/** Adds to the usage counters. Refs that do not exist are passed over. */
export async function recordUsage(
  connections: Connections,
  tenant: TenantId,
  entries: readonly UsageEntry[],
): Promise<void> {
  const added = new Map<Ref, { count: number; at: Instant }>();
  for (const { ref, at } of entries) {
    const before = added.get(ref);
    added.set(ref, { count: (before?.count ?? 0) + 1, at: Math.max(at, before?.at ?? at) });
  }
  const sums = [...added.values()];
  const values = [tenant, [...added.keys()], sums.map(({ count }) => count), sums.map(({ at }) => at)];
  await connections.write({ tenant }, addUsage, values);
}

/** Adds to how often memories were shown. Refs that do not exist are passed over. */
export async function recordShown(connections: Connections, tenant: TenantId, refs: readonly Ref[]): Promise<void> {
  await connections.write({ tenant }, addShown, [tenant, refs]);
}

/** How often memories were shown; those that never were are absent. */
export async function shownCounts(
  connections: Connections,
  tenant: TenantId,
  refs: readonly Ref[],
  call: CallOptions | undefined,
): Promise<ReadonlyMap<Ref, number>> {
  const rows = await connections.read({ tenant }, readShown, [tenant, refs], call);
  return new Map(rows.map(({ ref, count }) => [ref, count]));
}

/** What `addModelUsage` takes behind the tenant. */
export function modelUsageValues(entry: ModelUsageEntry): readonly unknown[] {
  const { session, model, inputTokens, cachedInputTokens, outputTokens } = entry;
  const accounts = session === undefined ? [tenantAccount] : [tenantAccount, session];
  return [accounts, model, inputTokens, cachedInputTokens, outputTokens];
}

export function modelUsageTable(connections: Connections): ModelUsageTable {
  return {
    add: async (tenant, entry) => {
      await connections.write({ tenant }, addModelUsage, [tenant, ...modelUsageValues(entry)]);
    },
    read: async (tenant, session = tenantAccount) => {
      const rows = await connections.read({ tenant }, readModelUsage, [tenant, session]);
      return rows.map((row) => ({ ...row }));
    },
  };
}
