import type { WindowPlan } from "../budget/window.ts";
import { checkHistoryOptions } from "../history/check-history-options.ts";
import {
  type Conversation,
  type ConversationOptions,
  prepareConversation,
  readingKey,
  readMessagesSteps,
} from "../history/conversation.ts";
import type { MessageForm } from "../history/message-form.ts";
import type { Steps } from "../recall/steps.ts";
import { formatOf } from "../rendering/format-of-layout.ts";
import type { AssemblyInput } from "./assembly-input.ts";
import type { SectionTools } from "./section-draft.ts";
import { TokenMeter } from "./token-meter.ts";

/**
 * Reads what is new in the conversation of an assembly, so that `assembleContext` finds it in the cache: all of it at once
 * may take seconds. Does nothing without a cache.
 */
export function* readConversationSteps(input: AssemblyInput): Steps<void> {
  if (input.conversations === undefined) return;
  const format = formatOf(input.layout);
  const meter = new TokenMeter(input, format);
  yield* readMessagesSteps(
    input.messages,
    mostHistoryTokens(input.plan),
    optionsOf(input, { format, meter }, keptUnder(input)),
  );
}

/** No more than so many tokens of a conversation are shown, whatever else stands in the window: what the query leaves flows on. */
export function mostHistoryTokens({ sectionsTokens, queryTokens, growthTokens = 0 }: WindowPlan): number {
  return sectionsTokens + queryTokens + growthTokens;
}

/** Names what the tokens and the escaping of a text depend on. */
export function keptUnder({ layout, counter, provider }: AssemblyInput): string {
  return `${counter.id}:${provider ?? ""}:${layout.rendering}:${layout.sections.map(({ name }) => name).join()}`;
}

/** Names what reading the messages of an assembly depends on, see `KnownConversation.reading`. */
export function conversationReadingOf(input: AssemblyInput): string {
  return readingKey({ form: formOf(input), cacheKey: keptUnder(input) });
}

export function readConversation(input: AssemblyInput, tools: SectionTools, cacheKey: string): Conversation {
  const { history } = input;
  const conversation = prepareConversation(input.messages, input.query, optionsOf(input, tools, cacheKey));
  if (history !== undefined) checkHistoryOptions(history);
  return conversation;
}

function formOf({ history }: Pick<AssemblyInput, "history">): MessageForm {
  return history?.turnNumbers === true ? "turns" : "roles";
}

function optionsOf(
  { history, provider, conversations, conversation }: AssemblyInput,
  { format, meter }: SectionTools,
  cacheKey: string,
): ConversationOptions {
  return {
    count: meter.count,
    format,
    form: formOf({ history }),
    provider,
    known: conversation,
    cache: conversations,
    cacheKey,
  };
}
