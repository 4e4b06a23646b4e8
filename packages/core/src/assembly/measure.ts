import type { ChatMessage } from "@loci/domain";
import { answerPrimingTokens, chatMessageTokens } from "../tokens/message-framing.ts";
import { closingTag, sectionSeparator } from "../rendering/xml.ts";
import type { RenderedQuery } from "./rendered-query.ts";
import { closingTokens, type FittedSection, type RenderedBlock } from "./section-draft.ts";
import type { TokenMeter } from "./token-meter.ts";

/** Tokens of a context in each of its forms. */
export interface ContextSize {
  readonly textTokens: number;
  readonly messagesTokens: number;
}

/** The whole context as one text. */
export function contextText(fitted: readonly FittedSection[], query: RenderedQuery): string {
  const blocks = fitted.flatMap((section) => section.blocks);
  return [...blocks.map(({ text }) => text), query.text].join(sectionSeparator);
}

/** What stands in the system message of the chat form: every section but the conversation, which is turns there. */
export function systemMessage(fitted: readonly FittedSection[]): ChatMessage | undefined {
  const blocks = systemBlocks(fitted);
  if (blocks.length === 0) return undefined;
  return { role: "system", content: blocks.map(({ text }) => text).join(sectionSeparator) };
}

/**
 * Counts a context in both forms. The parts are added up where the counter promises that this is exact; else both are
 * counted again, whole.
 */
export function measureContext(fitted: readonly FittedSection[], query: RenderedQuery, meter: TokenMeter): ContextSize {
  const { counter } = meter;
  let turnTokens = query.chatTokens + answerPrimingTokens;
  for (const { units = [] } of fitted)
    for (const { messages } of units) for (const { chatTokens } of messages) turnTokens += chatTokens;
  if (counter.joinsAtLineStarts !== true) {
    const system = systemMessage(fitted);
    const systemTokens = system === undefined ? 0 : chatMessageTokens(system, (text) => counter.count(text));
    return { textTokens: counter.count(contextText(fitted, query)), messagesTokens: turnTokens + systemTokens };
  }
  let textTokens = query.textTokens;
  for (const section of fitted) textTokens += section.textTokens;
  return { textTokens, messagesTokens: turnTokens + systemTokens(fitted, meter) };
}

function systemTokens(fitted: readonly FittedSection[], meter: TokenMeter): number {
  const last = systemBlocks(fitted).at(-1);
  if (last === undefined) return 0;
  let tokens = chatMessageTokens({ role: "system", content: "" }, meter.count);
  for (const { units, textTokens } of fitted) if (units === undefined) tokens += textTokens;
  return tokens - closingTokens(last.name, meter) + meter.count(closingTag(last.name));
}

function systemBlocks(fitted: readonly FittedSection[]): readonly RenderedBlock[] {
  return fitted.flatMap(({ units, blocks }) => (units === undefined ? blocks : []));
}
