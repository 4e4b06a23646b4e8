// In the middle of a turn nothing is moved: the messages stay as they are, the question where it was said.
import { type ChatMessage, LociError, type ToolCall } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Assembly,
  assembleContext,
  type AssemblyInput,
  planWindow,
  resolveModel,
  toAiSdk,
  toAnthropic,
} from "../../src/index.ts";
import { shortenedMessage, shownEnds } from "../../src/history/shortened-message.ts";
import { propertyRuns } from "../property-runs.ts";
import { anyAssembly } from "./any-assembly.ts";
import { exampleHit, exampleInput } from "./example-input.ts";
import { chatTokens } from "./framed-tokens.ts";

const question = "Is the login test green?";

function called(id: string, path: string, result: string): readonly ChatMessage[] {
  const call = { id, type: "function", function: { name: "read", arguments: `{"path":"${path}"}` } } as const;
  return [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: id, content: result },
  ];
}

const before: readonly ChatMessage[] = [
  { role: "user", content: "Hello." },
  { role: "assistant", content: "Hello, Ann." },
];
const asked: ChatMessage = { role: "user", content: question };
const running = [...before, asked, ...called("1", "a.ts", "const a = 1"), ...called("2", "b.ts", "const b = 2")];

function assembled(fields: Partial<AssemblyInput>): Assembly {
  const hits = Array.from({ length: 400 }, (_, index) => exampleHit(index, `Fact ${index}. ${"word ".repeat(40)}`));
  return assembleContext(
    exampleInput({
      plan: planWindow({ resolved: resolveModel("gpt-4o") }),
      system: "Be brief.",
      recall: { hits, dropped: [], degraded: [] },
      ...fields,
    }),
  );
}

describe("a running turn", () => {
  const context = assembled({ query: undefined, messages: running });

  test("stays as it is in the OpenAI form", () => {
    expect(context.messages.slice(1)).toEqual(running);
  });

  test("stays as it is in the text", () => {
    const history = context.sections.find(({ name }) => name === "history")?.content ?? "";
    expect(history.split("\n")).toEqual([
      "[user]: Hello.",
      "[assistant]: Hello, Ann.",
      `[user]: ${question}`,
      '[assistant]: [calls read {"path":"a.ts"}]',
      "[tool]: const a = 1",
      '[assistant]: [calls read {"path":"b.ts"}]',
      "[tool]: const b = 2",
    ]);
    expect(context.text).not.toContain("<query>");
    expect(context.text.split(question)).toHaveLength(2);
    expect(context.usage.queryTokens).toBe(0);
    expect(context.receipt.items.map(({ id }) => id)).not.toContain("text:query");
  });

  test("stays as it is in Anthropic's form", () => {
    const { messages } = toAnthropic(context);
    expect(messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).toEqual([
      ["user", "text"],
      ["assistant", "text"],
      ["user", "text"],
      ["assistant", "tool_use"],
      ["user", "tool_result"],
      ["assistant", "tool_use"],
      ["user", "tool_result"],
    ]);
    expect(JSON.stringify(messages[2])).toContain(question);
  });

  test("stays as it is in the AI SDK's form", () => {
    const { messages } = toAiSdk(context);
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
  });

  test("takes nothing from the memories its first call was shown, while the model has room", () => {
    const first = assembled({ query: question, messages: [...before, asked] });
    const shown = ({ receipt }: Assembly): readonly string[] =>
      receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome === "kept").map(({ id }) => id);
    const results = Array.from({ length: 30 }, (_, call) => called(`${call}`, "c.ts", "word ".repeat(500)));
    const later = assembled({ query: undefined, messages: [...before, asked, ...results.flat()] });
    expect(later.messages.slice(1)).toEqual([...before, asked, ...results.flat()]);
    expect(shown(later)).toEqual(expect.arrayContaining([...shown(first)]));
  });

  test("is cut like any conversation where there is no room, but for the question and the newest results", () => {
    const plan = planWindow({ resolved: resolveModel(undefined) });
    const results = Array.from({ length: 30 }, (_, call) => called(`${call}`, "c.ts", "word ".repeat(500)));
    const messages = [...before, asked, ...results.flat()];
    const small = assembled({ plan, query: undefined, messages });
    const shown = small.messages.filter(({ role }) => role !== "system");
    expect(shown.length).toBeLessThan(messages.length);
    expect(shown).toContainEqual(asked);
    expect(shown.slice(-2)).toEqual(messages.slice(-2));
    expect(small.usage.totalTokens).toBeLessThanOrEqual(small.usage.budgetTokens);
  });
});

describe("a call without a result, as an aborted turn leaves it", () => {
  const call = (id: string): ToolCall => ({
    id,
    type: "function",
    function: { name: "book", arguments: '{"day":"2"}' },
  });
  const given: readonly ChatMessage[] = [
    asked,
    { role: "assistant", content: "I book both.", tool_calls: [call("1"), call("2")] },
    { role: "tool", tool_call_id: "1", content: "Booked." },
    { role: "user", content: "Stop!" },
    { role: "assistant", content: null, tool_calls: [call("3")] },
    { role: "user", content: "Leave it." },
  ];
  const context = assembled({ query: undefined, messages: given });

  test("is said in words in the OpenAI form, whose API refuses it", () => {
    expect(context.messages.slice(1)).toEqual([
      asked,
      { role: "assistant", content: 'I book both.\n[calls book {"day":"2"}]', tool_calls: [call("1")] },
      ...given.slice(2, 4),
      { role: "assistant", content: '[calls book {"day":"2"}]' },
      { role: "user", content: "Leave it." },
    ]);
  });

  test("is counted as it is said", () => {
    const { counter } = exampleInput({});
    expect(context.usage.messagesTokens).toBe(chatTokens(context.messages, (text) => counter.count(text)));
  });
});

/** In whatever order its fields are. */
function textOf(message: ChatMessage): string {
  return JSON.stringify(Object.entries(message).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

test("in any window it is within budget in both forms, and no message changes its place", () => {
  fc.assert(
    fc.property(anyAssembly(), (input) => {
      let context: Assembly;
      try {
        context = assembleContext({ ...input, query: undefined });
      } catch (error) {
        if (LociError.is(error)) return;
        throw error;
      }
      const { text, messages, usage } = context;
      expect(usage.totalTokens).toBe(input.counter.count(text));
      expect(usage.totalTokens).toBeLessThanOrEqual(usage.budgetTokens);
      expect(chatTokens(messages, (one) => input.counter.count(one))).toBeLessThanOrEqual(usage.budgetTokens);
      const kept = messages.slice(messages[0]?.role === "system" ? 1 : 0).map(textOf);
      const given = input.messages.map(textOf);
      const shortened = input.messages.map((message) =>
        shownEnds.map((ends) => textOf(shortenedMessage(message, ends) ?? message)),
      );
      let from = 0;
      for (const message of kept) {
        const whole = given.indexOf(message, from);
        const at = whole >= 0 ? whole : shortened.findIndex((forms, index) => index >= from && forms.includes(message));
        // The summary stands where messages were left out.
        expect(at >= 0 || message.includes("[Summary of ")).toBe(true);
        if (at >= 0) from = at + 1;
      }
    }),
    { numRuns: propertyRuns(150), seed: 20_261_122, endOnFailure: true },
  );
});
