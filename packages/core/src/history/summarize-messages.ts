import type { ChatMessage } from "@loci/domain";
import { escapeText } from "../rendering/escape.ts";
import { type ConversationSummary, emptySummary, joinSummaries } from "./conversation-summary.ts";
import { allSteps, type Steps } from "../recall/steps.ts";
import { factsOf } from "./facts/facts-of.ts";
import { renderSummary } from "./render-summary.ts";
import { addToDigest, emptyDigest, summaryOfDigest } from "./summary-digest.ts";

/** Stands above a summary while it is made, and is taken away again. */
const header = "";

/**
 * The built-in summary of messages, as text under its headings: what earlier ones say, and of these messages requests,
 * decisions, open questions, tools and files, in their own words. Needs no model. Escaped: no line of it can be taken for a
 * tag.
 *
 * @param earlier a summary of what stands before these messages
 * @returns empty when there is nothing to say, or no room to say anything
 */
export function summarizeMessages(
  messages: readonly ChatMessage[],
  maxTokens: number,
  count: (text: string) => number,
  earlier: ConversationSummary = emptySummary,
): string {
  return allSteps(summarizeMessagesSteps(messages, maxTokens, count, earlier));
}

/** The same, with a step for each message: one may take milliseconds. */
export function* summarizeMessagesSteps(
  messages: readonly ChatMessage[],
  maxTokens: number,
  count: (text: string) => number,
  earlier: ConversationSummary = emptySummary,
): Steps<string> {
  let digest = emptyDigest;
  for (const message of messages) {
    digest = addToDigest(digest, factsOf(message));
    yield;
  }
  const summary = joinSummaries(earlier, summaryOfDigest(digest));
  const escape = (text: string): string => escapeText(text);
  return renderSummary(summary, { header, escape, maxTokens, count })?.text.trim() ?? "";
}
