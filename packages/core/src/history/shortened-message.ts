import type { ChatMessage } from "@loci/domain";
import { lastGraphemeBoundary } from "../tokens/grapheme-boundary.ts";
import { shortenedArguments } from "./shortened-arguments.ts";

/** The least that is shown of a long text's beginning, and of its end, in UTF-16 units. */
export const leastEnds = 500;
/**
 * So much of each may be shown, in UTF-16 units, the least first. Each is twice the one before: so about half of what there is room for
 * is used at least, and a text that is shortened further and further changes seldom.
 */
export const shownEnds: readonly number[] = Array.from({ length: 10 }, (_, step) => leastEnds * 2 ** step);
/** A text is long from so many times its shown end on: shortening any other would save less than half. */
const longByEnds = 4;
/** What a user typed is never shortened: only what is longer than this, and so rather pasted. In UTF-16 units. */
const longestTyped = 16_000;

/**
 * A message whose long texts have their beginning, their end, and in between a line that says how much is left out: those of a
 * tool's result, what a user pasted, and texts among the arguments of a call, which stay the JSON that they were. It depends on the
 * message and on how much is shown, and so is the same bytes in every context. Calls and results keep their ids, images stay.
 *
 * @param ends how much is shown at each end, in UTF-16 units. Default the least
 * @returns `undefined` where nothing in it is long
 */
export function shortenedMessage(message: ChatMessage, ends: number = leastEnds): ChatMessage | undefined {
  switch (message.role) {
    case "tool":
      return withTexts(message, (text) => shortenedText(text, ends, "of this result are left out here"));
    case "user":
      return withTexts(message, (text) =>
        text.length > longestTyped ? shortenedText(text, ends, "of this message are left out here") : undefined,
      );
    case "assistant":
      return withArguments(message, (text) =>
        shortenedText(text, ends, "of this argument are left out here; the tool was given all of them"),
      );
    default:
      return undefined;
  }
}

/** What a text becomes; `undefined` where it stays. */
type Shorten = (text: string) => string | undefined;

function withTexts(message: ChatMessage, shorten: Shorten): ChatMessage | undefined {
  const { content } = message;
  if (content === undefined || content === null) return undefined;
  if (typeof content === "string") {
    const text = shorten(content);
    return text === undefined ? undefined : { ...message, content: text };
  }
  let isShortened = false;
  const parts = content.map((part) => {
    const text = part.type === "text" ? shorten(part.text) : undefined;
    if (text === undefined) return part;
    isShortened = true;
    return { type: "text" as const, text };
  });
  return isShortened ? { ...message, content: parts } : undefined;
}

function withArguments(message: ChatMessage, shorten: Shorten): ChatMessage | undefined {
  let isShortened = false;
  const calls = message.tool_calls?.map((call) => {
    const given = shortenedArguments(call.function.arguments, shorten);
    if (given === undefined) return call;
    isShortened = true;
    return { ...call, function: { ...call.function, arguments: given } };
  });
  return isShortened && calls !== undefined ? { ...message, tool_calls: calls } : undefined;
}

function shortenedText(text: string, ends: number, leftOut: string): string | undefined {
  if (text.length <= longByEnds * ends) return undefined;
  const end = endOfBeginning(text, ends);
  const start = startOfEnd(text, ends);
  // One character may be longer than any text should be.
  if (start - end < (longByEnds - 2) * ends) return undefined;
  const mark = `[${start - end} of ${text.length} characters ${leftOut}]`;
  const beginning = text.slice(0, end);
  return `${beginning}${beginning.endsWith("\n") ? "" : "\n"}${mark}\n${text.slice(start)}`;
}

/** Behind a line where one ends in the second half of what may be shown, else behind a character. */
function endOfBeginning(text: string, ends: number): number {
  const lineEnd = text.lastIndexOf("\n", ends - 1);
  return lineEnd >= ends / 2 ? lineEnd + 1 : lastGraphemeBoundary(text, ends);
}

function startOfEnd(text: string, ends: number): number {
  const start = text.length - ends;
  const lineEnd = text.slice(start, start + ends / 2).indexOf("\n");
  return lineEnd >= 0 ? start + lineEnd + 1 : lastGraphemeBoundary(text, start);
}
