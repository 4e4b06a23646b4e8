import type {
  BudgetCheck,
  BudgetCheckRequest,
  EnforceBudgetRequest,
  EnforcedBudget,
  RecordUsageRequest,
  ToolDefinition,
  TrimmedMessages,
  TrimRequest,
  UsageTotals,
} from "@loci/domain";
import fc from "fast-check";
import { chatMessage } from "./contexts.ts";
import { double, doubleWithOneZero, int32, recordOf, text, tokens } from "./plain-values.ts";

const action = fc.constantFrom("STOP" as const, "SUMMARIZE" as const, "TRIM" as const);
const limits = { maxInputTokens: int32, safetyMarginRatio: double, estimatedOutputTokens: int32, onExceed: action };

export const budgetCheckRequest: fc.Arbitrary<BudgetCheckRequest> = recordOf<BudgetCheckRequest>(
  { systemTokens: int32, conversationTokens: int32 },
  limits,
);

const allowed = fc.record(
  { allowed: fc.constant(true as const), remainingInputTokens: tokens, utilization: doubleWithOneZero },
  { noNullPrototype: true },
);

export const budgetCheck: fc.Arbitrary<BudgetCheck> = fc.oneof(
  allowed,
  fc.record(
    {
      allowed: fc.constant(false as const),
      remainingInputTokens: tokens,
      utilization: doubleWithOneZero,
      action,
      code: fc.constantFrom("EXCEEDED" as const, "SAFETY_MARGIN" as const),
      message: text,
    },
    { noNullPrototype: true },
  ),
);

const messages = fc.array(chatMessage, { maxLength: 3 });

const schema = fc
  .dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 })
  .map((values) => JSON.parse(JSON.stringify(values)) as Readonly<Record<string, unknown>>);

const tool: fc.Arbitrary<ToolDefinition> = fc.record(
  {
    type: fc.constant("function" as const),
    function: recordOf<ToolDefinition["function"]>({ name: text }, { description: text, parameters: schema }),
  },
  { noNullPrototype: true },
);
const tools = fc.array(tool, { minLength: 1, maxLength: 2 });

/** Without a function to summarise with, which cannot be sent. */
export const enforceBudgetRequest: fc.Arbitrary<EnforceBudgetRequest> = recordOf<
  Omit<EnforceBudgetRequest, "summarize">
>({ messages }, { ...limits, model: text, tools, session: text });

export const trimRequest: fc.Arbitrary<TrimRequest> = recordOf<TrimRequest>(
  { messages, maxTokens: int32 },
  { model: text, tools },
);

const trimmed = { messages, tokens, dropped: fc.array(tokens, { maxLength: 3 }) };

export const trimmedMessages: fc.Arbitrary<TrimmedMessages> = fc.record(trimmed, { noNullPrototype: true });

export const enforcedBudget: fc.Arbitrary<EnforcedBudget> = fc.record(
  { ...trimmed, check: allowed, summarized: fc.boolean() },
  { noNullPrototype: true },
);

export const recordUsageRequest: fc.Arbitrary<RecordUsageRequest> = recordOf<RecordUsageRequest>(
  { model: text, inputTokens: fc.maxSafeInteger(), outputTokens: fc.maxSafeInteger() },
  { session: text, cachedInputTokens: fc.maxSafeInteger() },
);

export const usageTotalsRequest: fc.Arbitrary<{ session?: string | undefined }> = recordOf<{
  session?: string | undefined;
}>({}, { session: text });

export const usageTotals: fc.Arbitrary<UsageTotals> = fc.record(
  {
    calls: fc.maxSafeNat(),
    inputTokens: fc.maxSafeNat(),
    cachedInputTokens: fc.maxSafeNat(),
    outputTokens: fc.maxSafeNat(),
    cost: doubleWithOneZero,
    inputCost: doubleWithOneZero,
    outputCost: doubleWithOneZero,
    unpricedCalls: fc.maxSafeNat(),
    approximate: fc.boolean(),
  },
  { noNullPrototype: true },
);
