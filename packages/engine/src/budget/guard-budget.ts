import {
  addSummary,
  type BudgetPlan,
  type CallLimits,
  chatMessageTokens,
  enforceBudget,
  type FramingOptions,
  summarizeMessagesSteps,
  trimMessages,
} from "@loci/core";
import {
  authorize,
  type ChatMessage,
  checkChoice,
  checkFields,
  checkList,
  type EnforceBudgetRequest,
  type EnforcedBudget,
  fieldsOf,
  isPlainObject,
  LociError,
  type SummarizeMessages,
  throwIfAborted,
  type ToolDefinition,
  type TrimmedMessages,
  type TrimRequest,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { eachInTurns } from "../calls/each-in-turns.ts";
import { takeTurns } from "../calls/take-turns.ts";
import type { BudgetServices } from "./budget-services.ts";
import { checkSession } from "../usage/model-usage.ts";
import { checkMessages } from "../validation/validate-messages.ts";
import { checkPromptText } from "../validation/validate-text.ts";

const defaultOutputTokens = 4096;
const maxTools = 1000;

const trimFields = fieldsOf<TrimRequest>({ messages: true, maxTokens: true, model: true, tools: true });
const enforceFields = fieldsOf<EnforceBudgetRequest>({
  messages: true,
  model: true,
  tools: true,
  session: true,
  summarize: true,
  maxInputTokens: true,
  safetyMarginRatio: true,
  estimatedOutputTokens: true,
  onExceed: true,
});

/** Drops the oldest messages until the rest fits. */
export async function trim(services: BudgetServices, call: Call, request: TrimRequest): Promise<TrimmedMessages> {
  checkFields(request, trimFields, "request");
  const messages = checkMessages(request.messages);
  const framing = await framingOf(services, request);
  await countInTurns(services, call, messages, framing);
  return trimMessages(messages, request.maxTokens, framing);
}

/** Makes the messages of a model call fit its budget, and keeps its session and tenant within their caps. */
export async function enforce(
  services: BudgetServices,
  call: Call,
  request: EnforceBudgetRequest,
): Promise<EnforcedBudget> {
  const { principal, signal } = call;
  authorize(principal, "read", []);
  checkFields(request, enforceFields, "request");
  const { model, summarize, maxInputTokens, safetyMarginRatio, estimatedOutputTokens, onExceed } = request;
  if (onExceed !== undefined) checkChoice(onExceed, ["STOP", "SUMMARIZE", "TRIM"], "onExceed");
  if (summarize !== undefined && typeof summarize !== "function") throw summarizeUnusable();
  const session = checkSession(request.session);
  const messages = checkMessages(request.messages);
  const limits: CallLimits = { maxInputTokens, safetyMarginRatio, estimatedOutputTokens, onExceed };
  const framing = await framingOf(services, request);
  await countInTurns(services, call, messages, framing);
  const plan = enforceBudget(messages, limits, framing);
  await services.modelUsage.checkCaps(
    principal,
    { session, model },
    {
      inputTokens: Math.max(plan.enforced.tokens, (plan.besideSummary?.tokens ?? 0) + plan.summaryTokens),
      outputTokens: estimatedOutputTokens ?? defaultOutputTokens,
    },
  );
  if (plan.toSummarize.length === 0 || plan.summaryTokens === 0) return plan.enforced;
  const own = (): Promise<string> => ownSummary(services, call, plan, framing);
  const summary = summarize === undefined ? await own() : ((await summaryOf(summarize, plan, signal)) ?? (await own()));
  const enforced = addSummary(plan, summary, limits, framing);
  // One that is too long says nothing; the built-in one keeps to its room.
  if (enforced.summarized || summarize === undefined) return enforced;
  return addSummary(plan, await own(), limits, framing);
}

/** What the caller's function says; `undefined` when it fails. Its error is no reason to refuse messages that fit. */
async function summaryOf(
  summarize: SummarizeMessages,
  { toSummarize, summaryTokens }: BudgetPlan,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const summary = await summarize(toSummarize, summaryTokens, signal);
    throwIfAborted(signal);
    return checkPromptText(summary, "summarize");
  } catch {
    throwIfAborted(signal);
    return undefined;
  }
}

/** As an assembly summarises: with the language model where there is one, and without it what that could not. */
async function ownSummary(
  services: BudgetServices,
  call: Call,
  { toSummarize, summaryTokens }: BudgetPlan,
  { count }: FramingOptions,
): Promise<string> {
  const { principal, signal } = call;
  const { given } = (await services.summarizer?.summarize(principal, toSummarize, signal)) ?? {};
  const others = toSummarize.slice(given?.coveredMessages ?? 0);
  const steps = summarizeMessagesSteps(others, summaryTokens, count, given?.summary);
  return takeTurns(steps, turnsOf(services, call));
}

/** Fills what the framing remembers, message by message: all of them at once may take seconds. */
async function countInTurns(
  services: BudgetServices,
  call: Call,
  messages: readonly ChatMessage[],
  { count, provider }: FramingOptions,
): Promise<void> {
  await eachInTurns(messages, (message) => chatMessageTokens(message, count, provider), turnsOf(services, call));
}

function turnsOf(
  { thread }: Pick<BudgetServices, "thread">,
  { principal, signal }: Call,
): () => Promise<void> | undefined {
  return () => thread.next(principal.tenant, signal);
}

async function framingOf(
  services: BudgetServices,
  { model, tools }: Pick<TrimRequest, "model" | "tools">,
): Promise<FramingOptions> {
  const { resolved, counter } = await services.tokens.forModel(
    model === undefined ? undefined : checkPromptText(model, "model"),
  );
  // Roles and whole messages are counted more than once on the way.
  const counted = new Map<string, number>();
  const count = (text: string): number => {
    let tokens = counted.get(text);
    if (tokens === undefined) {
      tokens = counter.count(text);
      counted.set(text, tokens);
    }
    return tokens;
  };
  return { count, provider: resolved.provider, tools: tools === undefined ? undefined : checkTools(tools) };
}

function checkTools(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  for (const [index, tool] of checkList(tools, "tools", { least: 0, most: maxTools }).entries()) {
    if (isPlainObject(tool) && isPlainObject(tool.function)) {
      checkPromptText(tool.function.name, `tools[${index}].function.name`);
      if (tool.function.description !== undefined)
        checkPromptText(tool.function.description, `tools[${index}].function.description`);
    } else
      throw new LociError("INVALID_REQUEST", {
        message: `tools[${index}] must be a definition of a function.`,
        field: `tools[${index}]`,
        advice: 'Pass tools as for the OpenAI chat API: { type: "function", function: { name: "…" } }.',
      });
  }
  return tools;
}

function summarizeUnusable(): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "summarize must be a function.",
    field: "summarize",
    advice: "Leave it out for the built-in summary.",
  });
}
