import { type AgentMemory, instructionsNotice, type RecalledBlock } from "@loci/agent";
import type { AgentInputItem, CallModelInputFilter } from "@openai/agents-core";
import { isOfUser, textOfUser, withBlock, withoutBlock } from "./recalled-in-items.ts";
import { noteShown } from "./shown-inputs.ts";

/** What {@link lociInputFilter} takes besides the memory. */
export interface LociInputFilterOptions<Context> {
  /** The signal of a run, by its context: the SDK tells a filter of none. Where it aborts, the recall is cancelled. */
  readonly signal?: ((context: Context) => AbortSignal | undefined) | undefined;
  /** Is told before each call what it is shown, with the receipt that says why: the SDK has no place for it. */
  readonly onRecalled?: ((block: RecalledBlock, context: Context) => void) | undefined;
}

/**
 * Puts what is remembered in front of the latest message of the user, in each call of a run the same, and a sentence behind the
 * instructions that calls it data. What an earlier call showed is taken out of earlier messages.
 *
 * Without a conversation the run fails before the model is called: `SCOPE_REQUIRED`.
 */
export function lociInputFilter<Context = unknown>(
  memory: AgentMemory<Context>,
  { signal, onRecalled }: LociInputFilterOptions<Context> = {},
): CallModelInputFilter {
  return async ({ modelData: { input, instructions }, agent, context }) => {
    const request = context as Context;
    const conversation = await memory.conversationOf(request);
    const messages = input.filter(isOfUser);
    for (const message of messages.slice(0, -1)) message.content = withoutBlock(message.content);
    const asked = messages.at(-1);
    if (asked !== undefined) {
      const block = await memory.blockFor({
        conversation,
        question: textOfUser(asked),
        position: positionOf(input),
        earlier: messages.slice(0, -1).map(textOfUser),
        tools: agent.tools.map(({ name }) => name),
        signal: signal?.(request),
      });
      if (block !== undefined) {
        // The items are copies, made for the filter. The SDK knows a changed one again, but no other one in its place.
        asked.content = withBlock(asked.content, block.text);
        onRecalled?.(block, request);
      }
    }
    noteShown(context, { conversation, input });
    return { input, instructions: instructions ? `${instructions}\n\n${instructionsNotice}` : instructionsNotice };
  };
}

/** How many messages of the user stand before the latest one: other items of a run may come and go. */
export function positionOf(items: readonly AgentInputItem[]): number {
  return Math.max(0, items.filter(isOfUser).length - 1);
}
