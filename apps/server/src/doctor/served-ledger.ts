import { findServer } from "@loci/loci";
import { askHealth } from "../health/ask-health.ts";
import { fail, type Finding } from "./finding.ts";

/**
 * What to say instead of looking at the ledger's file, when the directory's server does not answer from its own: the file was
 * perhaps removed, moved or replaced while the server had it open, and what lies there is another.
 *
 * @returns `undefined` when there is no server, it answers from its ledger, or it cannot be asked
 */
export async function servedLedgerFinding(directory: string): Promise<Finding | undefined> {
  const server = findServer(directory);
  if (server === undefined) return undefined;
  const { address, tls, pid } = server;
  const health = await askHealth({ address, tls, part: "ledger" }).catch(() => undefined);
  if (health !== "NOT_SERVING") return undefined;
  return fail(
    "ledger",
    `Process ${pid} on ${address} serves ${directory}, but says that its ledger does not answer. What lies here may be another than it has open, and was not looked at.`,
    "Its log has a line with the event `health`. With DATA_DIRECTORY_MOVED the file was removed, moved or replaced under it: stop it, put the directory back as it was, or a backup in its place, and start it again.",
  );
}
