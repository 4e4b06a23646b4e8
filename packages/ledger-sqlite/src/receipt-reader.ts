import type { DatabaseSync } from "node:sqlite";
import type { Instant, TenantId } from "@loci/domain";
import type { ListedReceipt, ReceiptQuery, StoredReceipt } from "@loci/ledger";
import { prepareQuery, type Query } from "./query.ts";

/** Behind every id. */
const last = "~";

/** Reads what contexts were made of. */
export class ReceiptReader {
  readonly #newest: Query<ListedReceipt>;
  readonly #one: Query<StoredReceipt>;

  constructor(database: DatabaseSync) {
    const ofTenant = "tenant = (SELECT id FROM tenants WHERE name = ?1)";
    this.#newest = prepareQuery(
      database,
      `SELECT id, summary FROM receipts WHERE ${ofTenant} AND id < ?2 AND kept_until > ?3 ORDER BY id DESC LIMIT ?4`,
    );
    this.#one = prepareQuery(
      database,
      `SELECT id, summary, body FROM receipts WHERE ${ofTenant} AND id = ?2 AND kept_until > ?3`,
    );
  }

  list(tenant: TenantId, { before = last, limit }: ReceiptQuery, now: Instant): readonly ListedReceipt[] {
    return this.#newest.all(tenant, before, now, limit).map(({ id, summary }) => ({ id, summary }));
  }

  get(tenant: TenantId, id: string, now: Instant): StoredReceipt | undefined {
    const row = this.#one.get(tenant, id, now);
    return row && { id: row.id, summary: row.summary, body: row.body };
  }
}
