import type { LanguageModelV4Content } from "@ai-sdk/provider";
import { assistantTurns, type PromptPart } from "@loci/agent";
import type { TurnInput } from "@loci/domain";

/** What a model answered in one step, as turns: what it said, and what tools of its provider returned. */
export function answerTurns(content: readonly LanguageModelV4Content[]): readonly TurnInput[] {
  return assistantTurns(
    content.flatMap((part): PromptPart[] => {
      if (part.type === "text" || part.type === "file" || part.type === "tool-call") return [part];
      if (part.type !== "tool-result" || part.preliminary === true) return [];
      return [{ type: "tool-result", toolCallId: part.toolCallId, output: { type: "json", value: part.result } }];
    }),
  );
}
