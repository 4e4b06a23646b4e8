import type { MemoryId } from "@loci/domain";
import type { RecalledBlock } from "./recalled-block.ts";

/** What a framework's answer says of a block: ids and numbers. It quotes nothing, and is small whatever was recalled. */
export interface BlockSummary {
  /** The memories that stand in the block, in their order. */
  readonly memories: MemoryId[];
  /** How well each of them answers, 0 to 1; null for what stands whatever is asked. */
  readonly scores: (number | null)[];
  /** What the block takes. */
  readonly tokens: number;
  /** How many memories were found and had no room in it. The receipt says why. */
  readonly leftOut: number;
}

/** Sums a block up. */
export function summaryOfBlock({ memories, tokens, receipt }: RecalledBlock): BlockSummary {
  const scores = new Map(receipt.items.map(({ id, score }) => [id, score]));
  return {
    memories: [...memories],
    scores: memories.map((id) => rounded(scores.get(id))),
    tokens,
    leftOut: receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome === "dropped").length,
  };
}

function rounded(score: number | undefined): number | null {
  return score === undefined ? null : Math.round(score * 1_000) / 1_000;
}
