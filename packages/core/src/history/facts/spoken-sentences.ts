import type { ChatMessage } from "@loci/domain";
import { singleLine } from "../../rendering/escape.ts";
import { messageText } from "../message-text.ts";
import { sayingsOf } from "../sayings/says.ts";

// Beyond this much of one message nothing is looked for: a pasted log holds no decisions.
export const longestRead = 20_000;
// Nothing that only takes up an offer is longer.
const longestAnswer = 80;

const markupAtStart = /^(?:[\s*#>+\-–•=|]|_{3,}|`{3,}|~{3,})+/;
// Lines of a file with their numbers, as editors of agents show them: `283:    "must be present"`.
const numberedLine = /^[ \t]*\d+[:|][ \t].*$/gm;
const emphasis = "**";
const sentenceEnd = /(?<=[.!?。！？…][)"'”’]?)\s+|(?<=[。！？])|\n+/;

/** A sentence of a user or an assistant, and what it is known by. */
export interface SpokenSentence {
  /** On one line, without marks at its beginning. */
  readonly text: string;
  /** The text of the sentence before it in the message. */
  readonly before: string | undefined;
  readonly isQuestion: boolean;
  /** True when it takes up an offer and does nothing else: `Yes please.` */
  readonly accepts: boolean;
  /** True when it takes one up with a change: `Yes, but make it 2 to 5.` */
  readonly acceptsWithChange: boolean;
  readonly says: ReturnType<typeof sayingsOf>;
}

/** The sentences of a message. Tools and systems speak none: they are not part of the talk. */
export function spokenSentences(message: ChatMessage): readonly SpokenSentence[] {
  if (message.role !== "user" && message.role !== "assistant") return [];
  const texts = sentencesOf(spokenText(message));
  return texts.map((text, place): SpokenSentence => {
    const says = sayingsOf(text);
    const isQuestion = /[?？]["'”’)]?$/.test(text);
    const mayAccept = !isQuestion && text.length <= longestAnswer;
    const accepts = mayAccept && says("acceptance");
    const acceptsWithChange = mayAccept && says("changedAcceptance");
    return { text, before: texts[place - 1], isQuestion, accepts, acceptsWithChange, says };
  });
}

/** On one line that does not begin like a list, a heading, a quotation, a table, a rule or a fence. */
export function plainLine(text: string): string {
  return singleLine(text).replace(markupAtStart, "").trim();
}

function spokenText(message: ChatMessage): string {
  const text = messageText({ ...message, tool_calls: undefined });
  return text.length > longestRead ? text.slice(0, longestRead).toWellFormed() : text;
}

/** One line each, without the marks of lists, headings and emphasis, and without lines of code. */
function sentencesOf(text: string): readonly string[] {
  if (text === "") return [];
  const prose = text.includes("```") ? text.replaceAll(/```[^]*?(?:```|$)/g, "\n") : text;
  return prose
    .replaceAll(numberedLine, "")
    .replaceAll(emphasis, "")
    .split(sentenceEnd)
    .map((sentence) => plainLine(sentence))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
