import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { inspectLedgerFile, type LedgerFileFacts } from "@loci/loci";
import { fail, failWith, type Finding, ok, warn } from "./finding.ts";

const folder = "git-mirrors";
/** How long a change may take to get there, in milliseconds: a server brings them at once. */
const patience = 60_000;
const whatItMeans = "Nothing is lost, and the mirrors are brought up to date once they can be written.";

/**
 * Whether the git mirrors of blocks can be written, and have what happened to blocks. Changes nothing.
 *
 * @param ledgerIsHere whether the ledger is in the directory as well
 */
export function mirrorFinding(directory: string, now: number, ledgerIsHere: boolean): Finding {
  const path = join(directory, folder);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true && !isWritable(path))
      return fail("mirrors", `This user may not write ${path}.`, `Give it to the server's user. ${whatItMeans}`);
    const ledger = join(directory, "ledger.sqlite");
    return ledgerIsHere && existsSync(ledger) ? behind(inspectLedgerFile(ledger, 0), now) : canBeWritten;
  } catch (error) {
    return failWith("mirrors", error);
  }
}

const canBeWritten = ok("mirrors", "Git mirrors of blocks can be written.");

function behind({ unmirrored }: LedgerFileFacts, now: number): Finding {
  if (unmirrored === undefined || unmirrored.since > now - patience) return canBeWritten;
  const { changes, since } = unmirrored;
  return warn(
    "mirrors",
    `Git mirrors lack ${changes} ${changes === 1 ? "change" : "changes"} of blocks since ${new Date(since).toISOString()}.`,
    `A running server brings them at once: look for gitMirrors in its log, and for what refuses files in ${folder}. ${whatItMeans}`,
  );
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
