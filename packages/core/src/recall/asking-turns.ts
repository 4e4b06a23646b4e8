import type { Memory } from "@loci/domain";
import { isConversationTurn } from "./conversation-turns.ts";
import { isUnmarkedQuestion } from "./unmarked-question.ts";

/** What is asked stands at the end of a turn. Only so many of its last UTF-16 units are looked at. */
const lookedAt = 300;

/**
 * What a turn that only asks counts less in relevance. Measured on one half of LoCoMo's questions among 0 to 0.3: asking
 * turns hold the question's words, and hardly ever what answers it.
 */
const askingDiscount = 0.15;

/**
 * How much of a turn asks: 0 when it asks nothing, 1 when at least half of its text is in sentences that end with a question
 * mark. Such sentences count among its last 300 characters. Of a turn without any the last sentence counts, if its words ask. 0 for
 * everything but turns of a conversation.
 */
export function askingShare(memory: Pick<Memory, "provenance" | "origin" | "text">): number {
  return isConversationTurn(memory) ? Math.min(1, 2 * questionShare(memory)) : 0;
}

/** What the relevance of a turn is multiplied by. @param asking as {@link askingShare} tells */
export function askingFactor(asking: number): number {
  return 1 - askingDiscount * asking;
}

/** Share of the text that is in sentences which ask. */
function questionShare({ text, provenance }: Pick<Memory, "provenance" | "text">): number {
  const end = text.length > lookedAt ? text.slice(-lookedAt) : text;
  const mark = questionMarks.find((each) => end.includes(each));
  if (mark === undefined) return unmarkedShare(text, end, `${provenance?.speaker}: `);
  let asked = 0;
  let from = 0;
  for (let found = end.indexOf(mark); found !== -1; found = end.indexOf(mark, from)) {
    let start = found;
    while (start > from && !isSentenceEnd(end.charCodeAt(start - 1))) start--;
    from = found + 1;
    asked += from - start;
  }
  return asked / text.length;
}

/**
 * Share of the text that its last sentence has, if that asks without a mark.
 *
 * @param end of the text
 * @param name that may stand before what is said
 */
function unmarkedShare(text: string, end: string, name: string): number {
  let last = end.length;
  while (last > 0 && isSentenceEnd(end.charCodeAt(last - 1))) last--;
  let start = last;
  while (start > 0 && !isSentenceEnd(end.charCodeAt(start - 1))) start--;
  const sentence = end.slice(start, last);
  const said = sentence.startsWith(name) ? sentence.slice(name.length) : sentence;
  return isUnmarkedQuestion(said) ? sentence.length / text.length : 0;
}

/** Of Latin, of Chinese and Japanese, and of Arabic texts. The first that a text holds counts. */
const questionMarks: readonly string[] = ["?", "\uff1f", "\u061f"];

function isSentenceEnd(unit: number): boolean {
  return unit === 0x2e || unit === 0x21 || unit === 0x0a || unit === 0x3002 || unit === 0xff01 || unit === 0x2026;
}
