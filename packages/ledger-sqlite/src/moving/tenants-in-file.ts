import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TenantId } from "@loci/domain";
import { openForReading } from "../connection.ts";
import { prepareQuery } from "../query.ts";
import { toLociError } from "../sqlite-error.ts";

/**
 * The tenants that have anything in the ledger of a directory, also beside their logs. The directory may be open.
 *
 * @param withLog whether only those with a log count. Default false
 * @throws LociError `DATA_DIRECTORY_CORRUPT`
 */
export function tenantsInFile(
  directory: string,
  { withLog = false }: { readonly withLog?: boolean } = {},
): readonly TenantId[] {
  const path = join(directory, "ledger.sqlite");
  if (!existsSync(path)) return [];
  try {
    const database = openForReading(path);
    try {
      const names = withLog
        ? "SELECT name FROM tenants WHERE head > 0"
        : "SELECT name FROM tenants UNION SELECT tenant AS name FROM settings WHERE tenant <> ''";
      return prepareQuery<{ name: TenantId }>(database, `${names} ORDER BY name`)
        .all()
        .map(({ name }) => name);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toLociError(error, path);
  }
}
