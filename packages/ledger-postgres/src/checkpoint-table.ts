import type { Checkpoint, CheckpointTable } from "@loci/ledger";
import { sealCheckpoint } from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import type { LedgerKeys, TenantKey } from "./encryption/ledger-keys.ts";
import { type Statement, statement } from "./statement.ts";

/** Until the end nobody brings the tenant under another key. */
const holdKey: Statement<{ readonly columns_key: TenantKey }> = statement(
  "SELECT columns_key FROM tenants WHERE tenant = $1 FOR SHARE",
);

const removeOthers = statement("DELETE FROM checkpoints WHERE tenant = $1 AND ref = $2 AND reading <> $3");

/**
 * The resource is held until the end: whoever removes it meanwhile waits, and then finds what was added. In the order of the keys, so
 * that two servers never wait for each other's rows.
 */
const put = statement(
  `WITH resource AS (
     SELECT r.ref FROM resources AS r WHERE r.tenant = $1 AND r.ref = $2 AND r.state IS NOT NULL FOR SHARE)
   INSERT INTO checkpoints (tenant, ref, reading, through, outline, state)
     SELECT $1, resource.ref, $3, added.through, added.outline, added.state
       FROM resource CROSS JOIN unnest($4::bigint[], $5::text[], $6::text[]) AS added (through, outline, state)
       ORDER BY added.through
     ON CONFLICT DO NOTHING`,
);

const outlines: Statement<Omit<Checkpoint, "state">> = statement(
  "SELECT through, outline FROM checkpoints WHERE tenant = $1 AND ref = $2 AND reading = $3 ORDER BY through",
);

const stateAt: Statement<{ readonly state: string }> = statement(
  "SELECT state FROM checkpoints WHERE tenant = $1 AND ref = $2 AND reading = $3 AND through = $4",
);

/** What was read of long resources. Removing and purging resources removes their rows. */
export function checkpointTable(connections: Connections, keys: LedgerKeys): CheckpointTable {
  return {
    add: async (tenant, { ref, reading }, checkpoints, { replaces = false } = {}) => {
      connections.throwIfClosing();
      if (checkpoints.length === 0 && !replaces) return;
      await connections.transaction({ tenant }, async (send, commit) => {
        const [held] = await send(holdKey, [tenant]);
        const { fields } = keys.under(held?.columns_key ?? null);
        const sealed = checkpoints.map((checkpoint) => sealCheckpoint(fields, tenant, { ref, reading }, checkpoint));
        const values = [
          sealed.map(({ through }) => through),
          sealed.map(({ outline }) => outline),
          sealed.map(({ state }) => state),
        ];
        const others = replaces ? [send(removeOthers, [tenant, ref, reading])] : [];
        await commit([...others, send(put, [tenant, ref, reading, ...values])]);
      });
    },
    outlines: async (tenant, owner, call) => {
      const rows = await connections.read({ tenant }, outlines, [tenant, owner.ref, owner.reading], call);
      return rows.map(({ through, outline: text }) => ({
        through,
        outline: keys.checkpointText(tenant, owner, { through, field: "outline", text }),
      }));
    },
    state: async (tenant, owner, through, call) => {
      const [row] = await connections.read({ tenant }, stateAt, [tenant, owner.ref, owner.reading, through], call);
      return row && keys.checkpointText(tenant, owner, { through, field: "state", text: row.state });
    },
  };
}
