import type { TokenCounter } from "../tokens/token-counter.ts";
import { readCoreMemory } from "./core-memory-cap.ts";

/** A part of a core memory: a heading of the first or second level and what stands below it. */
export interface CoreMemorySection {
  readonly title: string;
  /** With the heading and with blank lines. */
  readonly lines: number;
  readonly tokens: number;
}

/** Whether a core memory is within its cap. */
export interface CoreMemoryVerdict {
  readonly allowed: boolean;
  readonly lines: number;
  readonly maxLines: number;
  readonly tokens: number;
  /** Null: no limit on tokens. */
  readonly maxTokens: number | null;
  /** Over the cap only: the three sections with the most tokens, among equals the first. */
  readonly heaviest?: readonly CoreMemorySection[];
}

const sectionsShown = 3;

/**
 * Measures a core memory document against the cap it states, or 80 lines and 2,000 tokens.
 *
 * @throws LociError `INVALID_BLOCK_TEXT` when it begins with a BUDGET comment that states no cap
 */
export function checkCoreMemory(text: string, counter: TokenCounter): CoreMemoryVerdict {
  const { cap, body } = readCoreMemory(text);
  const lines = linesOf(body);
  const tokens = counter.count(body);
  const allowed = lines.length <= cap.maxLines && (cap.maxTokens === null || tokens <= cap.maxTokens);
  const measured = { allowed, lines: lines.length, maxLines: cap.maxLines, tokens, maxTokens: cap.maxTokens };
  return allowed ? measured : { ...measured, heaviest: heaviestSections(lines, counter) };
}

function heaviestSections(lines: readonly string[], counter: TokenCounter): readonly CoreMemorySection[] {
  const sections: { readonly title: string; readonly lines: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith("# ") || line.startsWith("## "))
      sections.push({ title: line.slice(line.indexOf(" ")).trim(), lines: [line] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .map((section) => ({
      title: section.title,
      lines: section.lines.length,
      tokens: counter.count(section.lines.join("\n")),
    }))
    .toSorted((left, right) => right.tokens - left.tokens)
    .slice(0, sectionsShown);
}

function linesOf(body: string): readonly string[] {
  return body === "" ? [] : body.split(/\r\n|[\r\n]/);
}
