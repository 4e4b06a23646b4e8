// The lowest version that is taken, and the newest one.
import { HumanMessage } from "@langchain/core/messages";
import * as newest from "langchain";
import * as lowest from "langchain-lowest";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { openedLoci } from "./opened-loci.ts";
import { ScriptedModel } from "./scripted-model.ts";

let opened: Awaited<ReturnType<typeof openedLoci>>;

beforeAll(async () => {
  opened = await openedLoci();
  await opened.loci.memories.remember({ scope: "user:ann", text: "Ann takes the morning ferry to Oslo." });
});
afterAll(() => opened[Symbol.asyncDispose]());
afterEach(() => {
  vi.doUnmock("langchain");
  vi.resetModules();
});

describe.each([
  ["1.5.0", lowest as unknown as typeof newest],
  ["newest", newest],
])("version %s", (version, langchain) => {
  test("recalls, calls tools and keeps what was said", async () => {
    vi.resetModules();
    vi.doMock("langchain", () => langchain);
    const { lociMiddleware, lociTools } = await import("../src/index.ts");
    const { loci } = opened;
    const conversation = { scope: "user:ann", session: version } as const;
    // The first recall reads a model, and machines are shared.
    const memory = lociMiddleware({ loci, conversation, recallTimeoutMilliseconds: 60_000 });
    const model = new ScriptedModel(
      { name: "recall", args: { query: "Which ferry?" }, id: "call-1" },
      "The morning ferry.",
    );
    const agent = langchain.createAgent({ model, tools: lociTools({ loci, conversation }), middleware: [memory] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("Which ferry to Oslo do I take?")] });
    expect(messages.at(-1)?.text).toBe("The morning ferry.");
    for (const shown of model.shown) expect(shown[1]?.text).toContain("Ann takes the morning ferry to Oslo.");
    await memory.settled();
    const { turns } = await loci.sessions.turns({ scope: "user:ann", id: version });
    expect(turns.map(({ role, recalled }) => [role, recalled])).toEqual([
      ["user", false],
      ["assistant", false],
      ["tool", true],
      ["assistant", false],
    ]);
  });
});
