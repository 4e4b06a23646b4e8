import type { MemoryId, OutdatedMark, RecallHit } from "@loci/loci";
import { formatInstant, oneLine } from "./format-text.ts";

/** Shown of the text of what holds instead, in characters. */
const shownText = 160;

/**
 * Says since when a hit is outdated, and what holds instead: by its place among the hits, or else by its text.
 *
 * @param texts by id of what is none of the hits, as far as it could be read
 */
export function outdatedWords(
  { since, isInPart, replacedBy }: OutdatedMark,
  hits: readonly Pick<RecallHit, "memory">[],
  texts: ReadonlyMap<string, string>,
): string {
  const instead = replacedBy.map((id) => named(id, hits, texts));
  const now = instead.length === 0 ? "" : `; now: ${instead.join(", ")}`;
  return `outdated${isInPart ? " in part" : ""} since ${formatInstant(since)}${now}`;
}

function named(id: MemoryId, hits: readonly Pick<RecallHit, "memory">[], texts: ReadonlyMap<string, string>): string {
  const place = hits.findIndex(({ memory }) => memory.id === id);
  if (place >= 0) return `${place + 1}.`;
  const text = texts.get(id);
  return text === undefined ? id : `${oneLine(text, shownText)} (${id})`;
}
