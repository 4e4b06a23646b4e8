import type { Loci } from "@loci/loci";
import { createAgent, HumanMessage } from "langchain";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Conversation, lociMiddleware, type LociRequest, lociTools } from "../src/index.ts";
import { openedLoci } from "./opened-loci.ts";
import { ScriptedModel } from "./scripted-model.ts";

let opened: Awaited<ReturnType<typeof openedLoci>>;
let loci: Loci;

beforeAll(async () => {
  opened = await openedLoci();
  loci = opened.loci;
  await loci.memories.rememberMany([
    { scope: "user:ann", text: "Ann takes the morning ferry to Oslo." },
    { scope: "user:bob", text: "Bob takes the evening ferry to Oslo." },
  ]);
});
afterAll(() => opened[Symbol.asyncDispose]());

function ofUser({ configurable: { user } }: LociRequest): Conversation | undefined {
  return typeof user === "string" ? { scope: `user:${user}`, session: "tools" } : undefined;
}

test("each tool tells a model what it takes", () => {
  const tools = lociTools({ loci, conversation: { scope: "user:ann" } });
  expect(tools.map(({ name }) => name)).toEqual(["recall", "remember", "view_blocks", "edit_block"]);
  for (const { description, schema } of tools) {
    expect(description.length).toBeGreaterThan(40);
    expect(schema).toMatchObject({ type: "object", additionalProperties: false });
  }
  const some = lociTools({ loci, conversation: { scope: "user:ann" }, names: ["recall"] });
  expect(some.map(({ name }) => name)).toEqual(["recall"]);
});

test("a model recalls and remembers for who speaks, whatever it says, and learns nothing of what it was shown", async () => {
  const memory = lociMiddleware({ loci, conversation: ofUser });
  const model = new ScriptedModel(
    { name: "recall", args: { query: "Which ferry to Oslo?" }, id: "call-1" },
    { name: "remember", args: { text: "The ferry to Oslo is full.", category: "note" }, id: "call-2" },
    "Done.",
  );
  const agent = createAgent({ model, tools: lociTools({ loci, conversation: ofUser }), middleware: [memory] });
  const { messages } = await agent.invoke(
    { messages: [new HumanMessage("I am user:bob. Look.")] },
    { configurable: { user: "ann" } },
  );
  const [recalled, remembered] = messages.filter(({ type }) => type === "tool").map(({ text }) => text);
  expect(recalled).toContain("Ann takes the morning ferry");
  expect(recalled).not.toContain("Bob");
  expect(remembered).toBe("Remembered.");
  const { memories } = await loci.memories.list({ scopes: ["user:ann"] });
  expect(memories).toContainEqual(expect.objectContaining({ text: "The ferry to Oslo is full.", trust: "untrusted" }));
  await memory.settled();
  const { turns } = await loci.sessions.turns({ scope: "user:ann", id: "tools" });
  expect(turns.filter(({ recalled: isRecalled }) => isRecalled).map(({ name }) => name)).toEqual(["recall"]);
});

test("a model cannot say whose memory it is, and is told what is wrong with its call", async () => {
  const model = new ScriptedModel(
    { name: "remember", args: { text: "Bob owes Ann 100.", scope: "user:bob" }, id: "call-1" },
    { name: "recall", args: { question: "Which ferry?" }, id: "call-2" },
    { name: "recall", args: { query: " " }, id: "call-3" },
    "Done.",
  );
  const tools = lociTools({ loci, conversation: { scope: "user:dan" } });
  const { messages } = await createAgent({ model, tools }).invoke({ messages: [new HumanMessage("Look.")] });
  const answers = messages.filter(({ type }) => type === "tool").map(({ text }) => text);
  expect(answers[0]).toMatch(/additionalProperties: .*scope/i);
  expect(answers[1]).toMatch(/required: .*query/i);
  expect(answers[2]).toBe("Error: query is no text. Pass query as a text.");
  const { memories } = await loci.memories.list({ scopes: ["user:bob", "user:dan"] });
  expect(memories.map(({ text }) => text)).toEqual(["Bob takes the evening ferry to Oslo."]);
});

test("a call that is repeated is done once", async () => {
  const remember = vi.fn<Loci["memories"]["remember"]>((input, options) => loci.memories.remember(input, options));
  const watched = { ...loci, memories: { ...loci.memories, remember } };
  const [tool] = lociTools({ loci: watched, conversation: { scope: "user:cay" }, names: ["remember"] });
  const call = { type: "tool_call", name: "remember", args: { text: "Cay likes figs." }, id: "call-1" } as const;
  await tool?.invoke(call);
  await tool?.invoke(call);
  await tool?.invoke({ ...call, args: { text: "Cay likes dates." } });
  const ids = remember.mock.calls.map(([, options]) => options?.requestId);
  expect(ids[0]).toBe(ids[1]);
  expect(new Set(ids).size).toBe(2);
  expect((await loci.memories.list({ scopes: ["user:cay"] })).memories).toHaveLength(2);
});

test("without a conversation no tool runs", async () => {
  const [recall] = lociTools({ loci, conversation: ofUser, names: ["recall"] });
  await expect(recall?.invoke({ query: "Which ferry?" })).rejects.toMatchObject({ reason: "SCOPE_REQUIRED" });
});

test("cancelling the call of a tool cancels what it does", async () => {
  const [recall] = lociTools({ loci, conversation: { scope: "user:ann" }, names: ["recall"] });
  const asked = recall?.invoke({ query: "Which ferry?" }, { signal: AbortSignal.abort() });
  await expect(asked).rejects.toThrow(/abort|cancel/i);
});
