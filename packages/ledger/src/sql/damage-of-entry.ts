import { hash } from "node:crypto";
import type { MemoryRecord } from "@loci/domain";
import type { DamagedEntry } from "../checked-entries.ts";
import { memoriesFamily } from "../log-entry.ts";
import type { EntryRow } from "./rows.ts";

/** What of an entry is needed to tell whether it is whole. */
export type CheckedRow = Pick<EntryRow, "sequence" | "family" | "type" | "ref" | "version" | "content_hash" | "record">;

/**
 * What is wrong with an entry, by what the log holds twice: a memory's text and its hash, its id and version and those of the
 * entry. Entries of other families have no hash: of them only is told what cannot be read at all. `undefined`: nothing is.
 */
export function damageOfEntry(row: CheckedRow): DamagedEntry | undefined {
  const damage = damageOf(row);
  if (damage === undefined) return undefined;
  const { sequence, family, ref, version } = row;
  return { sequence, family, ref, version, damage };
}

function damageOf({
  family,
  type,
  ref,
  version,
  content_hash: written,
  record,
}: CheckedRow): DamagedEntry["damage"] | undefined {
  const isVersion = family === memoriesFamily && type === "memoryWritten";
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
