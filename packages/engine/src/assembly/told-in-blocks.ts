import type { AssemblyInput } from "@loci/core";
import type { Memory } from "@loci/domain";
import { archivedTag } from "../blocks/archived-memories.ts";

/** What stands before the entries of a field in the text of a block. */
const fieldTag = /^\[[^\]]{1,80}\] /u;

/** Memories, by whether a block of the context tells them. */
export interface ToldOrNot<Shown> {
  readonly told: readonly Shown[];
  readonly others: readonly Shown[];
}

/**
 * Which memories have left a block and are in it again: learned once more, or brought back by a restored version. The context tells
 * them with the block.
 */
export function toldInBlocks<Shown extends { readonly memory: Pick<Memory, "tags" | "text"> }>(
  memories: readonly Shown[],
  kept: AssemblyInput["kept"],
): ToldOrNot<Shown> {
  const isArchived = ({ memory: { tags } }: Shown): boolean => tags.includes(archivedTag);
  if (kept === undefined || !memories.some(isArchived)) return { told: [], others: memories };
  const entries = new Set(kept.flatMap(({ text }) => text.split("\n").flatMap(entriesOf)));
  const isTold = (shown: Shown): boolean => isArchived(shown) && entries.has(shown.memory.text);
  return { told: memories.filter(isTold), others: memories.filter((shown) => !isTold(shown)) };
}

function entriesOf(line: string): readonly string[] {
  return line.replace(fieldTag, "").split("; ");
}
