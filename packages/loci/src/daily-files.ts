import { randomUUID } from "node:crypto";
import { lstat, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDailyLog } from "@loci/core";
import { type CallOptions, type Loci, LociError, type ScopeInput, throwIfAborted } from "@loci/domain";
import { dayNames, shownDays } from "@loci/engine";
import { makeDirectories } from "@loci/ledger-sqlite";

export interface WriteDailyFilesOptions extends CallOptions {
  /** Whose sessions. */
  readonly scope: ScopeInput;
  /** An agent's folder: the files are `daily/yyyy-mm-dd.md` in it. It is made where there is none. */
  readonly directory: string;
  /** The last of the days, `yyyy-mm-dd`. Default: today, in the time zone. */
  readonly until?: string | undefined;
  /** How many, from 1 to 366. Default 7. */
  readonly days?: number | undefined;
  /** Where midnight is, as an IANA name such as `Europe/Berlin`. Default `UTC`. */
  readonly timeZone?: string | undefined;
}

/** What became of the files, by day, newest first. */
export interface DailyFiles {
  readonly written: readonly string[];
  /** They say already what they should. */
  readonly unchanged: readonly string[];
  /** Nothing is left of these days: their sessions were deleted or erased. */
  readonly removed: readonly string[];
  /** Somebody has written them by hand: they stay as they are. */
  readonly left: readonly string[];
}

type Outcome = keyof DailyFiles;

const mostDays = 366;
/** A file that is larger is no log of a day. */
const mostBytes = 1_048_576;

/**
 * Writes what was talked about in the sessions of a scope, a file a day, for people and for `LayeredFilesReader`. What was
 * erased or deleted since goes from the files of the days that are written again. A file is replaced as a whole, readable by
 * its owner alone; one that is no log of a day, or a link, is left alone.
 *
 * @throws LociError `INVALID_REQUEST` for a number of days, a date or a time zone that is none; as `sessions.dailyLog`; the
 *   system's own error where nothing can be written
 */
export async function writeDailyFiles(
  loci: Pick<Loci, "sessions">,
  { scope, directory, until, days = shownDays, timeZone = "UTC", ...call }: WriteDailyFilesOptions,
): Promise<DailyFiles> {
  if (!Number.isInteger(days) || days < 1 || days > mostDays)
    throw new LociError("INVALID_REQUEST", {
      message: `days is ${String(days)}, which is no number of days that are written at once.`,
      field: "days",
      advice: `Use 1 to ${mostDays}.`,
    });
  const [last = ""] = until === undefined ? dayNames(Date.now(), timeZone, 1) : [until];
  const noon = Date.parse(`${last}T12:00:00Z`);
  // Counted on the calendar, where every day is as long as another. `dailyLog` says what is wrong with a date that is none.
  const isDate = !Number.isNaN(noon) && new Date(noon).toISOString().startsWith(last);
  const dates = isDate ? dayNames(noon, "UTC", days) : [last];
  const outcomes: Record<Outcome, string[]> = { written: [], unchanged: [], removed: [], left: [] };
  const folder = join(directory, "daily");
  for (const date of dates) {
    throwIfAborted(call.signal);
    const text = await loci.sessions.dailyLog({ scope, date, timeZone }, call);
    const outcome = await bringUpToDate(folder, `${date}.md`, text);
    if (outcome !== undefined) outcomes[outcome].push(date);
  }
  return outcomes;
}

/**
 * @param text empty where there should be no file
 * @returns `undefined` where there was none and needs to be none
 */
async function bringUpToDate(folder: string, name: string, text: string): Promise<Outcome | undefined> {
  const path = join(folder, name);
  const there = await textOf(path);
  if (there === undefined) return "left";
  if (there === text) return text === "" ? undefined : "unchanged";
  if (there !== "" && !isDailyLog(there)) return "left";
  if (text === "") {
    await rm(path);
    return "removed";
  }
  makeDirectories(folder);
  const draft = join(folder, `.${name}.${randomUUID()}`);
  try {
    await writeFile(draft, text, { mode: 0o600, flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return "written";
}

/** What a file says: nothing where there is none, `undefined` for what is no file of ours by its kind or size. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() && found.size <= mostBytes ? await readFile(path, "utf8") : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
