import { findServer } from "@loci/loci";
import { askHealth, type AskHealthOptions, type Health } from "../health/ask-health.ts";
import { askWorker } from "./ask-worker.ts";
import { fail, type Finding } from "./finding.ts";

export interface ServedLedgerOptions {
  /** Of a divided directory. Default 0: the directory itself. */
  readonly shard?: number | undefined;
  /** Where the note of its server is. Default: in the directory itself. */
  readonly served?: string | undefined;
}

/**
 * What to say instead of looking at the ledger's file, when the directory's server does not answer from its own: the file was
 * perhaps removed, moved or replaced while the server had it open, and what lies there is another.
 *
 * @returns `undefined` when there is no server, it answers from its ledger, it cannot be asked, or its worker is not there
 */
export async function servedLedgerFinding(
  directory: string,
  { shard = 0, served = directory }: ServedLedgerOptions = {},
): Promise<Finding | undefined> {
  const server = findServer(served);
  if (server === undefined) return undefined;
  const { address, tls, pid } = server;
  const health = await healthOfLedger({ address, tls }, shard).catch(() => undefined);
  if (health !== "NOT_SERVING") return undefined;
  return fail(
    "ledger",
    `Process ${pid} on ${address} serves ${directory}, but says that its ledger does not answer. What lies here may be another than it has open, and was not looked at.`,
    "Its log has a line with the event `health`. With DATA_DIRECTORY_MOVED the file was removed, moved or replaced under it: stop it, put the directory back as it was, or a backup in its place, and start it again.",
  );
}

/** @returns `undefined` when nobody has it open */
async function healthOfLedger(server: AskHealthOptions, shard: number): Promise<Health | undefined> {
  const process = await askWorker(server, { number: shard, part: "process" });
  if (process === undefined) return askHealth({ ...server, part: "ledger" });
  return process === "SERVING" ? askWorker(server, { number: shard, part: "ledger" }) : undefined;
}
