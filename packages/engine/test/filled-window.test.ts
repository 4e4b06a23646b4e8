import type { AssembledContext, AssembleRequest } from "@loci/domain";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const scope = "project:orchard" as const;
const now = 1_800_000_000_000;

function keptMemories({ receipt }: AssembledContext): number {
  return receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome !== "dropped").length;
}

describe("what is relevant fills the window", () => {
  let opened: TestEngine;
  beforeAll(async () => {
    opened = await TestEngine.open();
    await opened.loci.memories.rememberMany(
      Array.from({ length: 300 }, (_, index) => ({
        text: `The deploy of service number${index} waits for the review of team${index}.`,
        scope,
        createdAt: now - index,
      })),
    );
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  const assemble = (fields: Partial<AssembleRequest> = {}): Promise<AssembledContext> =>
    opened.loci.assemble({
      model: "gpt-4o",
      query: "When does the deploy of a service wait?",
      recall: { scopes: [scope] },
      evaluationTime: now,
      ...fields,
    });

  test("with many more than a recall would give", async () => {
    const context = await assemble();
    expect(keptMemories(context)).toBe(300);
    expect(context.usage.totalTokens).toBeLessThanOrEqual(context.usage.budgetTokens);
  });

  test("until it is full", async () => {
    const context = await assemble({ window: { preset: "8K" } });
    expect(keptMemories(context)).toBeGreaterThan(60);
    expect(context.receipt.window.unusedTokens).toBeLessThan(100);
  });

  test("in two recalls, the second of which brings all that it has room for", async () => {
    const search = vi.spyOn(opened.textIndex, "search");
    try {
      expect(keptMemories(await assemble({ query: "Which review does a deploy wait for?" }))).toBe(300);
      // Each looks for procedures and for all else.
      expect(search.mock.calls.length).toBe(2 * 2);
    } finally {
      search.mockRestore();
    }
  });

  test("in one recall, when it takes no more than half of what the searches bring", async () => {
    const long = "project:pears" as const;
    await opened.loci.memories.rememberMany(
      Array.from({ length: 300 }, (_, index) => ({
        text: `The pears of row ${index} wait for ${"another warm and quiet day, ".repeat(9)}or two.`,
        scope: long,
        createdAt: now - index,
      })),
    );
    const search = vi.spyOn(opened.textIndex, "search");
    try {
      const context = await assemble({
        query: "What do the pears wait for?",
        recall: { scopes: [long] },
        window: { preset: "8K" },
      });
      expect(keptMemories(context)).toBeGreaterThan(60);
      expect(context.receipt.window.unusedTokens).toBeLessThan(100);
      // For procedures and for all else.
      expect(search.mock.calls.length).toBe(2);
    } finally {
      search.mockRestore();
    }
  });

  test("but for what the caller has limited, and then a warning says why", async () => {
    const context = await assemble({ recall: { scopes: [scope], limit: 20 } });
    expect(keptMemories(context)).toBe(20);
    expect(context.warnings).toContainEqual(
      expect.objectContaining({
        reason: "MEMORIES_LEFT_OUT",
        section: "knowledge",
        message: expect.stringMatching(/^\d+ relevant memories were left out/) as string,
      }),
    );
    const few = await assemble({ recall: { scopes: [scope], maxTokens: 100 } });
    expect(keptMemories(few)).toBeLessThan(15);
    expect(few.warnings.map(({ reason }) => reason)).toContain("MEMORIES_LEFT_OUT");
    expect((await assemble()).warnings.map(({ reason }) => reason)).not.toContain("MEMORIES_LEFT_OUT");
  });

  test("or a layout has, without a warning", async () => {
    const context = await assemble({ layout: "threeTier" });
    expect(keptMemories(context)).toBe(15);
    expect(context.warnings).toEqual([]);
  });

  test("and a memory that has no room lets smaller ones in", async () => {
    const other = "project:plums" as const;
    await opened.loci.memories.rememberMany([
      { text: `Plums are picked by hand. ${"Plums plums plums. ".repeat(100)}`, scope: other },
      { text: "Plums are picked in August.", scope: other },
    ]);
    const context = await assemble({
      query: "When are plums picked?",
      recall: { scopes: [other] },
      window: { sections: { system: 60, project: 0, task: 0, history: 20, knowledge: 90 }, query: 20 },
    });
    expect(context.text).toContain("picked in August");
    expect(context.text).not.toContain("by hand");
  });
});
