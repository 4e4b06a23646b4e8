import type { ChatMessage } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { compareSteps } from "../src/side-by-side/compare-steps.ts";
import { judgeContext } from "../src/side-by-side/judge-context.ts";
import { langchainTrim } from "../src/side-by-side/langchain-trim.ts";
import { lociAssemble, lociTrim } from "../src/side-by-side/loci-steps.ts";
import { madeUpSession } from "../src/side-by-side/made-up-session.ts";
import { mastraTokenLimiter } from "../src/side-by-side/mastra-token-limiter.ts";
import { judgedTokens } from "../src/side-by-side/model-tokens.ts";
import { sideBySideResults } from "../src/side-by-side/side-by-side-results.ts";
import { sideBySideSection } from "../src/side-by-side/side-by-side-section.ts";
import { sideBySideTable } from "../src/side-by-side/side-by-side-table.ts";

const given: readonly ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Old question" },
  {
    role: "assistant",
    tool_calls: [{ id: "a", type: "function", function: { name: "look", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: "a", content: "found" },
  { role: "user", content: "New question" },
];

describe("the judge", () => {
  test("finds nothing wrong with what was given", () => {
    expect(judgeContext(given, { messages: given }, judgedTokens(given))).toEqual({
      keepsSystem: true,
      keepsLatestUser: true,
      keepsPairs: true,
      isWithinBudget: true,
      tokens: judgedTokens(given),
      keptMessages: given.length,
    });
  });

  test.each<[fault: string, without: readonly number[]]>([
    ["keepsSystem", [0]],
    ["keepsLatestUser", [4]],
    ["keepsPairs", [3]],
    ["keepsPairs", [2]],
  ])("sees when %s does not hold", (fault, without) => {
    const messages = given.filter((_, index) => !without.includes(index));
    const judgement = judgeContext(given, { messages }, 1000);
    const wrong = Object.entries(judgement).flatMap(([name, value]) => (value === false ? [name] : []));
    expect(wrong).toEqual([fault]);
  });

  test("sees one token too many", () => {
    expect(judgeContext(given, { messages: given }, judgedTokens(given) - 1).isWithinBudget).toBe(false);
  });

  test("counts OpenAI's framing: 3 a message, 3 for the answer", () => {
    expect(judgedTokens([{ role: "user", content: "hello" }])).toBe(3 + 1 + 1 + 3);
  });
});

test("Loci keeps all that is asked for where every library runs", async () => {
  const steps = [lociTrim, lociAssemble, langchainTrim, mastraTokenLimiter];
  const options = { steps, conversations: [madeUpSession(40)], budgets: [2000, 1_000_000], openings: 1, runs: 1 };
  const results = sideBySideResults(steps, await compareSteps(options));
  // All of it fits the second budget, where there is nothing to compare.
  expect(results.steps.map(({ step, cases }) => [step, cases])).toEqual(steps.map(({ name }) => [name, 1]));
  expect(results.steps.slice(0, 2).map(({ isUsable, refused }) => [isUsable, refused])).toEqual([
    [1, 0],
    [1, 0],
  ]);
  expect(results.results.every(({ keptMessages, tokens }) => keptMessages > 1 && tokens > 0)).toBe(true);
  const table = sideBySideTable(results);
  const page = sideBySideSection(results);
  for (const { name } of steps) {
    expect(table).toContain(name);
    expect(page).toContain(name);
  }
});
