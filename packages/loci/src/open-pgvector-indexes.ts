import { ledgerIdentity } from "@loci/engine";
import type { Ledger } from "@loci/ledger";
import type { PgvectorStoreOptions } from "@loci/store-pgvector";
import type { OpenedIndexes } from "./opened-indexes.ts";

/** Indexes in PostgreSQL with pgvector. A schema belongs to the data directory that opened it first. */
export interface PgvectorIndex extends Omit<PgvectorStoreOptions, "owner"> {
  readonly kind: "pgvector";
}

/** Opens them. What it takes to talk to PostgreSQL is loaded now and not before. */
export async function openPgvectorIndexes(index: PgvectorIndex, ledger: Ledger): Promise<OpenedIndexes> {
  const { openPgvectorStore } = await import("@loci/store-pgvector");
  return openPgvectorStore({ ...index, owner: await ledgerIdentity(ledger) });
}

/** Removes them from the database. */
export async function removePgvectorIndexes(index: PgvectorIndex): Promise<void> {
  const { removePgvectorStore } = await import("@loci/store-pgvector");
  await removePgvectorStore(index);
}
