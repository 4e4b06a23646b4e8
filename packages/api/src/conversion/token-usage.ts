import type { TokenUsage } from "@loci/domain";
import type { TokenUsage as ProtoTokenUsage } from "../gen/loci/v1/context.ts";

/** The two forms of the usage are the same. */
export function copyUsage(usage: TokenUsage): ProtoTokenUsage {
  const { totalTokens, messagesTokens, budgetTokens, queryTokens, responseTokens } = usage;
  return { totalTokens, messagesTokens, budgetTokens, queryTokens, responseTokens };
}
