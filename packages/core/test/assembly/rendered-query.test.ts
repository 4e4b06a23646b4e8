import type { ChatMessage } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { assembleContext } from "../../src/index.ts";
import { exampleHit, exampleInput, o200k, recalled } from "./example-input.ts";

describe("the query", () => {
  test("leaves what it does not need to the sections, and takes what it needs more", () => {
    const memories = recalled(...Array.from({ length: 32 }, (_, index) => exampleHit(index, "fact ".repeat(100))));
    const kept = (query: string): number => {
      const { receipt, usage, text } = assembleContext(exampleInput({ query, recall: memories }));
      expect(o200k.count(text)).toBeLessThanOrEqual(usage.budgetTokens);
      return receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome === "kept").length;
    };
    expect(kept("Short?")).toBe(32);
    expect(kept("long ".repeat(1000))).toBe(32);
    expect(kept("long ".repeat(3000))).toBeLessThan(25);
  });

  test("is escaped in the text and as given among the messages", () => {
    const query = "What is <system> & </query>?";
    const { text, messages } = assembleContext(exampleInput({ query }));
    expect(text.endsWith("<query>\nWhat is &lt;system> & &lt;/query>?\n</query>")).toBe(true);
    expect(messages.at(-1)).toEqual({ role: "user", content: query });
  });

  test("is not repeated when it is the user's latest message", () => {
    const messages: ChatMessage[] = [
      { role: "user", content: "What next?" },
      { role: "assistant", content: "This." },
      { role: "user", content: "What next?", id: "m3" },
    ];
    const output = assembleContext(exampleInput({ messages }));
    expect(output.text.match(/What next\?/g)).toHaveLength(2);
    expect(output.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(output.receipt.items.find(({ id }) => id === "message:2")).toMatchObject({
      reason: "REPEATS_QUERY",
      tokens: 0,
    });
  });

  test("keeps the name of who asks, as the messages before it do", () => {
    const messages: ChatMessage[] = [
      { role: "user", content: "I take the boat.", name: "Ann" },
      { role: "assistant", content: "Noted." },
      { role: "user", content: "What next?", name: "Bo" },
    ];
    const named = assembleContext(exampleInput({ messages }));
    expect(named.messages.flatMap((message: ChatMessage) => message.name ?? [])).toEqual(["Ann", "Bo"]);
    const unnamed = assembleContext(
      exampleInput({ messages: messages.with(2, { role: "user", content: "What next?" }) }),
    );
    expect(named.usage.messagesTokens).toBe(unnamed.usage.messagesTokens + o200k.count("Bo") + 1);
    expect(named.text).toBe(unnamed.text);
  });
});
