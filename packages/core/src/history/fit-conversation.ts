import type { ConversationSummary } from "./conversation-summary.ts";
import { emptySummary, joinSummaries } from "./conversation-summary.ts";
import { DigestTrail, type HistoryCache, type ReadMessage } from "./history-cache.ts";
import { type MessageForm, summaryHeader } from "./message-form.ts";
import type { MessageUnit } from "./message-unit.ts";
import { type EscapeLine, renderSummary, type RenderedSummary } from "./render-summary.ts";
import { summaryOfDigest } from "./summary-digest.ts";
import { keepNewest } from "./window.ts";

/** The part of the budget that goes to whole messages before anything is summarised. */
const shareForMessages = 0.7;
const shareForSummary = 0.3;
export const mostSummaryTokens = 1_000;

/** A summary that was made before, by a model. */
export interface GivenSummary {
  /** How many messages it covers, from the first on. */
  readonly coveredMessages: number;
  readonly summary: ConversationSummary;
}

export interface ConversationFit {
  /** Oldest first. */
  readonly units: readonly MessageUnit[];
  /** `window`: the newest messages and nothing of the others. `summary`: a summary of the others before them. */
  readonly strategy: "window" | "summary";
  /** At most so many of the newest units may stay. Those that must stay do. */
  readonly mostUnits: number;
  readonly form: MessageForm;
  readonly escape: EscapeLine;
  /** Tokens of a summary's text in the dearer of its forms. */
  readonly countSummary: (text: string) => number;
  readonly given?: GivenSummary | undefined;
  readonly cache?: HistoryCache | undefined;
}

export interface FittedConversation {
  /** Oldest first. */
  readonly kept: readonly MessageUnit[];
  /** Of the units that are not kept. */
  readonly summary?: RenderedSummary | undefined;
  /** Of `kept` and `summary` together. */
  readonly tokens: number;
}

/**
 * Makes a conversation fit. All of it when it does; else, with the strategy `summary`, whole messages, newest first, in
 * 70% of the tokens and a summary of the skipped ones in what is left, at most 30% and 1,000 tokens. What the summary
 * leaves goes to older messages again.
 *
 * What must stay does, whatever it takes; then the result is larger than `maxTokens`.
 */
export function fitConversation(fit: ConversationFit, maxTokens: number): FittedConversation {
  const { units, strategy } = fit;
  const window = units.slice(Math.max(0, units.length - fit.mostUnits));
  const older = units.slice(0, units.length - window.length);
  const whole = sumTokens(units);
  if (older.length === 0 && whole <= maxTokens) return { kept: units, tokens: whole };
  const mustStay = older.filter((unit) => unit.mustStay);
  if (strategy === "window") {
    const kept = [...mustStay, ...keepNewest(window, maxTokens - sumTokens(mustStay))];
    return { kept, tokens: sumTokens(kept) };
  }
  // A given summary already says what it covers.
  const summarised = fit.given === undefined ? 0 : coveredUnits(units, fit.given);
  const candidates = window.slice(Math.max(0, summarised - older.length));
  const others = units.slice(0, units.length - candidates.length).filter((unit) => unit.mustStay);
  const room = maxTokens - sumTokens(others);
  const most = Math.min(mostSummaryTokens, Math.floor(maxTokens * shareForSummary));
  let newest = keepNewest(candidates, Math.floor(maxTokens * shareForMessages) - sumTokens(others));
  for (;;) {
    const kept = [...others, ...newest];
    const tokens = sumTokens(kept);
    const summary = summarise(fit, kept, Math.min(most, maxTokens - tokens));
    const used = tokens + (summary?.tokens ?? 0);
    const more = keepNewest(candidates, room - (summary?.tokens ?? 0));
    if (more.length <= newest.length) return { kept, summary, tokens: used };
    newest = more;
  }
}

/** A summary of the units that are not kept. */
function summarise(
  { units, given, cache, form, escape, countSummary }: ConversationFit,
  kept: readonly MessageUnit[],
  maxTokens: number,
): RenderedSummary | undefined {
  const skipped = skippedUnits(units, kept);
  const [first] = skipped[0]?.messages ?? [];
  const last = skipped.at(-1)?.messages.at(-1);
  if (first === undefined || last === undefined || maxTokens <= 0) return undefined;
  const covered = given?.coveredMessages ?? 0;
  const rest: ReadMessage[] = [];
  for (const { messages } of skipped) for (const { index, read } of messages) if (index >= covered) rest.push(read);
  const digest = cache?.digest(rest) ?? new DigestTrail().digest(rest);
  return renderSummary(joinSummaries(given?.summary ?? emptySummary, summaryOfDigest(digest)), {
    header: summaryHeader(first.turn, last.turn, form),
    escape,
    maxTokens,
    count: countSummary,
  });
}

/** Both lists are in the order of the conversation. */
function skippedUnits(units: readonly MessageUnit[], kept: readonly MessageUnit[]): readonly MessageUnit[] {
  const skipped: MessageUnit[] = [];
  let next = 0;
  for (const unit of units) {
    if (unit === kept[next]) next++;
    else skipped.push(unit);
  }
  return skipped;
}

/** How many units, from the first on, a summary covers whole. */
function coveredUnits(units: readonly MessageUnit[], { coveredMessages }: GivenSummary): number {
  const first = units.findIndex(({ messages }) => messages.some(({ index }) => index >= coveredMessages));
  return first < 0 ? units.length : first;
}

function sumTokens(units: readonly MessageUnit[]): number {
  let sum = 0;
  for (const { tokens } of units) sum += tokens;
  return sum;
}
