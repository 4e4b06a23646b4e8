import { type ConversationSummary, type SummaryList, summaryListLimits, summaryLists } from "./conversation-summary.ts";
import { plainLine } from "./facts/spoken-sentences.ts";

const headings: Readonly<Record<SummaryList, string>> = {
  keyDecisions: "**Key Decisions:**",
  remainingQuestions: "**Remaining Questions:**",
  toolsUsed: "**Tools Used:**",
  filesModified: "**Files Modified:**",
};
/** What each sentence of an overview ends with. */
const sentenceEnd = /(?<=[.!?。！？])\s+/;

/** Makes untrusted text safe at the start of a line. */
export type EscapeLine = (text: string) => string;

/** A summary on its way to the page: one line an entry, escaped. */
interface SummaryLines {
  readonly overview: string[];
  readonly state: string[];
  readonly lists: Readonly<Record<SummaryList, string[]>>;
}

/** A rendered summary. */
export interface RenderedSummary {
  /** Header and lines; ends with a line break. */
  readonly text: string;
  readonly tokens: number;
  /** Tokens it would have taken whole. */
  readonly wholeTokens: number;
  /** True when not all of it had room. */
  readonly isShortened: boolean;
  /** How many decisions had room, when not all had. */
  readonly decisions?: number | undefined;
}

export interface SummaryRendering {
  /** The line above it. */
  readonly header: string;
  readonly escape: EscapeLine;
  readonly maxTokens: number;
  /** Tokens of header and summary together, in the dearer of their forms. */
  readonly count: (text: string) => number;
  /** Lines that were made before with the same `escape`, by what they tell. Those that are made are added. */
  readonly lines?: Map<string, string> | undefined;
}

/**
 * A summary under its headings, escaped: no line of it can be read as another heading, as a turn or as a tag. Where it
 * takes more than it may, list entries are dropped from the end, then the task state, then sentences of the overview.
 *
 * @returns `undefined` when there is nothing to say, or no room to say anything
 */
export function renderSummary(
  summary: ConversationSummary,
  { header, escape, maxTokens, count, lines: known = new Map() }: SummaryRendering,
): RenderedSummary | undefined {
  if (maxTokens <= 0) return undefined;
  const lines = linesOf(summary, escape, known);
  const decisions = lines.lists.keyDecisions.length;
  let wholeTokens: number | undefined;
  for (;;) {
    const body = textOf(lines);
    if (body === "") return undefined;
    const text = `${header}\n${body}`;
    const tokens = count(text);
    const isShortened = wholeTokens !== undefined;
    wholeTokens ??= tokens;
    const left = lines.lists.keyDecisions.length;
    const isShort = left < decisions ? { decisions: left } : {};
    if (tokens <= maxTokens) return { text, tokens, wholeTokens, isShortened, ...isShort };
    // Lines are about as long as each other, so that many can go at once.
    const excess = Math.max(1, Math.floor(((tokens - maxTokens) / tokens) * lineCount(lines) * 0.5));
    for (let dropped = 0; dropped < excess; dropped++) dropLast(lines);
  }
}

function linesOf(summary: ConversationSummary, escape: EscapeLine, known: Map<string, string>): SummaryLines {
  // Behind the mark of a list a line begins as well: what Markdown takes for a block is one there too.
  const lineOf = (text: string): string => {
    let line = known.get(text);
    // Escaping may put full-width characters into their plain form.
    if (line === undefined) known.set(text, (line = plainLine(escape(plainLine(text)))));
    return line;
  };
  const listOf = (list: SummaryList): string[] =>
    summary[list]
      .slice(0, summaryListLimits[list])
      .map((entry) => lineOf(entry))
      .filter((line) => line !== "");
  const state = lineOf(summary.currentTaskState);
  return {
    overview: lineOf(summary.overview)
      .split(sentenceEnd)
      .filter((sentence) => sentence !== ""),
    state: state === "" ? [] : [state],
    lists: {
      keyDecisions: listOf("keyDecisions"),
      remainingQuestions: listOf("remainingQuestions"),
      toolsUsed: listOf("toolsUsed"),
      filesModified: listOf("filesModified"),
    },
  };
}

function textOf({ overview, state, lists }: SummaryLines): string {
  let text = "";
  if (overview.length > 0) text += `**Context Summary:**\n${overview.join(" ")}\n`;
  const add = (list: SummaryList): void => {
    if (lists[list].length > 0) text += `${headings[list]}\n${lists[list].map((line) => `- ${line}\n`).join("")}`;
  };
  add("keyDecisions");
  if (state.length > 0) text += `**Current Task State:**\n${state.join("")}\n`;
  add("remainingQuestions");
  add("toolsUsed");
  add("filesModified");
  return text;
}

function lineCount({ overview, state, lists }: SummaryLines): number {
  let count = overview.length + state.length;
  for (const list of summaryLists) count += lists[list].length;
  return count;
}

function dropLast({ overview, state, lists }: SummaryLines): void {
  const list = summaryLists.findLast((name) => lists[name].length > 0);
  if (list !== undefined) lists[list].pop();
  else if (state.length > 0) state.pop();
  else overview.pop();
}
