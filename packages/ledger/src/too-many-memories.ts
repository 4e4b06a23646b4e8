import { LociError } from "@loci/domain";
import type { RefsQuery } from "./ledger-memories.ts";

/** What `refs` rejects with when it would have to give more than it may. */
export function tooManyMemories({ limit }: Pick<RefsQuery, "limit">): LociError {
  return new LociError("TOO_MANY_MEMORIES", {
    message: `There are more than ${limit.toLocaleString("en")} memories to list.`,
    field: "scopes",
    details: { limit: String(limit) },
    advice: "Ask for fewer scopes, states or categories.",
  });
}
