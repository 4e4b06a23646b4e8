import type { Transaction } from "../postgres/transaction.ts";
import type { OpenTables } from "../schema/tables.ts";
import { isSetApartSql } from "../set-apart.ts";
import { vectorReader } from "../vectors/vector-codec.ts";
import { thisScope, thisTenant } from "./kept-scopes.ts";
import type { KeptVectors } from "./kept-vectors.ts";

/** Reads all vectors of a scope. */
export async function loadVectors(
  transaction: Transaction,
  { rows }: OpenTables,
  dimensions: number,
  kept: KeptVectors,
  hasRoom: () => boolean,
): Promise<void> {
  const text = `SELECT ref, version, ${isSetApartSql}, embedding FROM ${rows}
    WHERE tenant = ${thisTenant} AND scope = ${thisScope} AND embedding IS NOT NULL`;
  const vectorAt = vectorReader(dimensions);
  await transaction.copy(text, (row) => {
    if (hasRoom()) kept.add(row.ref(0), row.number(1), row.isTrue(2), vectorAt(row, 3));
  });
}
