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
  readonly enforced: EnforcedBudget;
  /** What a summary may say these messages in. Empty when none was dropped, or the action is not `SUMMARIZE`. */
  readonly toSummarize: readonly ChatMessage[];
  /** For the summary's text. 0 when there is no room for one. */
  readonly summaryTokens: number;
}

const summaryHeader = "[Summary of earlier conversation]:\n";

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
  return {
    enforced,
    toSummarize: trimmed.dropped.map((index) => messages[index] as ChatMessage),
    summaryTokens: Math.max(0, allowed - trimmed.tokens - empty),
  };
}

/**
 * Puts a summary of the dropped messages behind the system prompt, as a message of the user: it is untrusted text and
 * never of system role. A summary that says nothing or does not fit is left out.
 */
export function addSummary(
  plan: BudgetPlan,
  summary: string,
  limits: CallLimits,
  framing: FramingOptions,
): EnforcedBudget {
  const { enforced } = plan;
  const text = summary.trim().toWellFormed();
  if (text === "") return enforced;
  const messages = enforced.messages.toSpliced(systemPromptLength(enforced.messages), 0, summaryMessage(text));
  const check = checkCall(messages, limits, framing);
  if (!check.allowed) return enforced;
  return { messages, tokens: callTokens(messages, framing), dropped: enforced.dropped, check, summarized: true };
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
