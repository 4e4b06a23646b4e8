import {
  type BudgetCheck,
  type BudgetCheckRequest,
  type ChatMessage,
  type EnforcedBudget,
  LociError,
  type TrimmedMessages,
} from "@loci/domain";
import { checkMessages } from "../history/check-messages.ts";
import { callTokens, chatMessageTokens, type FramingOptions } from "../tokens/message-framing.ts";
import { checkBudget, largestAllowedInput } from "./check-budget.ts";
import { systemPromptLength, trimMessages } from "./trim-messages.ts";

/** The limits of a call: a budget check without what is counted here. */
export type CallLimits = Omit<BudgetCheckRequest, "systemTokens" | "conversationTokens">;

/** Messages that fit, and what could still be said of those that had to go. */
export interface BudgetPlan {
  /** Without a summary. */
  readonly enforced: EnforcedBudget;
  /** What stays beside a summary: less, so that it has room. Absent when there is nothing to summarise. */
  readonly besideSummary?: TrimmedMessages | undefined;
  /** What a summary may say these messages in. Empty when none was dropped, or the action is not `SUMMARIZE`. */
  readonly toSummarize: readonly ChatMessage[];
  /** For the summary's text. 0 when there is no room for one. */
  readonly summaryTokens: number;
}

const summaryHeader = "[Summary of earlier conversation]:\n";
/** A summary may take this share of the input, and no more than so many tokens. */
const shareForSummary = 0.3;
const mostSummaryTokens = 1_000;

/**
 * Makes the messages of a model call fit its budget: checks, then trims, unless the action is `STOP`. With `SUMMARIZE`,
 * have the dropped messages summarised and go on with {@link addSummary}.
 *
 * @throws LociError `BUDGET_EXCEEDED` when the action is `STOP`; else what {@link trimMessages} and {@link checkBudget}
 *   throw
 */
export function enforceBudget(
  messages: readonly ChatMessage[],
  limits: CallLimits,
  framing: FramingOptions,
): BudgetPlan {
  checkMessages(messages);
  const check = checkCall(messages, limits, framing);
  if (check.allowed) {
    const tokens = callTokens(messages, framing);
    return { enforced: { messages, tokens, dropped: [], check, summarized: false }, toSummarize: [], summaryTokens: 0 };
  }
  const allowed = largestAllowedInput(limits);
  // With no room for any input there is nothing to trim to.
  if (check.action === "STOP" || allowed < 0) throw exceeded(check);
  const trimmed = trimMessages(messages, allowed, framing);
  const enforced = { ...trimmed, check: checkAgain(trimmed, limits, framing), summarized: false };
  if (check.action !== "SUMMARIZE") return { enforced, toSummarize: [], summaryTokens: 0 };
  const empty = chatMessageTokens(summaryMessage(""), framing.count, framing.provider);
  // No more than that share of what it says either.
  const droppedTokens = callTokens(messages, framing) - trimmed.tokens;
  const wanted = Math.min(mostSummaryTokens, Math.floor(Math.min(allowed, droppedTokens) * shareForSummary));
  const hasRoom = allowed - trimmed.tokens - empty >= wanted;
  const besideSummary = (hasRoom ? undefined : trimmedWithRoom(messages, allowed - empty - wanted, framing)) ?? trimmed;
  const summaryTokens = Math.min(mostSummaryTokens, Math.max(0, allowed - besideSummary.tokens - empty));
  const toSummarize = besideSummary.dropped.map((index) => messages[index] as ChatMessage);
  return { enforced, besideSummary, toSummarize, summaryTokens };
}

/** `undefined` when what has to stay leaves no such room: then a summary has what is left. */
function trimmedWithRoom(
  messages: readonly ChatMessage[],
  maxTokens: number,
  framing: FramingOptions,
): TrimmedMessages | undefined {
  if (maxTokens < 0) return undefined;
  try {
    return trimMessages(messages, maxTokens, framing);
  } catch (error) {
    if (LociError.is(error) && error.reason === "KEPT_MESSAGES_TOO_LARGE") return undefined;
    throw error;
  }
}

/**
 * Puts a summary of the dropped messages where the first of them was, as an assembly does, as a message of the user: it is
 * untrusted text and never of system role. A summary that says nothing or does not fit is left out.
 */
export function addSummary(
  plan: BudgetPlan,
  summary: string,
  limits: CallLimits,
  framing: FramingOptions,
): EnforcedBudget {
  const { enforced, besideSummary = enforced } = plan;
  const text = summary.trim().toWellFormed();
  if (text === "") return enforced;
  const { messages: kept, dropped } = besideSummary;
  const messages = kept.toSpliced(dropped[0] ?? systemPromptLength(kept), 0, summaryMessage(text));
  const check = checkCall(messages, limits, framing);
  if (!check.allowed) return enforced;
  return { messages, tokens: callTokens(messages, framing), dropped, check, summarized: true };
}

function summaryMessage(text: string): ChatMessage {
  return { role: "user", content: `${summaryHeader}${text}` };
}

/** The framing of the call and the tools count as part of the system. */
function checkCall(messages: readonly ChatMessage[], limits: CallLimits, framing: FramingOptions): BudgetCheck {
  const promptEnd = systemPromptLength(messages);
  const systemTokens = callTokens(messages.slice(0, promptEnd), framing);
  return checkBudget({
    ...limits,
    systemTokens,
    conversationTokens: callTokens(messages, framing) - systemTokens,
  });
}

function checkAgain(
  { messages }: TrimmedMessages,
  limits: CallLimits,
  framing: FramingOptions,
): BudgetCheck & { readonly allowed: true } {
  const check = checkCall(messages, limits, framing);
  if (!check.allowed) throw exceeded(check);
  return check;
}

function exceeded(check: BudgetCheck & { readonly allowed: false }): LociError {
  return new LociError("BUDGET_EXCEEDED", {
    message: check.message,
    field: "messages",
    advice: "Shorten the messages, raise maxInputTokens, or let onExceed be TRIM or SUMMARIZE.",
    details: { code: check.code, remainingInputTokens: String(check.remainingInputTokens) },
  });
}
