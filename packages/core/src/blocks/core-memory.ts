import type { TokenCounter } from "../tokens/token-counter.ts";
import { blockTextError } from "./block-text-error.ts";
import { linesOf, trimmed } from "./block-white-space.ts";

/** How much a core memory may hold. */
export interface CoreMemoryLimits {
  readonly maxLines: number;
  /** `null`: no limit. */
  readonly maxTokens: number | null;
}

/** A part of a core memory below a heading. */
export interface CoreMemorySection {
  readonly title: string;
  readonly lines: number;
  readonly tokens: number;
}

/** What a core memory holds beside its limits. */
export interface CoreMemoryCheck extends CoreMemoryLimits {
  readonly allowed: boolean;
  readonly lines: number;
  readonly tokens: number;
  /** Over a limit: the three sections with the most tokens, the largest first. */
  readonly heaviest?: readonly CoreMemorySection[];
}

const opening = "<!-- BUDGET:";
const closing = "-->";
const defaults: CoreMemoryLimits = { maxLines: 80, maxTokens: 2000 };
const limitWords = /^[ \t\n\r\f\v]*(\d{1,9}) lines?(?: max)?(?:, (\d{1,9}) tokens?(?: max)?)?(?![\p{L}\p{N}])/u;
const heading = /^##? /;
const mostHeaviest = 3;

/**
 * Whether a core memory is within its limits: those of its first comment, else 80 lines and 2,000 tokens. The comment and
 * line breaks at the end do not count.
 *
 * @throws LociError `INVALID_BLOCK_TEXT` at line 1 for a comment that names no limits
 */
export function checkCoreMemory(text: string, counter: Pick<TokenCounter, "count">): CoreMemoryCheck {
  const { limits, content } = readCoreMemory(text);
  const lines = content === "" ? [] : linesOf(content);
  const tokens = content === "" ? 0 : counter.count(content);
  const allowed = lines.length <= limits.maxLines && (limits.maxTokens === null || tokens <= limits.maxTokens);
  const check = { allowed, lines: lines.length, tokens, ...limits };
  return allowed ? check : { ...check, heaviest: heaviestSections(lines, counter) };
}

/** The sections of a core memory in their order. What stands before the first heading belongs to none. */
export function coreMemorySections(
  lines: readonly string[],
  counter: Pick<TokenCounter, "count">,
): readonly CoreMemorySection[] {
  const starts = lines.flatMap((line, index) => (heading.test(line) ? [index] : []));
  return starts.map((start, index) => {
    const own = lines.slice(start, starts[index + 1] ?? lines.length);
    const [first = ""] = own;
    return {
      title: trimmed(first.replace(heading, "")),
      lines: own.length,
      tokens: counter.count(own.join("\n")),
    };
  });
}

/**
 * The limits of a core memory, and what they are about.
 *
 * @throws LociError `INVALID_BLOCK_TEXT` at line 1 for a comment that names no limits
 */
export function readCoreMemory(text: string): { readonly limits: CoreMemoryLimits; readonly content: string } {
  if (!text.startsWith(opening)) return { limits: defaults, content: withoutLastBreaks(text) };
  const end = text.indexOf(closing, opening.length);
  const words = end < 0 ? null : limitWords.exec(text.slice(opening.length, end));
  if (words === null)
    throw blockTextError(
      1,
      "the comment names no limits",
      "Write `<!-- BUDGET: 80 lines, 2000 tokens -->`, with or without the tokens.",
    );
  const [, maxLines, maxTokens] = words;
  return {
    limits: { maxLines: Number(maxLines), maxTokens: maxTokens === undefined ? null : Number(maxTokens) },
    content: withoutLastBreaks(withoutFirstBreak(text.slice(end + closing.length))),
  };
}

function heaviestSections(
  lines: readonly string[],
  counter: Pick<TokenCounter, "count">,
): readonly CoreMemorySection[] {
  return coreMemorySections(lines, counter)
    .toSorted((left, right) => right.tokens - left.tokens)
    .slice(0, mostHeaviest);
}

function withoutFirstBreak(text: string): string {
  if (text.startsWith("\r\n")) return text.slice(2);
  return text.startsWith("\n") || text.startsWith("\r") ? text.slice(1) : text;
}

function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
  return text.slice(0, end);
}
