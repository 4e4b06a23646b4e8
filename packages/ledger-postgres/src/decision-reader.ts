import type { CallOptions, Ref, TenantId } from "@loci/domain";
import type { Decision } from "@loci/ledger";
import type { Connections } from "./connections.ts";
import type { LedgerKeys } from "./encryption/ledger-keys.ts";
import { type Statement, statement } from "./statement.ts";

const latest: Statement<{ readonly ref: Ref; readonly reason: string; readonly details: string }> = statement(
  "SELECT ref, reason, details FROM decisions WHERE tenant = $1 AND activity = $2 AND ref = ANY ($3::text[])",
);

/** What an activity decided last about each of the memories. */
export async function readDecisions(
  { connections, keys }: { readonly connections: Connections; readonly keys: LedgerKeys },
  tenant: TenantId,
  activity: string,
  refs: readonly Ref[],
  call: CallOptions | undefined,
): Promise<ReadonlyMap<Ref, Decision>> {
  const rows = await connections.read({ tenant }, latest, [tenant, activity, refs], call);
  return new Map(
    rows.map(({ ref, reason, details: sealed }) => {
      const details = keys.details(tenant, { ref, activity }, sealed);
      return [ref, { ref, reason, details: JSON.parse(details) as Decision["details"] }];
    }),
  );
}
