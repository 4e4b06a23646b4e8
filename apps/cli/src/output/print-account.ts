import { explanationOf } from "@loci/domain";
import type { MemoryAccount } from "@loci/loci";
import { printLine } from "./terminal.ts";

/** Why one memory was recalled, or not. */
export function printAccount(account: MemoryAccount): void {
  const { id, reason, inFavourOf, score, closeness, floor, rank } = account;
  const explanation = reason === undefined ? undefined : explanationOf(reason);
  const what = reason === undefined ? "was recalled" : `${explanation?.says ?? "was left out"} (${reason})`;
  printLine(`\nWhy ${id}: it ${what}.`);
  if (closeness !== undefined && floor !== undefined)
    printLine(`    closeness ${closeness.toFixed(3)}, and it takes ${floor.toFixed(3)}`);
  if (score !== undefined) printLine(`    score ${score.toFixed(3)}${rank === undefined ? "" : `, rank ${rank}`}`);
  if (inFavourOf !== undefined) printLine(`    in favour of ${inFavourOf}`);
  if (account.parts !== undefined) printLine(`    ${partsOf(account.parts)}`);
  if (explanation?.helps !== undefined) printLine(`    ${explanation.helps}`);
}

function partsOf({
  relevance,
  cosine,
  text,
  recency,
  importance,
  frequency,
}: NonNullable<MemoryAccount["parts"]>): string {
  const meaning = cosine === undefined ? "no vector" : `cosine ${cosine.toFixed(3)}`;
  return `relevance ${relevance.toFixed(3)} (${meaning}, text ${text.toFixed(3)}), recency ${recency.toFixed(3)}, importance ${importance.toFixed(3)}, frequency ${frequency.toFixed(3)}`;
}
