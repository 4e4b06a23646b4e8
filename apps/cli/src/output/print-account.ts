import type { MemoryAccount } from "@loci/loci";
import { printLine } from "./terminal.ts";

type Reason = NonNullable<MemoryAccount["reason"]>;

const explanations: Readonly<Record<Reason, string>> = {
  OTHER_SCOPE: "is in none of these scopes, or there is none that this key may read",
  NOT_RECORDED_THEN: "had not been recorded by then",
  FILTERED_OUT: "is left out by --category or --where",
  NOT_A_CANDIDATE: "was not found: neither its words nor its meaning are among those nearest to the question",
  DELETED: "is forgotten",
  NOT_ACTIVE: "waits for approval",
  SUPERSEDED: "was superseded by a newer memory",
  EXPIRED: "has expired",
  NOT_VALID_THEN: "is not true at the time that is asked for",
  BELOW_RELEVANCE_FLOOR: "does not come close enough to the question",
  OVERRIDDEN_BY_SCOPE: "is overridden by the value of a nearer scope",
  IN_HISTORY: "stands in the messages already",
  REPEATS_QUERY: "asks the same question",
  NO_ANSWER: "says only that its speaker does not know",
  NEAR_DUPLICATE: "says what a hit says already",
  CATEGORY_SHARE: "is one too many of its category",
  SOURCE_SHARE: "is one too many of its source",
  OVER_LIMIT: "is relevant, but others score higher: raise --limit",
  OVER_TOKENS: "is relevant, but there is no room for it: raise --max-tokens",
};

/** Why one memory was recalled, or not. */
export function printAccount(account: MemoryAccount): void {
  const { id, reason, inFavourOf, score, closeness, floor, rank } = account;
  const what = reason === undefined ? "was recalled" : (explanations[reason] ?? "was left out");
  printLine(`\nWhy ${id}: it ${what}${reason === undefined ? "" : ` (${reason})`}.`);
  if (closeness !== undefined && floor !== undefined)
    printLine(`    closeness ${closeness.toFixed(3)}, and it takes ${floor.toFixed(3)}`);
  if (score !== undefined) printLine(`    score ${score.toFixed(3)}${rank === undefined ? "" : `, rank ${rank}`}`);
  if (inFavourOf !== undefined) printLine(`    in favour of ${inFavourOf}`);
  if (account.parts !== undefined) printLine(`    ${partsOf(account.parts)}`);
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
