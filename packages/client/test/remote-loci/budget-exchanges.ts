import * as api from "@loci/api";
import { expect } from "vitest";
import { requestId, type Exchanges } from "./exchange.ts";

const trimmed = { messages: [{ role: "user", content: "Hi." }] as const, tokens: 8, dropped: [0] };
const trimmedMessage = api.trimmedMessagesToProto(trimmed);
const tool = { type: "function", function: { name: "add", parameters: { type: "object" } } } as const;

const totals = {
  calls: 2,
  inputTokens: 2 ** 40,
  cachedInputTokens: 7,
  outputTokens: 1,
  cost: 0.1 + 0.2,
  inputCost: 0.1,
  outputCost: 0.2,
  unpricedCalls: 1,
  approximate: true,
};

/** Tokens that are counted, and what may be spent. */
export const budgetExchanges: Exchanges = {
  countTokens: {
    call: ({ tokens }) => tokens.count({ text: "text", model: "gpt-5" }),
    request: { text: "text", model: "gpt-5" },
    response: { tokens: 1, tokenizer: "o200k_base", estimated: false },
    result: { tokens: 1, tokenizer: "o200k_base", estimated: false },
  },
  checkBudget: {
    call: ({ budget }) => budget.check({ systemTokens: 1, conversationTokens: 2 }),
    request: expect.objectContaining({ systemTokens: 1, conversationTokens: 2, onExceed: 0 }),
    response: { allowed: true, remainingInputTokens: 5, utilization: 0.25, action: 0 },
    result: { allowed: true, remainingInputTokens: 5, utilization: 0.25 },
  },
  enforceBudget: {
    call: ({ budget }) => budget.enforce({ messages: [{ role: "user", content: "Hi." }], session: "s" }),
    request: expect.objectContaining({
      messages: [expect.objectContaining({ role: api.proto.ChatRole.USER, body: { $case: "content", value: "Hi." } })],
      session: "s",
      onExceed: 0,
    }),
    response: { ...trimmedMessage, remainingInputTokens: 5, utilization: 0.25, summarized: false },
    result: { ...trimmed, check: { allowed: true, remainingInputTokens: 5, utilization: 0.25 }, summarized: false },
  },
  trimMessages: {
    call: ({ budget }) => budget.trim({ messages: [], maxTokens: 9, tools: [tool] }),
    request: {
      messages: [],
      maxTokens: 9,
      model: undefined,
      tools: [{ name: "add", description: undefined, parameters: '{"type":"object"}' }],
    },
    response: trimmedMessage,
    result: trimmed,
  },
  recordModelUsage: {
    call: ({ budget }) => budget.record({ model: "gpt-5", inputTokens: 2 ** 40, outputTokens: 1 }, { requestId }),
    request: {
      requestId,
      model: "gpt-5",
      session: undefined,
      inputTokens: 2n ** 40n,
      cachedInputTokens: undefined,
      outputTokens: 1n,
    },
    response: { totals: api.usageTotalsToProto(totals) },
    result: totals,
  },
  getModelUsageTotals: {
    call: ({ budget }) => budget.totals({ session: "s" }),
    request: { session: "s" },
    response: { totals: api.usageTotalsToProto(totals) },
    result: totals,
  },
};
