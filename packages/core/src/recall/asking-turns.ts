import type { Memory } from "@loci/domain";
import { isConversationTurn } from "./conversation-turns.ts";

/** What is asked stands at the end of a turn. Only so many of its last UTF-16 units are looked at. */
const lookedAt = 300;

/**
 * What a turn that only asks counts less in relevance. Measured on one half of LoCoMo's questions among 0 to 0.3: asking
 * turns hold the question's words, and hardly ever what answers it.
 */
const askingDiscount = 0.15;

/**
 * How much of a turn asks: 0 when it asks nothing, 1 when at least half of its text is in sentences that end with a question
 * mark. Such sentences count among its last 300 characters. 0 for everything but turns of a conversation.
 */
export function askingShare(memory: Pick<Memory, "provenance" | "text">): number {
  return isConversationTurn(memory) ? Math.min(1, 2 * questionShare(memory.text)) : 0;
}

/** What the relevance of a turn is multiplied by. @param asking as {@link askingShare} tells */
export function askingFactor(asking: number): number {
  return 1 - askingDiscount * asking;
}

/** Share of the text that is in sentences which end with a question mark. */
function questionShare(text: string): number {
  const start = Math.max(0, text.length - lookedAt);
  if (!holdsQuestionMark(text.slice(start))) return 0;
  let asked = 0;
  let isQuestion = false;
  for (let index = text.length - 1; index >= start; index--) {
    const unit = text.charCodeAt(index);
    if (isQuestionMark(unit)) isQuestion = true;
    else if (isSentenceEnd(unit)) isQuestion = false;
    if (isQuestion) asked++;
  }
  return asked / text.length;
}

function holdsQuestionMark(text: string): boolean {
  return text.includes("?") || text.includes("\uff1f") || text.includes("\u061f");
}

/** Those of Latin, Chinese and Japanese, and Arabic texts. */
function isQuestionMark(unit: number): boolean {
  return unit === 0x3f || unit === 0xff1f || unit === 0x61f;
}

function isSentenceEnd(unit: number): boolean {
  return unit === 0x2e || unit === 0x21 || unit === 0x0a || unit === 0x3002 || unit === 0xff01 || unit === 0x2026;
}
