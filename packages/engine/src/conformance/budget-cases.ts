import assert from "node:assert/strict";
import type { ChatMessage, EnforceBudgetRequest, UsageTotals } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const long = "memory ".repeat(200);
const messages: readonly ChatMessage[] = [
  { role: "system", content: "You are terse." },
  { role: "user", content: long },
  { role: "assistant", content: "Yes." },
  { role: "user", content: "And now?" },
  { role: "assistant", content: "No." },
  { role: "user", content: "Why?" },
];
const orphan: readonly ChatMessage[] = [{ role: "tool", tool_call_id: "1", content: "4" }];
const call = { model: "gpt-4o", inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
const nothing: UsageTotals = {
  calls: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  cost: 0,
  inputCost: 0,
  outputCost: 0,
  unpricedCalls: 0,
  approximate: false,
};

export const budgetCases: BehaviourFile = {
  covers: ["budget.enforce", "budget.record", "budget.totals", "budget.trim"],
  cases: [
    {
      name: "messages are trimmed to a number of tokens, the oldest first",
      run: async ({ loci }) => {
        const whole = await loci.budget.trim({ messages, maxTokens: 10_000 });
        assert.deepEqual(whole, { messages, tokens: whole.tokens, dropped: [] });
        const trimmed = await loci.budget.trim({ messages, maxTokens: whole.tokens - 1, model: "gpt-4o" });
        assert.deepEqual(trimmed.dropped, [1]);
        assert.deepEqual(trimmed.messages, messages.toSpliced(1, 1));
        await refuses(loci.budget.trim({ messages, maxTokens: 10 }), "KEPT_MESSAGES_TOO_LARGE", "messages");
        await refuses(loci.budget.trim({ messages: orphan, maxTokens: 10 }), "INVALID_MESSAGES");
        await refuses(loci.budget.trim({ messages, maxTokens: -1 }), "INVALID_BUDGET", "maxTokens");
      },
    },
    {
      name: "a budget is enforced as far as the caller allows",
      run: async ({ loci }) => {
        const limits: Omit<EnforceBudgetRequest, "messages"> = { maxInputTokens: 150, estimatedOutputTokens: 50 };
        const enforced = await loci.budget.enforce({ ...limits, messages });
        assert.deepEqual([enforced.dropped, enforced.summarized, enforced.check.allowed], [[1], false, true]);
        await refuses(loci.budget.enforce({ ...limits, messages, onExceed: "STOP" }), "BUDGET_EXCEEDED", "messages");
        await refuses(loci.budget.enforce({ messages, estimatedOutputTokens: -1 }), "INVALID_BUDGET");
        await refuses(loci.budget.enforce({ messages: orphan }), "INVALID_MESSAGES");
        const summarized = await loci.budget.enforce({ ...limits, messages, onExceed: "SUMMARIZE" });
        assert.equal(summarized.check.allowed, true);
      },
    },
    {
      name: "what model calls used is added up for a session and its tenant, and costs what it costs",
      run: async ({ loci, as }) => {
        assert.deepEqual(await loci.budget.totals({}), nothing);
        // 600,000 at $2.50, 400,000 at $1.25, 100,000 at $10 a million.
        // Approximate, as every price that ships is.
        const costs = { cost: 3, inputCost: 2, outputCost: 1 };
        const first = { ...nothing, ...call, calls: 1, ...costs, approximate: true } as UsageTotals & {
          model?: string;
        };
        delete first.model;
        assert.deepEqual(await loci.budget.record({ ...call, session: "one" }), first);
        assert.deepEqual(await loci.budget.record({ model: "nobody-1", inputTokens: 5, outputTokens: 5 }), {
          ...first,
          calls: 2,
          inputTokens: 1_000_005,
          outputTokens: 100_005,
          unpricedCalls: 1,
        });
        assert.deepEqual(await loci.budget.totals({ session: "one" }), first);
        assert.deepEqual(await loci.budget.totals({ session: "two" }), nothing);
        const reader = await as({ roles: ["read"] });
        assert.equal((await reader.budget.totals({})).calls, 2);
        const once = { requestId: "call-1" };
        const keyed = await Promise.all([1, 2, 3].map(() => loci.budget.record({ ...call, session: "two" }, once)));
        for (const totals of keyed) assert.deepEqual(totals, first);
        await refuses(loci.budget.record({ ...call, session: "three" }, once), "REQUEST_ID_REUSED");
        assert.equal((await reader.budget.totals({})).calls, 3);
        await refuses(reader.budget.record(call), "ROLE_REQUIRED");
        await refuses(
          loci.budget.record({ ...call, cachedInputTokens: 1_000_001 }),
          "INVALID_BUDGET",
          "cachedInputTokens",
        );
        await refuses(loci.budget.record({ ...call, outputTokens: Number.NaN }), "INVALID_BUDGET", "outputTokens");
        await refuses(loci.budget.totals({ session: "" }), "INVALID_IDENTIFIER", "session");
      },
    },
    {
      name: "what model calls used stays readable, however much somebody says it was",
      run: async ({ loci }) => {
        const most = Number.MAX_SAFE_INTEGER;
        for (let calls = 1; calls <= 2; calls++)
          for (const model of ["nobody-1", "nobody-2"])
            await loci.budget.record({ model, inputTokens: most, outputTokens: most });
        const { calls, inputTokens, outputTokens } = await loci.budget.totals({});
        assert.deepEqual([calls, inputTokens, outputTokens], [4, most, most]);
      },
    },
  ],
};
