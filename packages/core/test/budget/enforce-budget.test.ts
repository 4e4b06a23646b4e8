import { type ChatMessage, LociError } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addSummary, approxTokenCounter, callTokens, enforceBudget } from "../../src/index.ts";
import { anyConversation } from "./conversations.ts";
import { propertyRuns } from "../property-runs.ts";

const framing = { count: (text: string): number => approxTokenCounter.count(text) };
const long = "x".repeat(400);
const messages: readonly ChatMessage[] = [
  { role: "system", content: "You are terse." },
  { role: "user", content: long },
  { role: "assistant", content: long },
  { role: "user", content: "q" },
  { role: "assistant", content: "a" },
  { role: "user", content: "r" },
];
const limits = { maxInputTokens: 200, estimatedOutputTokens: 20 };

describe("enforceBudget", () => {
  test("leaves what fits as it is", () => {
    const { enforced, toSummarize } = enforceBudget(
      messages,
      { maxInputTokens: 1000, estimatedOutputTokens: 0 },
      framing,
    );
    expect(enforced).toMatchObject({ messages, dropped: [], summarized: false, check: { allowed: true } });
    expect(enforced.tokens).toBe(callTokens(messages, framing));
    expect(toSummarize).toEqual([]);
  });

  test("trims to what the check allows", () => {
    const { enforced, toSummarize, summaryTokens } = enforceBudget(messages, limits, framing);
    expect(enforced).toMatchObject({ dropped: [1], check: { allowed: true }, summarized: false });
    expect([toSummarize, summaryTokens]).toEqual([[], 0]);
  });

  test.each([
    ["the safety margin", { maxInputTokens: 250, estimatedOutputTokens: 0, safetyMarginRatio: 0.1 }],
    ["the output", { maxInputTokens: 250, estimatedOutputTokens: 40, safetyMarginRatio: 0 }],
  ])("trims when only %s leaves too little room", (_, limit) => {
    expect(callTokens(messages, framing)).toBe(239);
    expect(enforceBudget(messages, limit, framing).enforced.dropped).toEqual([1]);
  });

  test("with STOP changes nothing and says by how much it is exceeded", () => {
    expect(() => enforceBudget(messages, { ...limits, onExceed: "STOP" }, framing)).toThrow(
      expect.objectContaining({
        reason: "BUDGET_EXCEEDED",
        message: expect.stringMatching(/^Context budget exceeded by \d+ tokens \(system: \d+, conversation: \d+\)/),
      }),
    );
  });

  test("stops when the output alone is too large", () => {
    expect(() => enforceBudget(messages, { maxInputTokens: 200, estimatedOutputTokens: 201 }, framing)).toThrow(
      expect.objectContaining({ reason: "BUDGET_EXCEEDED" }),
    );
  });

  test("puts a summary of what was dropped behind the system prompt, in the words of the user", () => {
    const summarize = { ...limits, onExceed: "SUMMARIZE" } as const;
    const plan = enforceBudget(messages, summarize, framing);
    expect(plan.toSummarize).toEqual([messages[1]]);
    const enforced = addSummary(plan, "They said x.", summarize, framing);
    expect(enforced).toMatchObject({ summarized: true, dropped: [1], check: { allowed: true } });
    expect(enforced.messages[1]).toEqual({
      role: "user",
      content: "[Summary of earlier conversation]:\nThey said x.",
    });
    expect(enforced.tokens).toBe(callTokens(enforced.messages, framing));
  });

  test("puts a summary of what was done for the latest question behind that question", () => {
    const running: readonly ChatMessage[] = [
      { role: "system", content: "You are terse." },
      { role: "user", content: "Mend the rounding." },
      ...["a", "b", "c", "d"].map((letter): ChatMessage => ({ role: "assistant", content: letter.repeat(200) })),
    ];
    const summarize = { maxInputTokens: 250, estimatedOutputTokens: 20, onExceed: "SUMMARIZE" } as const;
    const enforced = addSummary(enforceBudget(running, summarize, framing), "It read a file.", summarize, framing);
    expect(enforced).toMatchObject({ summarized: true, dropped: [2] });
    expect(enforced.messages.map(({ content }) => content)).toEqual([
      "You are terse.",
      "Mend the rounding.",
      "[Summary of earlier conversation]:\nIt read a file.",
      ...running.slice(3).map(({ content }) => content),
    ]);
  });

  test("leaves out a summary that says nothing or is too long", () => {
    const summarize = { ...limits, onExceed: "SUMMARIZE" } as const;
    const plan = enforceBudget(messages, summarize, framing);
    for (const summary of ["", "  \n", "y".repeat(4 * plan.summaryTokens + 40)])
      expect(addSummary(plan, summary, summarize, framing)).toBe(plan.enforced);
  });

  test("is always within its budget, with a summary and without", () => {
    fc.assert(
      fc.property(
        anyConversation,
        fc.integer({ min: 0, max: 800 }),
        fc.integer({ min: 0, max: 100 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.string({ maxLength: 400 }),
        (conversation, maxInputTokens, estimatedOutputTokens, safetyMarginRatio, summary) => {
          const limit = { maxInputTokens, estimatedOutputTokens, safetyMarginRatio, onExceed: "SUMMARIZE" } as const;
          let tokens = 0;
          try {
            const plan = enforceBudget(conversation, limit, framing);
            tokens = callTokens(addSummary(plan, summary, limit, framing).messages, framing);
          } catch (error) {
            if (!LociError.is(error) || !["KEPT_MESSAGES_TOO_LARGE", "BUDGET_EXCEEDED"].includes(error.reason))
              throw error;
          }
          expect(tokens).toBeLessThanOrEqual(Math.max(0, maxInputTokens - estimatedOutputTokens));
          expect(tokens).toBeLessThanOrEqual(maxInputTokens - maxInputTokens * safetyMarginRatio);
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  test("refuses a negative estimate and orphan results", () => {
    expect(() => enforceBudget(messages, { estimatedOutputTokens: -1 }, framing)).toThrow(
      expect.objectContaining({ reason: "INVALID_BUDGET", field: "estimatedOutputTokens" }),
    );
    expect(() => enforceBudget([{ role: "tool", tool_call_id: "1", content: "r" }], {}, framing)).toThrow(
      expect.objectContaining({ reason: "INVALID_MESSAGES" }),
    );
  });
});
