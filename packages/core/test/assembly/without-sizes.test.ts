// Without a word about sizes, nothing the caller gives is cut while the model has room.
import type { ChatMessage, WindowOverrides } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { type Assembly, assembleContext, findLayout, planWindow, resolveModel } from "../../src/index.ts";
import { exampleHit, exampleInput } from "./example-input.ts";

function words(count: number, word = "word "): string {
  return word.repeat(count).trim();
}

function talk(turns: number): readonly ChatMessage[] {
  return Array.from({ length: turns }, (_, turn): ChatMessage => ({
    role: turn % 2 === 0 ? "user" : "assistant",
    content: `Message ${turn}. ${words(60)}`,
  }));
}

interface Given {
  /** Default `gpt-4o`; empty for none. */
  readonly model?: string;
  readonly window?: WindowOverrides;
  readonly layout?: "memoryBlocks" | "threeTier";
  readonly system?: string;
  readonly query?: string;
  readonly messages?: readonly ChatMessage[];
  readonly memories?: number;
  readonly profile?: "conversation" | "rag";
}

function assembled({ model = "gpt-4o", window, layout: name, memories = 0, profile, ...given }: Given): Assembly {
  const layout = findLayout(name);
  const resolved = resolveModel(model === "" ? undefined : model);
  const hits = Array.from({ length: memories }, (_, index) => exampleHit(index, `Fact ${index}. ${words(40)}`));
  return assembleContext(
    exampleInput({
      layout,
      mode: layout.mode,
      profile: profile ?? "conversation",
      model: model === "" ? undefined : { name: model, known: resolved.known },
      plan: planWindow({ resolved, layout, overrides: window }),
      query: "What next?",
      recall: memories === 0 ? undefined : { hits, dropped: [], degraded: [] },
      ...given,
    }),
  );
}

function keptMemories({ receipt }: Assembly): number {
  return receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome === "kept").length;
}

function keptMessages({ receipt }: Assembly): number {
  return receipt.items.filter(({ kind, outcome }) => kind === "message" && outcome === "kept").length;
}

const names = ["gpt-4o", "gpt-5", "claude-sonnet-4", "gemini-2.5-pro"];

describe("a known model", () => {
  test.each(names)("%s is given the whole conversation", (model) => {
    const context = assembled({ model, messages: talk(400), memories: 300 });
    expect(keptMessages(context)).toBe(400);
    const { budgetTokens, totalTokens, messagesTokens } = context.usage;
    expect(Math.max(totalTokens, messagesTokens)).toBeLessThanOrEqual(budgetTokens);
    expect(context.receipt.window.totalTokens).toBeLessThanOrEqual(resolveModel(model).contextWindowTokens ?? 0);
  });

  // However the sizes of the memories fall: what frames the chat form is no section's.
  test("the profile rag, which cuts the conversation first, does not cut it either", () => {
    for (let turns = 391; turns <= 400; turns++)
      expect(keptMessages(assembled({ messages: talk(turns), memories: 600, profile: "rag" }))).toBe(turns);
  });

  test("a layout that is filled in order is given it too", () => {
    expect(keptMessages(assembled({ layout: "threeTier", messages: talk(900), memories: 40 }))).toBe(900);
  });

  test("what recall adds stays within the budgets there were", () => {
    const small = assembled({ memories: 600, messages: [] });
    const large = assembled({ memories: 600, messages: talk(400) });
    const memoryTokens = ({ receipt }: Assembly): number =>
      receipt.items.reduce((sum, { kind, tokens }) => (kind === "memory" ? sum + tokens : sum), 0);
    expect(memoryTokens(large)).toBeLessThanOrEqual(memoryTokens(small));
    expect(memoryTokens(small)).toBeLessThanOrEqual(20_000);
  });

  test.each([
    ["gpt-4o", 5000],
    ["claude-3-sonnet", 900],
    // Its window is no larger than its preset: the system text takes what nothing else needs.
    ["gpt-4", 900],
  ])("%s takes a system text of %i words", (model, count) => {
    const context = assembled({ model, system: words(count) });
    expect(context.text).toContain(words(count));
    expect(context.warnings).toEqual([]);
  });

  test("a system text larger than the model's window is refused", () => {
    expect(() => assembled({ model: "gpt-4", system: words(7000) })).toThrow(/never cut/);
  });

  test("a query beyond its reserve takes nothing from the conversation", () => {
    const context = assembled({ query: words(9000), messages: talk(400), memories: 600 });
    expect(keptMessages(context)).toBe(400);
    expect(context.text).toContain(words(9000));
  });

  test("only what the model has no room for is cut", () => {
    const context = assembled({ messages: talk(4000) });
    expect(keptMessages(context)).toBeGreaterThan(1000);
    expect(keptMessages(context)).toBeLessThan(4000);
    expect(context.receipt.window.totalTokens).toBe(128_000);
    expect(context.usage.budgetTokens).toBe(128_000 - 8000 - 1000);
  });

  test("of a window whose output has a part to itself, input takes the other", () => {
    const { usage } = assembled({ model: "gpt-5", messages: talk(8000) });
    expect(usage.budgetTokens).toBe(400_000 - 128_000 - 1000);
  });

  test("no warning says that a section is full that grows", () => {
    expect(assembled({ messages: talk(400), system: words(3000) }).warnings).toEqual([]);
  });
});

describe("a window that cannot grow", () => {
  test.each(["", "nobody-knows-9000", "gpt-4"])("takes what others leave for a text over its budget (%j)", (model) => {
    for (const given of [{ system: words(900) }, { project: words(3000) }, { task: words(2500) }]) {
      const { text, receipt, warnings } = assembled({ model, ...given });
      expect(text).toContain(Object.values(given)[0]);
      expect(receipt.window.totalTokens).toBe(8192);
      expect(warnings.map(({ reason }) => reason).filter((reason) => reason !== "UNKNOWN_MODEL")).toEqual([]);
    }
  });

  test.each(["", "gpt-4", "gpt-4o"])(
    "does not give the room of the memories to a conversation without end (%j)",
    (model) => {
      const messages = talk(model === "gpt-4o" ? 4000 : 200);
      const alone = keptMemories(
        assembled({
          model,
          memories: 300,
          window: { preset: model === "gpt-4o" ? "128K" : "8K" },
          messages: talk(1000),
        }),
      );
      expect(alone).toBeGreaterThan(20);
      expect(keptMemories(assembled({ model, memories: 300, messages }))).toBeGreaterThanOrEqual(alone);
    },
  );

  test.each(["", "gpt-4"])("takes for a large system text from the last in rank (%j)", (model) => {
    const { text, receipt } = assembled({ model, memories: 300, messages: talk(200), system: words(1500) });
    expect(text).toContain(words(1500));
    const bases = Object.fromEntries(receipt.sections.map(({ name, baseTokens }) => [name, baseTokens]));
    expect(bases).toMatchObject({ project: 1000, task: 500, history: 1000, knowledge: 2000 });
    expect(bases["system"]).toBeGreaterThan(1500);
    // More than there is: the knowledge gives up what the system text takes beyond its budget.
    const used = Object.fromEntries(receipt.sections.map(({ name, usedTokens }) => [name, usedTokens]));
    expect(used["history"]).toBeGreaterThan(900);
    expect(used["knowledge"]).toBeLessThan(2000);
  });
});

describe("sizes the caller names are kept", () => {
  test.each<[string, WindowOverrides, number]>([
    ["a preset", { preset: "128K" }, 29_000],
    ["another preset", { preset: "8K" }, 8192],
    ["scaleTo", { scaleTo: 12_000 }, 12_000],
    ["a section", { sections: { history: 3000 } }, 28_000],
    ["the most", { maxTokens: 40_000 }, 40_000],
    ["the most, below the preset", { maxTokens: 6000 }, 6000],
  ])("%s", (_, window, totalTokens) => {
    const context = assembled({ window, messages: talk(900) });
    expect(context.receipt.window.totalTokens).toBe(totalTokens);
    expect(keptMessages(context)).toBeLessThan(900);
  });

  test("with a preset a system text over its budget is refused", () => {
    expect(() => assembled({ window: { preset: "128K" }, system: words(1200) })).toThrow(/budget of 1000/);
  });

  test("an unknown preset is refused", () => {
    expect(() => assembled({ window: { preset: "1M" as "8K" } })).toThrow(/window\.preset/);
  });

  test.each(["nobody-knows-9000", ""])("an unknown model keeps the 8K window (%j)", (model) => {
    const resolved = model === "" ? resolveModel(undefined) : resolveModel(model);
    const input = exampleInput({ plan: planWindow({ resolved }), messages: talk(400), query: "?" });
    expect(assembleContext(input).receipt.window.totalTokens).toBe(8192);
  });
});
