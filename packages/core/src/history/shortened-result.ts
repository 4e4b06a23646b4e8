import type { ChatMessage } from "@loci/domain";
import { lastGraphemeBoundary } from "../tokens/grapheme-boundary.ts";

/** So much of a result's beginning and of its end is shown, in UTF-16 units. */
const shownAtEachEnd = 1_000;
/** A result that is no longer than this is shown whole or not at all: shortening it would save less than half. In UTF-16 units. */
const shortResult = 4 * shownAtEachEnd;

/**
 * A long result of a tool with its beginning, its end, and in between a line that says how much is left out. What it is depends on
 * nothing but the result, so that it is the same bytes in every context. It answers the same call. Images stay.
 *
 * @returns `undefined` for a result that is not long, and for what is none
 */
export function shortenedResult(message: ChatMessage): ChatMessage | undefined {
  const { role, content } = message;
  if (role !== "tool" || content === undefined || content === null) return undefined;
  if (typeof content === "string") {
    const text = shortenedText(content);
    return text === undefined ? undefined : { ...message, content: text };
  }
  let isShortened = false;
  const parts = content.map((part) => {
    const text = part.type === "text" ? shortenedText(part.text) : undefined;
    if (text === undefined) return part;
    isShortened = true;
    return { type: "text" as const, text };
  });
  return isShortened ? { ...message, content: parts } : undefined;
}

function shortenedText(text: string): string | undefined {
  if (text.length <= shortResult) return undefined;
  const end = endOfBeginning(text);
  const start = startOfEnd(text);
  // One character may be longer than any text should be.
  if (start - end < shortResult - 2 * shownAtEachEnd) return undefined;
  const mark = `[${start - end} of ${text.length} characters of this result are left out here]`;
  const beginning = text.slice(0, end);
  return `${beginning}${beginning.endsWith("\n") ? "" : "\n"}${mark}\n${text.slice(start)}`;
}

/** Behind a line where one ends in the second half of what may be shown, else behind a character. */
function endOfBeginning(text: string): number {
  const lineEnd = text.lastIndexOf("\n", shownAtEachEnd - 1);
  return lineEnd >= shownAtEachEnd / 2 ? lineEnd + 1 : lastGraphemeBoundary(text, shownAtEachEnd);
}

function startOfEnd(text: string): number {
  const start = text.length - shownAtEachEnd;
  const lineEnd = text.slice(start, start + shownAtEachEnd / 2).indexOf("\n");
  return lineEnd >= 0 ? start + lineEnd + 1 : lastGraphemeBoundary(text, start);
}
