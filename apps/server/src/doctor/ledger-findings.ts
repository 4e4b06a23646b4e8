import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  directoryOwner,
  findServer,
  findStartingServer,
  inspectLedgerFile,
  type LedgerFileFacts,
  missingIndexFiles,
} from "@loci/loci";
import { fail, failWith, type Finding, ok, warn } from "./finding.ts";

/** A larger ledger would take more than some seconds to read through. */
const mostBytesRead = 512 * 1024 * 1024;
/** Of more tenants than these not every index is looked at. */
const mostTenantsRead = 10_000;
const littleLag = 1_000;
const minute = 60_000;

/**
 * Who has the directory open, and how ledger and indexes are. Changes nothing.
 *
 * @param served where the note of its server is. Default: in the directory itself
 */
export function ledgerFindings(directory: string, now: number, served: string = directory): readonly Finding[] {
  const findings = [ownerFinding(directory, served)];
  const path = join(directory, "ledger.sqlite");
  const hasIndexes = existsSync(join(directory, "index"));
  if (!existsSync(path)) return [...findings, hasIndexes ? lost(`${path} is not there`) : nothingStored];
  try {
    const facts = inspectLedgerFile(path, mostBytesRead);
    // Not one step of a schema was ever made in it.
    if (facts.version === 0 && hasIndexes) return [...findings, lost(`${path} is empty`)];
    return [
      ...findings,
      ledger(path, facts),
      fileForIndexes(directory) ?? missingFiles(directory) ?? indexes(facts),
      clock(facts, now),
    ];
  } catch (error) {
    return [...findings, failWith("ledger", error)];
  }
}

const nothingStored = warn(
  "ledger",
  "Nothing was ever stored here.",
  "Remember something, or look whether this is the right directory.",
);

/** @param how what is wrong with its file */
function lost(how: string): Finding {
  return fail(
    "ledger",
    `${how}, but indexes are there: the ledger was probably lost.`,
    "Put it back, or restore a backup into a new directory. To begin without the memories, remove `index`.",
  );
}

/** @param served where the note of its server is. Default: in the directory itself */
export function ownerFinding(directory: string, served: string = directory): Finding {
  try {
    const { isOpen, pid } = directoryOwner(directory);
    const server = findServer(served);
    if (isOpen && server !== undefined)
      return ok("owner", `It is served by process ${server.pid} on ${server.address}.`);
    const starting = findStartingServer(served);
    if (isOpen && starting !== undefined)
      return ok(
        "owner",
        `A server is starting in it: process ${starting}. Its log has a line \`started\` when it serves.`,
      );
    if (isOpen)
      return warn(
        "owner",
        `It is open in ${pid === undefined ? "another process" : `process ${pid}`}, which is no server.`,
        "Others cannot open it meanwhile. To share it, run `loci serve` and connect.",
      );
    return ok("owner", "Nobody has it open.");
  } catch (error) {
    return failWith("owner", error);
  }
}

function ledger(path: string, { version, newestVersion, tenants, isRead, keyIds }: LedgerFileFacts): Finding {
  if (version < newestVersion)
    return warn(
      "ledger",
      `${path} has schema version ${version}; the next start brings it to ${newestVersion}, and older versions of Loci then refuse it.`,
      "Take a backup with the version that wrote it before you start this one.",
    );
  const looked = isRead
    ? `pages and indexes are in order, and every memory ${keyIds.length === 0 ? "" : "that is not encrypted "}has the text that was written`
    : "it is too large to be read through here: `loci verify` reads its log, and compares it with the indexes";
  const sealed =
    keyIds.length === 0
      ? ""
      : ` Encrypted under ${keyIds.map((id) => JSON.stringify(id)).join(", ")}: \`loci verify\` compares those, with the keys.`;
  return ok(
    "ledger",
    `Schema version ${version}, ${tenants} ${tenants === 1 ? "tenant" : "tenants"}; ${looked}.${sealed}`,
  );
}

/** What stands where the folder of the indexes should be, which is made with the first of them. */
function fileForIndexes(directory: string): Finding | undefined {
  const path = join(directory, "index");
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return undefined;
  const advice = "Stop what uses the directory, and move the file away: the indexes are made again from the ledger.";
  return fail("indexes", `${path} is a file, where the folder of the indexes should be.`, advice);
}

/** Files of the embedded indexes that somebody has removed or damaged: nothing is lost with them. */
function missingFiles(directory: string): Finding | undefined {
  const missing = missingIndexFiles(join(directory, "index"), mostTenantsRead);
  const [first] = missing;
  if (first === undefined) return undefined;
  return warn(
    "indexes",
    `${first}${missing.length === 1 ? " is" : ` and ${missing.length - 1} more are`} missing or damaged.`,
    "Nothing is lost. Stop the server if there is one, and run `loci verify`: they are made again from the ledger.",
  );
}

function indexes({ lags }: LedgerFileFacts): Finding {
  const behind = lags.filter(({ changes }) => changes > 0);
  if (behind.length === 0) return ok("indexes", "They have taken in everything there is.");
  const shown = behind
    .map(({ projection, changes }) => `${changes} by ${projection.split(":", 2).join(" in ")}`)
    .join(", ");
  const most = Math.max(...behind.map(({ changes }) => changes));
  if (most <= littleLag) return ok("indexes", `Changes that they have not taken in yet: ${shown}. It takes a moment.`);
  return warn(
    "indexes",
    `Changes that they have not taken in yet: ${shown}.`,
    "A running server catches up; when it does not, its log says why. Indexes of an earlier place stay behind until `loci reindex --drop-old`.",
  );
}

function clock({ newestChange }: LedgerFileFacts, now: number): Finding {
  const shown = new Date(now).toISOString();
  if (newestChange === undefined || newestChange <= now + minute) return ok("clock", `It is ${shown}.`);
  return warn(
    "clock",
    `It is ${shown}, but the newest change was recorded at ${new Date(newestChange).toISOString()}.`,
    "Set the clock: what expires, is forgotten or limited goes by it.",
  );
}
