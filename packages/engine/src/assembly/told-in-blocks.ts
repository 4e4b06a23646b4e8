import type { AssemblyInput } from "@loci/core";
import type { Memory } from "@loci/domain";
import { archivedTag } from "../blocks/archived-memories.ts";

/** What stands before the entries of a field in the text of a block. */
const fieldTag = /^\[[^\]]{1,80}\] /u;

/**
 * Memories without those that left a block and are in it again: learned once more, or brought back by a restored version. The
 * context tells them with the block.
 */
export function notToldInBlocks<Shown extends { readonly memory: Pick<Memory, "tags" | "text"> }>(
  shown: readonly Shown[],
  kept: AssemblyInput["kept"],
): readonly Shown[] {
  if (kept === undefined || !shown.some(({ memory }) => memory.tags.includes(archivedTag))) return shown;
  const told = new Set(kept.flatMap(({ text }) => text.split("\n").flatMap(entriesOf)));
  return shown.filter(({ memory: { tags, text } }) => !tags.includes(archivedTag) || !told.has(text));
}

function entriesOf(line: string): readonly string[] {
  return line.replace(fieldTag, "").split("; ");
}
