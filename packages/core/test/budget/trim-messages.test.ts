import { type ChatMessage, LociError } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { approxTokenCounter, callTokens, trimMessages } from "../../src/index.ts";
import { anyConversation } from "./conversations.ts";
import { propertyRuns } from "../property-runs.ts";

const framing = { count: (text: string): number => approxTokenCounter.count(text) };
const runs = { numRuns: propertyRuns(500) };
const anyBudget = fc.integer({ min: 0, max: 800 });

const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant = (content: string): ChatMessage => ({ role: "assistant", content });
const system: ChatMessage = { role: "system", content: "You are terse." };
const call: ChatMessage = {
  role: "assistant",
  tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }],
};
const result: ChatMessage = { role: "tool", tool_call_id: "1", content: "r" };

/** What trimming gives, unless what must stay is too large. */
function trimmed(messages: readonly ChatMessage[], budget: number): ReturnType<typeof trimMessages> | undefined {
  try {
    return trimMessages(messages, budget, framing);
  } catch (error) {
    if (LociError.is(error) && error.reason === "KEPT_MESSAGES_TOO_LARGE") return undefined;
    throw error;
  }
}

describe("trimMessages", () => {
  test("drops the oldest first, and only as many as it must", () => {
    const messages = [system, user("a"), assistant("b"), user("c"), assistant("d"), user("e"), assistant("f")];
    const all = callTokens(messages, framing);
    expect(trimMessages(messages, all, framing)).toEqual({ messages, tokens: all, dropped: [] });
    const { messages: kept, dropped, tokens } = trimMessages(messages, all - 1, framing);
    expect(dropped).toEqual([1]);
    expect(kept).toEqual(messages.toSpliced(1, 1));
    expect(tokens).toBe(callTokens(kept, framing));
  });

  test("keeps the latest message of the user, wherever it is", () => {
    const messages = [
      system,
      user("old"),
      user("latest"),
      assistant("1"),
      assistant("2"),
      assistant("3"),
      assistant("4"),
    ];
    const kept = [system, user("latest"), assistant("2"), assistant("3"), assistant("4")];
    const least = callTokens(kept, framing);
    expect(trimMessages(messages, least, framing).messages).toEqual(kept);
    expect(() => trimMessages(messages, least - 1, framing)).toThrow(
      expect.objectContaining({
        reason: "KEPT_MESSAGES_TOO_LARGE",
        details: expect.objectContaining({ neededTokens: String(least), budgetTokens: String(least - 1) }),
      }),
    );
  });

  test("keeps a call whose result is among the last three", () => {
    const messages = [user("q"), call, result, assistant("a"), assistant("b")];
    expect(trimMessages(messages, callTokens(messages, framing), framing).dropped).toEqual([]);
    expect(() => trimMessages(messages, callTokens(messages, framing) - 1, framing)).toThrow(
      expect.objectContaining({ reason: "KEPT_MESSAGES_TOO_LARGE" }),
    );
  });

  test("says which message is too large, and what to do", () => {
    const large: ChatMessage = { role: "tool", tool_call_id: "1", content: "row ".repeat(500) };
    const messages = [system, user("q"), call, large];
    expect(() => trimMessages(messages, 200, framing)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/ The largest is messages\[3\], a result of the tool "f": \d+ tokens\.$/),
        advice: expect.stringContaining('Shorten what the tool "f" gives'),
        details: expect.objectContaining({ message: "3", role: "tool", tool: "f" }),
      }),
    );
    expect(() => trimMessages([user("q ".repeat(900))], 200, framing)).toThrow(
      expect.objectContaining({ advice: expect.stringContaining("Shorten messages[0], raise the budget") }),
    );
    const tools = [{ type: "function", function: { name: "f", description: "word ".repeat(900) } }] as const;
    expect(() => trimMessages(messages.slice(0, 2), 200, { ...framing, tools })).toThrow(
      expect.objectContaining({ advice: expect.stringContaining("fewer tools") }),
    );
  });

  test("of thousands of results that are too large, looks through the calls before them once", () => {
    const count = 2_000;
    let read = 0;
    const calls = Array.from({ length: count }, (_, index) => ({
      get id(): string {
        read++;
        return `call ${index}`;
      },
      type: "function" as const,
      function: { name: "f", arguments: "{}" },
    }));
    const results = calls.map((_, index): ChatMessage => ({
      role: "tool",
      tool_call_id: `call ${index}`,
      content: "r",
    }));
    const messages = [user("q"), { role: "assistant" as const, tool_calls: calls }, ...results];
    expect(() => trimMessages(messages, 200, framing)).toThrow(
      expect.objectContaining({ reason: "KEPT_MESSAGES_TOO_LARGE" }),
    );
    expect(read).toBeLessThan(10 * count);
  });

  test("drops a call together with its result", () => {
    const messages = [call, result, user("q"), assistant("a"), user("b")];
    expect(trimMessages(messages, callTokens(messages, framing) - 1, framing).dropped).toEqual([0, 1]);
  });

  test("tools take from the budget", () => {
    const messages = [user("a".repeat(400)), assistant("b"), user("c"), assistant("d")];
    const tools = [{ type: "function", function: { name: "f" } }] as const;
    const all = callTokens(messages, framing);
    expect(trimMessages(messages, all, { ...framing, tools }).dropped).toEqual([0]);
  });

  test("is never over budget, and counts what it keeps", () => {
    fc.assert(
      fc.property(anyConversation, anyBudget, (messages, budget) => {
        const kept = trimmed(messages, budget);
        expect(kept?.tokens ?? 0).toBeLessThanOrEqual(budget);
        expect(kept?.tokens).toBe(kept && callTokens(kept.messages, framing));
        expect(kept?.messages).toEqual(kept && messages.filter((_, index) => !kept.dropped.includes(index)));
      }),
      runs,
    );
  });

  test("keeps what it must", () => {
    fc.assert(
      fc.property(anyConversation, anyBudget, (messages, budget) => {
        const dropped = new Set(trimmed(messages, budget)?.dropped);
        const latestOfUser = messages.findLastIndex(({ role }) => role === "user");
        const prompt = messages.findIndex(({ role }) => role !== "system");
        const mustStay = messages
          .map((_, index) => index)
          .filter((index) => index < prompt || index === latestOfUser || index >= messages.length - 3);
        expect(mustStay.filter((index) => dropped.has(index))).toEqual([]);
      }),
      runs,
    );
  });

  test("never splits a call from its results", () => {
    fc.assert(
      fc.property(anyConversation, anyBudget, (messages, budget) => {
        const kept = trimmed(messages, budget)?.messages ?? [];
        // What is left is a conversation that trimming itself accepts: it refuses orphans, and results left out.
        expect(trimMessages(kept, 1_000_000, framing).messages).toEqual(kept);
        const calls = kept.flatMap(({ tool_calls: made = [] }) => made).length;
        expect(kept.filter(({ role }) => role === "tool")).toHaveLength(calls);
      }),
      runs,
    );
  });

  test("does nothing the second time", () => {
    fc.assert(
      fc.property(anyConversation, anyBudget, (messages, budget) => {
        const once = trimmed(messages, budget);
        expect(once && trimMessages(once.messages, budget, framing)).toEqual(once && { ...once, dropped: [] });
      }),
      runs,
    );
  });

  test("a larger budget never drops what a smaller one kept", () => {
    fc.assert(
      fc.property(anyConversation, anyBudget, fc.nat(300), (messages, budget, more) => {
        const small = trimmed(messages, budget);
        const large = small && trimMessages(messages, budget + more, framing);
        expect(small?.dropped).toEqual(expect.arrayContaining([...(large?.dropped ?? [])]));
      }),
      runs,
    );
  });

  test.each<[string, unknown, string]>([
    ["an orphan result", [user("a"), result], "messages[1].tool_call_id"],
    ["an unknown role", [{ role: "robot", content: "a" }], "messages[0].role"],
    ["content that is no text", [{ role: "user", content: 7 }], "messages[0].content"],
    ["half a surrogate pair", [user("\ud83d")], "messages[0].content"],
    ["no list", "hello", "messages"],
  ])("refuses %s", (_, messages, field) => {
    expect(() => trimMessages(messages as readonly ChatMessage[], 100, framing)).toThrow(
      expect.objectContaining({ reason: "INVALID_MESSAGES", field }),
    );
  });

  test.each([-1, Number.NaN, 1.5, Infinity])("refuses a budget of %d", (budget) => {
    expect(() => trimMessages([], budget, framing)).toThrow(
      expect.objectContaining({ reason: "INVALID_BUDGET", field: "maxTokens" }),
    );
  });
});
