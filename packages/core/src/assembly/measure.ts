import type { ChatMessage } from "@loci/domain";
import { answerPrimingTokens, chatMessageTokens } from "../tokens/message-framing.ts";
import { blockSeparator } from "../rendering/context-format.ts";
import { withAnsweredCalls } from "../output/conversation-parts.ts";
import type { ModelProvider } from "../tokens/resolved-model.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { RenderedQuery } from "./rendered-query.ts";
import type { FittedSection, RenderedBlock } from "./section-draft.ts";
import type { TokenMeter } from "./token-meter.ts";

/** Tokens of a context in each of its forms. */
export interface ContextSize {
  readonly textTokens: number;
  readonly messagesTokens: number;
}

/**
 * What other chat APIs may take more than OpenAI's, which is left free: a system prompt in two parts, a first turn of the
 * user where there is none, and counts of more parts that are rounded up.
 */
export const otherFormsTokens = 8;

/** What the chat form takes besides its sections and turns: the system message's frame, the answer's own beginning. */
export const chatFramingTokens: number = otherFormsTokens + answerPrimingTokens + 5;

/** What a context takes in the dearest of its forms. */
export function dearestForm({ textTokens, messagesTokens }: ContextSize): number {
  return Math.max(textTokens, messagesTokens + otherFormsTokens);
}

/** The whole context as one text. */
export function contextText(fitted: readonly FittedSection[], query: RenderedQuery): string {
  const texts = fitted.flatMap(({ blocks }) => blocks.map(({ text }) => text));
  return [...texts, ...(query.text === undefined ? [] : [query.text])].join(blockSeparator);
}

/** What stands in the system message of the chat form: every section but the conversation, which is turns there. */
export function systemMessage(fitted: readonly FittedSection[]): ChatMessage | undefined {
  const blocks = systemBlocks(fitted);
  if (blocks.length === 0) return undefined;
  return { role: "system", content: blocks.map(({ text }) => text).join(blockSeparator) };
}

/**
 * Counts a context in both forms. The parts are added up where the counter promises that this is exact; else both are
 * counted again, whole.
 */
export function measureContext(fitted: readonly FittedSection[], query: RenderedQuery, meter: TokenMeter): ContextSize {
  let turnTokens = query.chatTokens + answerPrimingTokens;
  for (const { conversation } of fitted) {
    const kept = conversation?.messages ?? [];
    const turns = kept.map(({ message }) => message);
    for (const [index, { message, read }] of kept.entries()) {
      const shown = withAnsweredCalls(turns, index, message);
      turnTokens += read.chatTokens;
      if (shown !== message)
        turnTokens += chatMessageTokens(shown, meter.count) - chatMessageTokens(message, meter.count);
    }
  }
  if (!meter.partsAddUp) {
    const { counter } = meter;
    const system = systemMessage(fitted);
    const systemTokens = system === undefined ? 0 : chatMessageTokens(system, (text) => counter.count(text));
    return { textTokens: counter.count(contextText(fitted, query)), messagesTokens: turnTokens + systemTokens };
  }
  let textTokens = query.textTokens;
  for (const section of fitted) textTokens += section.textTokens;
  // What separates the last block from the query, when there is none.
  if (query.text === undefined)
    textTokens -= fitted.findLast(({ blocks }) => blocks.length > 0)?.blocks.at(-1)?.separatorTokens ?? 0;
  return { textTokens, messagesTokens: turnTokens + systemTokens(fitted, meter) };
}

function systemTokens(fitted: readonly FittedSection[], meter: TokenMeter): number {
  const last = systemBlocks(fitted).at(-1);
  if (last === undefined) return 0;
  let tokens = chatMessageTokens({ role: "system", content: "" }, meter.count);
  for (const { conversation, textTokens } of fitted) if (conversation === undefined) tokens += textTokens;
  return tokens - last.separatorTokens;
}

/** A context by another counter than the one it was made with: everything is counted again. */
export function measureWith(
  counter: TokenCounter,
  fitted: readonly FittedSection[],
  query: RenderedQuery,
  provider?: ModelProvider,
): ContextSize {
  const system = systemMessage(fitted);
  const turns = fitted.flatMap(({ conversation }) => conversation?.messages ?? []).map(({ message }) => message);
  const shown = turns.map((message, index) => withAnsweredCalls(turns, index, message));
  const messages = [...(system === undefined ? [] : [system]), ...shown];
  if (query.message !== undefined) messages.push(query.message);
  let messagesTokens = answerPrimingTokens;
  for (const message of messages) messagesTokens += chatMessageTokens(message, (text) => counter.count(text), provider);
  return { textTokens: counter.count(contextText(fitted, query)), messagesTokens };
}

function systemBlocks(fitted: readonly FittedSection[]): readonly RenderedBlock[] {
  return fitted.flatMap(({ conversation, blocks }) => (conversation === undefined ? blocks : []));
}
