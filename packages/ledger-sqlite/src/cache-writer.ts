import type { DatabaseSync } from "node:sqlite";
import { blobOf } from "@loci/ledger/sql";
import { type Command, prepareCommand } from "./query.ts";
import type { CacheOperation } from "./write-operation.ts";

/** Writes the embedding cache and keeps it at a fixed number of rows. */
export class CacheWriter {
  readonly #put: Command;
  readonly #dropOldest: Command;
  readonly #maxRows: number;

  constructor(database: DatabaseSync, maxRows: number) {
    this.#maxRows = maxRows;
    this.#put = prepareCommand(
      database,
      `INSERT INTO embedding_cache (tenant, key, vector) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET vector = excluded.vector`,
    );
    // But for what is purged rows only leave at the low end, so that the distance of the ids is the number of rows.
    this.#dropOldest = prepareCommand(
      database,
      "DELETE FROM embedding_cache WHERE id <= (SELECT max(id) FROM embedding_cache) - ?",
    );
  }

  put(tenant: number, operation: CacheOperation): void {
    for (const [index, key] of operation.keys.entries()) {
      const { start, end } = operation.bounds[index] ?? { start: 0, end: 0 };
      this.#put.run(tenant, key, blobOf(operation.values, start, end));
    }
    this.#dropOldest.run(this.#maxRows);
  }
}
