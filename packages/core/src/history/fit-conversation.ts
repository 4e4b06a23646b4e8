import type { Conversation } from "./conversation.ts";
import type { ConversationSummary } from "./conversation-summary.ts";
import { emptySummary, joinSummaries } from "./conversation-summary.ts";
import { type MessageForm, summaryHeader } from "./message-form.ts";
import { type EscapeLine, renderSummary, type RenderedSummary } from "./render-summary.ts";
import { summaryOfDigest } from "./summary-digest.ts";
import { keepNewest, keptFrom, keptTokens, type KeptUnits, lengthen, type NewestUnits } from "./window.ts";

/** The part of the budget that goes to whole messages before anything is summarised. */
const shareForMessages = 0.7;
const shareForSummary = 0.3;
export const mostSummaryTokens = 1_000;
/** What long texts are shortened for at once is at most this part of the budget, and more than two thirds of that. */
const shareAhead = 3 / 16;

/** A summary that was made before, by a model. */
export interface GivenSummary {
  /** How many messages it covers, from the first on. */
  readonly coveredMessages: number;
  readonly summary: ConversationSummary;
}

export interface ConversationFit {
  readonly conversation: Conversation;
  /** `window`: the newest messages and nothing of the others. `summary`: a summary of the others before them. */
  readonly strategy: "window" | "summary";
  /** At most so many of the newest units may stay. Those that must stay do. */
  readonly mostUnits: number;
  readonly form: MessageForm;
  readonly escape: EscapeLine;
  /** Tokens of a summary's text in the dearer of its forms. */
  readonly countSummary: (text: string) => number;
  readonly given?: GivenSummary | undefined;
  /** Summaries that had all the room they wanted, by where what is kept begins: the same one is asked for again and again. */
  readonly wholeSummaries: Map<number, RenderedSummary>;
  /** Lines of summaries, by what they tell: most stand in each of those that are tried. */
  readonly summaryLines: Map<string, string>;
}

export interface FittedConversation {
  readonly kept: KeptUnits;
  /** Of the units that are not kept. */
  readonly summary?: RenderedSummary | undefined;
  /** Of `kept` and `summary` together. */
  readonly tokens: number;
  /** What is left free for the messages that come, so that the next contexts begin as this one. Default 0. */
  readonly aheadTokens?: number | undefined;
}

/**
 * Makes a conversation fit. All of it when it does; else with the older of its long texts shortened, when that is enough; else,
 * with the strategy `summary`, whole messages, newest first, in 70% of the tokens and a summary of the skipped ones in what
 * is left, at most 30% and 1,000 tokens. What the summary leaves goes to older messages again, and then to shortened texts.
 *
 * Of long texts, newest first, as much is shown as fits besides what all before them take at least, but always in 70%; and what was
 * before them stays. They are shortened for some messages ahead, so that the next contexts begin as this one.
 *
 * What must stay does, whole, whatever it takes; then the result is larger than `maxTokens`. What it costs depends on what is
 * kept, not on how long the conversation is.
 */
export function fitConversation(fit: ConversationFit, maxTokens: number): FittedConversation {
  const { conversation, strategy } = fit;
  const { length } = conversation;
  const window = Math.max(0, length - fit.mostUnits);
  const whole = conversation.tokens(0, length);
  if (window === 0 && whole <= maxTokens) return { kept: { from: 0, before: [] }, tokens: whole };
  const messagesRoom = Math.floor(maxTokens * shareForMessages);
  const ahead = tokensAhead(whole, maxTokens);
  const keep = (first: number, tokens: number, mostLarger = tokens): NewestUnits => {
    const others = tokensBefore(conversation, first);
    return keepNewest(conversation, first, {
      maxTokens: tokens - others,
      // Nothing that fits 70% goes for what is yet to come.
      longTokens: Math.max(Math.min(tokens, messagesRoom), tokens - ahead) - others,
      largerTokens: maxTokens - ahead - others,
      olderTokens: maxTokens - messagesRoom,
      mostLargerTokens: mostLarger - others,
    });
  };
  const all = keep(window, maxTokens);
  if (strategy === "window" || all.from === 0) return fitted(conversation, all, maxTokens, ahead);
  // A given summary already says what it covers.
  const first = Math.max(window, fit.given === undefined ? 0 : conversation.unitFrom(fit.given.coveredMessages));
  const most = Math.min(mostSummaryTokens, Math.floor(maxTokens * shareForSummary));
  // As much of each long text is shown whatever the summary leaves: else that could cost older messages.
  let newest = keep(first, messagesRoom, messagesRoom);
  for (;;) {
    const kept = keptFrom(conversation, newest.from, newest.shortened);
    const tokens = keptTokens(conversation, kept);
    const summary = summarise(fit, kept, Math.min(most, maxTokens - tokens));
    const summaryTokens = summary?.tokens ?? 0;
    const more = keep(first, maxTokens - summaryTokens, messagesRoom);
    if (more.from >= newest.from) {
      const rest = fitted(conversation, newest, maxTokens - summaryTokens, ahead);
      return { ...rest, summary, tokens: rest.tokens + summaryTokens };
    }
    newest = more;
  }
}

/**
 * What comes until texts are shortened for the next time. It goes by what the whole conversation takes, in steps that stay the
 * same where budgets differ a little: so what is shortened changes once in a step, and not with every message.
 */
function tokensAhead(wholeTokens: number, maxTokens: number): number {
  const most = maxTokens * shareAhead;
  const power = 2 ** Math.floor(Math.log2(Math.max(1, most)));
  const step = power > 1 && power * 1.5 <= most ? power * 1.5 : power;
  return Math.ceil(wholeTokens / step) * step - wholeTokens;
}

/** These units, with as much of their long texts as fits besides what is left free for messages that come. */
function fitted(
  conversation: Conversation,
  { from, shortened, hasLong }: NewestUnits,
  maxTokens: number,
  aheadTokens: number,
): Omit<FittedConversation, "summary"> {
  const least = keptFrom(conversation, from, shortened);
  const kept = lengthen(conversation, least, maxTokens - aheadTokens - keptTokens(conversation, least));
  const tokens = keptTokens(conversation, kept);
  return hasLong
    ? { kept, tokens, aheadTokens: Math.max(0, Math.min(aheadTokens, maxTokens - tokens)) }
    : { kept, tokens };
}

/** A summary of the units that are not kept. */
function summarise(fit: ConversationFit, { from, before }: KeptUnits, maxTokens: number): RenderedSummary | undefined {
  const { conversation, given, form, escape, countSummary, wholeSummaries, summaryLines } = fit;
  const known = wholeSummaries.get(from);
  if (known !== undefined && known.tokens <= maxTokens) return known;
  let first = 0;
  while (before.includes(first)) first++;
  let last = from - 1;
  while (before.includes(last)) last--;
  if (last < first || maxTokens <= 0) return undefined;
  const [firstMessage] = conversation.unit(first).messages;
  const lastMessage = conversation.unit(last).messages.at(-1);
  const digest = conversation.digest(given?.coveredMessages ?? 0, before, from);
  const rendering = {
    header: summaryHeader(firstMessage?.turn ?? 1, lastMessage?.turn ?? 1, form),
    escape,
    maxTokens,
    count: countSummary,
    lines: summaryLines,
  };
  const summaryOf = (most?: number): RenderedSummary | undefined =>
    renderSummary(joinSummaries(given?.summary ?? emptySummary, summaryOfDigest(digest, most)), rendering);
  let summary = summaryOf();
  // Entries go from the end of a list; but of decisions, the newest and those that leave no doubt are worth most.
  for (let most = digest.decisions.length; summary?.decisions !== undefined;) {
    most = Math.min(most - 1, summary.decisions - (given?.summary.keyDecisions.length ?? 0));
    if (most < 1) break;
    const shorter = summaryOf(most);
    if (shorter === undefined) break;
    summary = { ...shorter, wholeTokens: summary.wholeTokens, isShortened: true };
  }
  if (summary?.isShortened === false) wholeSummaries.set(from, summary);
  return summary;
}

/** What the units before a position take that must stay. */
function tokensBefore(conversation: Conversation, end: number): number {
  let tokens = 0;
  for (const position of conversation.mustStay) if (position < end) tokens += conversation.unit(position).tokens;
  return tokens;
}
