import type { KeptReceiptsOptions } from "@loci/loci";
import { refusedVariable } from "./refused-variable.ts";

const variable = "LOCI_RECEIPTS_KEEP";
const byDefault = "24h";

/**
 * How long receipts of contexts are kept in a directory that is opened by this process: by the variable that a server reads, too, and by
 * default as long as on a server of one's own.
 *
 * @throws LociError `INVALID_CONFIGURATION` for a value that is none
 */
export async function receiptSettings(): Promise<KeptReceiptsOptions | undefined> {
  const { receiptTimeOf } = await import("@loci/loci");
  const given = process.env[variable] ?? "";
  const keepMilliseconds = receiptTimeOf(given === "" ? byDefault : given);
  if (keepMilliseconds === undefined) throw refusedVariable(variable, "off, or a time from 1m to 30d");
  return keepMilliseconds === 0 ? undefined : { keepMilliseconds };
}
