import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { FinishedRun } from "@loci/agent";
import type { TurnInput } from "@loci/domain";
import { turnOf } from "./message-turns.ts";
import { isQuestion, isSummary, latestQuestion, shownTextOfUser, textOfUser } from "./question.ts";

/** So many messages before a question tell it from one that was asked before. */
const mostBefore = 100;

/**
 * What was said in the run that ends with these messages: what the user said last, and all that followed. `undefined` when it
 * has no answer yet.
 */
export function finishedTurns(messages: readonly BaseMessage[]): Omit<FinishedRun, "conversation"> | undefined {
  const question = latestQuestion(messages);
  if (question === undefined || !isAnswered(messages.at(-1))) return undefined;
  let first = question.index;
  // Who writes twice before anybody answers has asked with both.
  while (first > 0 && isQuestion(messages[first - 1] as BaseMessage)) first--;
  return {
    position: question.index,
    question: textOfUser(question.message),
    turns: turnsOf(messages.slice(first)),
    before: turnsOf(messages.slice(Math.max(0, first - mostBefore), first)),
  };
}

/** A tool may answer in the place of the model. */
function isAnswered(last: BaseMessage | undefined): boolean {
  if (AIMessage.isInstance(last)) return (last.tool_calls ?? []).length === 0;
  return ToolMessage.isInstance(last);
}

/** Instructions and summaries are nobody's words. */
function turnsOf(messages: readonly BaseMessage[]): readonly TurnInput[] {
  return (
    messages
      .filter((message) => message.type !== "system" && !isSummary(message))
      .map((message) =>
        isQuestion(message) ? { ...turnOf(message), content: shownTextOfUser(message) } : turnOf(message),
      )
      // LangChain names each answer after the agent.
      .map(({ name, ...turn }) => (name === undefined || turn.role === "assistant" ? turn : { ...turn, name }))
  );
}
