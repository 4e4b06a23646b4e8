import { hash } from "node:crypto";
import { LociError, type MemoryRecord } from "@loci/domain";
import type { DamagedEntry } from "../checked-entries.ts";
import { memoriesFamily } from "../log-entry.ts";
import type { EntryRow } from "./rows.ts";
import { isSealedText } from "./sealed-fields.ts";

/** What of an entry is needed to tell whether it is whole. */
export type CheckedRow = Pick<EntryRow, "sequence" | "family" | "type" | "ref" | "version" | "content_hash" | "record">;

/**
 * What is wrong with an entry, by what the log holds twice: a memory's text and its hash, its id and version and those of the
 * entry. Entries of other families have no hash: of them only is told what cannot be read at all. `undefined`: nothing is.
 *
 * @param open gives the row as it was before it was encrypted. Default: nothing is encrypted
 * @throws LociError `ENCRYPTION_KEY_MISSING`
 */
export function damageOfEntry(
  row: CheckedRow,
  open: (row: CheckedRow) => CheckedRow = (plain) => plain,
): DamagedEntry | undefined {
  const damage = damageOf(row, open);
  if (damage === undefined) return undefined;
  const { sequence, family, ref, version } = row;
  return { sequence, family, ref, version, damage };
}

function damageOf(row: CheckedRow, open: (row: CheckedRow) => CheckedRow): DamagedEntry["damage"] | undefined {
  const { family, type, ref, version, content_hash: written } = row;
  const isVersion = family === memoriesFamily && type === "memoryWritten";
  let record: string | null;
  try {
    ({ record } = open(row));
  } catch (error) {
    if (LociError.is(error) && error.reason === "ENCRYPTION_KEY_MISSING") throw error;
    return "content";
  }
  // Nobody has given the keys that it takes to tell.
  if (isSealedText(record)) return undefined;
  if (record === null) return isVersion ? "content" : undefined;
  let content: unknown;
  try {
    content = JSON.parse(record);
  } catch {
    return "content";
  }
  // Versions and tombstones; kinds of a newer version of Loci may hold anything.
  if (family !== memoriesFamily || !(isVersion || type === "memoryRemoved")) return undefined;
  const { id, version: ownVersion, text } = (content ?? {}) as Partial<MemoryRecord>;
  if (id !== ref || ownVersion !== version || typeof text !== "string") return "content";
  return written === "" || hash("sha256", text, "hex") === written ? undefined : "text";
}
