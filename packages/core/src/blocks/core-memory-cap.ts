import { LociError } from "@loci/domain";

/** What a core memory may hold at most. */
export interface CoreMemoryCap {
  readonly maxLines: number;
  /** Null: no limit on tokens. */
  readonly maxTokens: number | null;
}

/** A core memory document taken apart. */
export interface CoreMemoryDocument {
  readonly cap: CoreMemoryCap;
  /** What counts: the document without the comment that states its cap, and without line breaks at the end. */
  readonly body: string;
}

/** For a document that states no cap. */
export const usualCoreMemoryCap: CoreMemoryCap = { maxLines: 80, maxTokens: 2000 };

const opening = "<!-- BUDGET:";
const closing = "-->";
/** At most 15 digits, which a number holds exactly. */
const stated = /^[ \t\n\r\f\v]*(\d{1,15}) lines?(?: max)?(?:, (\d{1,15}) tokens?(?: max)?)?(?![\p{L}\p{N}])/u;
/** What was meant as part of the cap and is not written so: passing over it would lose a limit. */
const misspelt = /^(?: max|, \d+ token)/;

/**
 * Reads the cap of a core memory from the comment it may begin with, such as `<!-- BUDGET: 80 lines, 2000 tokens -->`.
 *
 * @throws LociError `INVALID_BLOCK_TEXT` with `details.line` 1 when the comment says no such thing, or does not end
 */
export function readCoreMemory(text: string): CoreMemoryDocument {
  if (!text.startsWith(opening)) return { cap: usualCoreMemoryCap, body: withoutLastBreaks(text) };
  const end = text.indexOf(closing, opening.length);
  const comment = text.slice(opening.length, end === -1 ? opening.length : end);
  const said = stated.exec(comment);
  if (said === null || misspelt.test(comment.slice(said[0].length)))
    throw new LociError("INVALID_BLOCK_TEXT", {
      message: "Line 1 begins a comment with BUDGET that does not say how many lines the core memory may have.",
      details: { line: "1" },
      advice: "Begin with a comment such as <!-- BUDGET: 80 lines, 2000 tokens -->, or with none.",
    });
  const rest = text.slice(end + closing.length);
  const tokens = said[2];
  return {
    cap: { maxLines: Number(said[1]), maxTokens: tokens === undefined ? null : Number(tokens) },
    body: withoutLastBreaks(withoutFirstBreak(rest)),
  };
}

function withoutFirstBreak(text: string): string {
  if (text.startsWith("\r\n")) return text.slice(2);
  return text.startsWith("\n") || text.startsWith("\r") ? text.slice(1) : text;
}

function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end -= 1;
  return text.slice(0, end);
}
