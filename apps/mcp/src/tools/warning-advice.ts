import type { AssemblyWarning } from "@loci/loci";

/** What a model can do with the arguments that `assemble_context` has, where programs are told of options that it has not. */
const adviceForModels: Readonly<Partial<Record<AssemblyWarning["reason"], string>>> = {
  UNKNOWN_MODEL: "Name a known model, or pass as maxTokens what it takes.",
  ESTIMATED_TOKENS: "Some room is left for that. Pass less maxTokens if the model takes less.",
  EMPTY_KNOWLEDGE: "Perhaps nothing is known. Ask in other words if something should be.",
  KNOWLEDGE_MISMATCH: "Pass a query that is closer to how the memories are worded.",
  SHORT_HISTORY: "Pass more maxTokens, or shorter messages.",
  SYSTEM_NEAR_BUDGET: "It is never cut: shorten it before it becomes an error, or pass more maxTokens.",
  SECTION_NEARLY_FULL: "Shorten what goes in, or pass more maxTokens.",
  TEXT_SHORTENED: "Shorten it, or pass more maxTokens.",
  ITEMS_DROPPED: "Pass more maxTokens, or less of the rest. Memories are found with recall.",
  CORE_MEMORY_NOT_SHOWN: "See it with view_blocks.",
  BLOCK_NOT_SHOWN: "See it with view_blocks, or name the scope first whose block is meant.",
  MEMORIES_LEFT_OUT: "Find the others with recall, which takes a larger limit.",
};

/** A warning with the advice for a model. A name that was nearly meant stays. */
export function warningForModel({ reason, message, advice }: AssemblyWarning): {
  readonly reason: string;
  readonly message: string;
  readonly advice: string;
} {
  const forModels = adviceForModels[reason];
  if (forModels === undefined) return { reason, message, advice };
  const meant = advice.startsWith("Did you mean ") ? `${advice.slice(0, advice.indexOf("?") + 1)} ` : "";
  return { reason, message, advice: meant + forModels };
}
