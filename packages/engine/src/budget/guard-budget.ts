import {
  addSummary,
  type BudgetPlan,
  chatMessageTokens,
  enforceBudget,
  type FramingOptions,
  summarizeMessagesSteps,
  trimMessages,
} from "@loci/core";
import {
  asGiven,
  authorize,
  type ChatMessage,
  checkChoice,
  checkIdentifier,
  checkToolParameters,
  checkToolsSize,
  checkList,
  checksOf,
  type EnforceBudgetRequest,
  type EnforcedBudget,
  isPlainObject,
  LociError,
  optional,
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
import { checkMessages } from "../validation/validate-messages.ts";
import { checkPromptText } from "../validation/validate-text.ts";

const defaultOutputTokens = 4096;
const maxTools = 1000;

/** The number is checked by the rule. */
const checkTrim = checksOf<TrimRequest>()("request", {
  messages: checkMessages,
  maxTokens: asGiven,
  model: optional(checkPromptText),
  tools: optional(checkTools),
});

/** Its numbers are checked by the rules. */
const checkEnforce = checksOf<EnforceBudgetRequest>()("request", {
  onExceed: optional((action, path) => checkChoice(action, ["STOP", "SUMMARIZE", "TRIM"] as const, path)),
  summarize: optional(checkSummarize),
  session: optional(checkIdentifier),
  messages: checkMessages,
  model: optional(checkPromptText),
  tools: optional(checkTools),
  maxInputTokens: asGiven,
  safetyMarginRatio: asGiven,
  estimatedOutputTokens: asGiven,
});

/** Drops the oldest messages until the rest fits. */
export async function trim(services: BudgetServices, call: Call, request: TrimRequest): Promise<TrimmedMessages> {
  const { messages, maxTokens, ...framed } = checkTrim(request);
  const framing = await framingOf(services, framed);
  await countInTurns(services, call, messages, framing);
  return trimMessages(messages, maxTokens, framing);
}

/** Makes the messages of a model call fit its budget, and keeps its session and tenant within their caps. */
export async function enforce(
  services: BudgetServices,
  call: Call,
  request: EnforceBudgetRequest,
): Promise<EnforcedBudget> {
  const { principal, signal } = call;
  authorize(principal, "read", []);
  const { model, tools, summarize, session, messages, ...limits } = checkEnforce(request);
  const { estimatedOutputTokens } = limits;
  const framing = await framingOf(services, { model, tools });
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
  const { resolved, counter } = await services.tokens.forModel(model);
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
  return { count, provider: resolved.provider, tools };
}

function checkTools(tools: readonly ToolDefinition[], path: string): readonly ToolDefinition[] {
  let bytes = 0;
  for (const [index, tool] of checkList(tools, path, { least: 0, most: maxTools }).entries()) {
    if (isPlainObject(tool) && isPlainObject(tool.function)) {
      const { name, description, parameters } = tool.function;
      checkPromptText(name, `${path}[${index}].function.name`);
      if (description !== undefined) checkPromptText(description, `${path}[${index}].function.description`);
      if (parameters !== undefined) bytes += checkedParameters(parameters, `${path}[${index}].function.parameters`);
      checkToolsSize(bytes, path);
    } else
      throw new LociError("INVALID_REQUEST", {
        message: `${path}[${index}] must be a definition of a function.`,
        field: `${path}[${index}]`,
        advice: 'Pass tools as for the OpenAI chat API: { type: "function", function: { name: "…" } }.',
      });
  }
  return tools;
}

/** Returns their bytes. */
function checkedParameters(parameters: unknown, field: string): number {
  if (isPlainObject(parameters)) return checkToolParameters(parameters, field);
  throw new LociError("INVALID_REQUEST", {
    message: `${field} is not a JSON object.`,
    field,
    advice: "Pass a JSON schema, or leave it out for a function without parameters.",
  });
}

function checkSummarize(summarize: SummarizeMessages, path: string): SummarizeMessages {
  if (typeof summarize === "function") return summarize;
  throw new LociError("INVALID_REQUEST", {
    message: `${path} must be a function.`,
    field: path,
    advice: "Leave it out for the built-in summary.",
  });
}
