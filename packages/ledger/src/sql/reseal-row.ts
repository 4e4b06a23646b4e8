import { LociError, type TenantId } from "@loci/domain";
import type { Sealing } from "@loci/encryption";
import { keyIdOfField } from "./sealed-fields.ts";
import type { SealedRow, SealedTable } from "./sealed-tables.ts";

/** Whether every text of a row is sealed under the current key. */
export function isUnderCurrent({ fields }: Pick<SealedTable, "fields">, { current }: Sealing, row: SealedRow): boolean {
  return fields.every((field) => typeof row[field] !== "string" || keyIdOfField(row[field]) === current);
}

/**
 * The fields of a row sealed under the current key.
 *
 * @returns `undefined` for what cannot be opened: the rest of the table is sealed all the same
 * @throws LociError `ENCRYPTION_KEY_MISSING`
 */
export function resealRow(
  table: SealedTable,
  sealing: Sealing,
  tenant: TenantId,
  row: SealedRow,
): SealedRow | undefined {
  try {
    return table.reseal(sealing, tenant, row);
  } catch (error) {
    if (LociError.is(error) && error.reason === "DATA_DIRECTORY_CORRUPT") return undefined;
    throw error;
  }
}
