import { existsSync } from "node:fs";
import { type DirectoryDivision, readDivision, shardDirectory, tenantShards, tenantsInFile } from "@loci/loci";
import { directoryFindings } from "./directory-findings.ts";
import { fail, failWith, type Finding, ok, warn } from "./finding.ts";
import { ledgerFindings, ownerFinding } from "./ledger-findings.ts";
import { servedLedgerFinding } from "./served-ledger.ts";

/**
 * How a directory is divided, whether each tenant is in one shard, and how the other shards are: the first is the directory itself.
 * Nothing for a directory that is whole.
 */
export async function shardFindings(dataDirectory: string, now: number): Promise<readonly Finding[]> {
  let division: DirectoryDivision | undefined;
  try {
    division = readDivision(dataDirectory);
  } catch (error) {
    return [failWith("shards", error)];
  }
  if (division === undefined) return [];
  const findings = [placesOf(dataDirectory, division)];
  for (let shard = 1; shard < division.shards; shard++) {
    const directory = shardDirectory(dataDirectory, shard);
    if (!existsSync(directory)) {
      findings.push(missing(shard, directory));
      continue;
    }
    const found = await directoryFindings(directory);
    const isUsable = found.every(({ check, state }) => check !== "directory" || state === "ok");
    const others = isUsable ? await ledgerOf({ shard, directory, served: dataDirectory }, now) : [];
    // One machine has one clock and mostly one disk: what is well is said once.
    const told = [...found, ...others].filter(({ check, state }) => state !== "ok" || !saidOnce.has(check));
    for (const finding of told) findings.push({ ...finding, message: `Shard ${shard}: ${finding.message}` });
  }
  return findings;
}

async function ledgerOf(
  { shard, directory, served }: { readonly shard: number; readonly directory: string; readonly served: string },
  now: number,
): Promise<readonly Finding[]> {
  const unanswered = await servedLedgerFinding(directory, { shard, served });
  return unanswered === undefined
    ? ledgerFindings(directory, now, served)
    : [ownerFinding(directory, served), unanswered];
}

/** No server starts without it. */
function missing(shard: number, directory: string): Finding {
  return fail(
    "directory",
    `Shard ${shard}: ${directory} is not there.`,
    "Put it back, or restore a backup of all shards into a new directory: no server starts without it.",
  );
}

const saidOnce: ReadonlySet<Finding["check"]> = new Set<Finding["check"]>(["permissions", "disk", "clock"]);

function placesOf(dataDirectory: string, division: DirectoryDivision): Finding {
  const { shards, placed, leftovers } = division;
  try {
    const strays = straysIn(dataDirectory, division);
    if (strays > 0)
      return fail(
        "shards",
        strays === 1
          ? "1 tenant has memories in a shard that it is not in."
          : `${strays} tenants have memories in a shard that they are not in.`,
        "Put back `shards.json` as it was, or a backup of all shards: nobody finds what is there.",
      );
  } catch (error) {
    return failWith("shards", error);
  }
  const elsewhere =
    placed.size === 1
      ? "1 tenant is elsewhere than its name says"
      : `${placed.size} tenants are elsewhere than their names say`;
  const what = `${dataDirectory} is divided into ${shards} shards; ${elsewhere}`;
  if (leftovers.length === 0) return ok("shards", `${what}.`);
  return warn(
    "shards",
    `${what}, and what ${leftovers.length} have left is still to be removed.`,
    "A server with workers removes it while it runs. When it does not, its log says why.",
  );
}

/** Tenants with a log in a shard that is not theirs, and of which nobody knows. */
function straysIn(dataDirectory: string, division: DirectoryDivision): number {
  const shardOf = tenantShards(division);
  const known = new Set(division.leftovers.map(({ tenant, shard }) => `${shard} ${tenant}`));
  let strays = 0;
  for (let shard = 0; shard < division.shards; shard++)
    for (const tenant of tenantsInFile(shardDirectory(dataDirectory, shard), { withLog: true }))
      if (shardOf(tenant) !== shard && !known.has(`${shard} ${tenant}`)) strays++;
  return strays;
}
