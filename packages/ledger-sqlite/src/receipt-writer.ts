import type { DatabaseSync } from "node:sqlite";
import { formatScope, type Instant } from "@loci/domain";
import { type Command, prepareCommand, prepareQuery, type Query } from "./query.ts";
import type { ReceiptsOperation } from "./write-operation.ts";

/** Writes what contexts were made of, and removes what need not be kept any more. */
export class ReceiptWriter {
  readonly #purged: Query<unknown>;
  readonly #put: Command;
  readonly #removeEnded: Command;
  readonly #removeOldest: Command;

  constructor(database: DatabaseSync) {
    this.#purged = prepareQuery(
      database,
      `SELECT 1 FROM json_each(?2) AS wanted CROSS JOIN purged AS p ON p.tenant = ?1 AND p.ref = wanted.value LIMIT 1`,
    );
    this.#put = prepareCommand(
      database,
      `INSERT INTO receipts (tenant, id, kept_until, summary, names, body) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#removeEnded = prepareCommand(database, "DELETE FROM receipts WHERE kept_until <= ?");
    this.#removeOldest = prepareCommand(
      database,
      `DELETE FROM receipts WHERE tenant = ?1
         AND id <= (SELECT id FROM receipts WHERE tenant = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
    );
  }

  record(tenant: number, { receipts, most }: Pick<ReceiptsOperation, "receipts" | "most">, now: Instant): void {
    this.#removeEnded.run(now);
    for (const { id, keepMilliseconds, summary, refs, scopes, body } of receipts) {
      if (this.#purged.get(tenant, JSON.stringify(refs)) !== undefined) continue;
      const names = JSON.stringify([...refs, ...scopes.map(formatScope)]);
      this.#put.run(tenant, id, now + keepMilliseconds, summary, names, body);
    }
    this.#removeOldest.run(tenant, most);
  }
}
