import { formatScope, type Instant } from "@loci/domain";
import type { ListedReceipt, ReceiptTable, StoredReceipt } from "@loci/ledger";
import type { Connections } from "./connections.ts";
import { now } from "./database-clock.ts";
import type { Pruner } from "./pruner.ts";
import { type Statement, statement } from "./statement.ts";

/** In the order of the keys, so that two servers never wait for each other's rows. Bodies lie one behind the other in `$7`. */
const put = statement(
  `INSERT INTO receipts (tenant, id, kept_until, summary, names, body)
     SELECT $1, r.id, r.keep + ${now("$9")}, r.summary, r.names, substring($7::bytea FROM r.start + 1 FOR r.length)
       FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::integer[], $8::integer[])
         AS r (id, keep, summary, names, start, length)
       WHERE NOT EXISTS (SELECT 1 FROM json_array_elements_text(r.names::json) AS named (name)
         JOIN purged AS p ON p.tenant = $1 AND p.ref = named.name)
       ORDER BY r.id
     ON CONFLICT DO NOTHING`,
);

const removeOldest = statement(
  `DELETE FROM receipts WHERE tenant = $1
     AND id <= (SELECT id FROM receipts WHERE tenant = $1 ORDER BY id DESC LIMIT 1 OFFSET $2::bigint)`,
);

const newest: Statement<ListedReceipt> = statement(
  `SELECT id, summary FROM receipts
     WHERE tenant = $1 AND ($2::text IS NULL OR id < $2) AND kept_until > ${now("$3")} ORDER BY id DESC LIMIT $4`,
);

const one: Statement<StoredReceipt> = statement(
  `SELECT id, summary, body FROM receipts WHERE tenant = $1 AND id = $2 AND kept_until > ${now("$3")}`,
  ["body"],
);

export function receiptTable(
  connections: Connections,
  pruner: Pruner,
  clock: (() => Instant) | undefined,
): ReceiptTable {
  const time = (): Instant | null => clock?.() ?? null;
  return {
    record: async (tenant, receipts, most) => {
      if (receipts.length === 0) return;
      let length = 0;
      const starts = receipts.map(({ body }) => (length += body.length) - body.length);
      await connections.write({ tenant }, put, [
        tenant,
        receipts.map(({ id }) => id),
        receipts.map(({ keepMilliseconds }) => keepMilliseconds),
        receipts.map(({ summary }) => summary),
        receipts.map(({ refs, scopes }) => JSON.stringify([...refs, ...scopes.map(formatScope)])),
        starts,
        Buffer.concat(receipts.map(({ body }) => body)),
        receipts.map(({ body }) => body.length),
        time(),
      ]);
      await connections.write({ tenant }, removeOldest, [tenant, most]);
      await pruner.receipts();
    },
    list: (tenant, { before, limit }, call) =>
      connections.read({ tenant }, newest, [tenant, before ?? null, time(), limit], call),
    get: async (tenant, id, call) => {
      const [row] = await connections.read({ tenant }, one, [tenant, id, time()], call);
      return row;
    },
  };
}
