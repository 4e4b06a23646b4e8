import { randomUUID } from "node:crypto";
import type { Ledger } from "@loci/ledger";
import type { PgvectorStoreOptions } from "@loci/store-pgvector";
import type { OpenIndexes } from "./open-indexes.ts";

/** Indexes in PostgreSQL with pgvector. A schema belongs to the data directory that opened it first. */
export interface PgvectorIndex extends Omit<PgvectorStoreOptions, "owner"> {
  readonly kind: "pgvector";
}

/** The name, in the ledger's settings, of what tells it from every other ledger. */
const ownerSetting = "index_owner";

/** Opens them. What it takes to talk to PostgreSQL is loaded now and not before. */
export async function openPgvectorIndexes(index: PgvectorIndex, ledger: Ledger): Promise<OpenIndexes> {
  const { openPgvectorStore } = await import("@loci/store-pgvector");
  return openPgvectorStore({ ...index, owner: await ownerOf(ledger) });
}

/** Removes them from the database. */
export async function removePgvectorIndexes(index: PgvectorIndex): Promise<void> {
  const { removePgvectorStore } = await import("@loci/store-pgvector");
  await removePgvectorStore(index);
}

/** Makes a ledger that was restored the owner of nothing: the indexes outside its directory may be ahead of it. */
export async function forgetOwner(ledger: Ledger): Promise<void> {
  await ledger.settings.set(undefined, ownerSetting, undefined);
}

async function ownerOf(ledger: Ledger): Promise<string> {
  const known = await ledger.settings.get(undefined, ownerSetting);
  if (known !== undefined) return known;
  const owner = randomUUID();
  await ledger.settings.set(undefined, ownerSetting, owner);
  return owner;
}
