import type { ContentBlock } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { instructionsNotice } from "@loci/agent";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  HumanMessage,
  modelRetryMiddleware,
  SystemMessage,
} from "langchain";
import { expect, test } from "vitest";
import { ScriptedModel } from "../scripted-model.ts";
import {
  asJson,
  blockOf,
  callOfTimetable,
  question,
  rememberedFerries,
  said,
  timetable,
} from "./remembered-ferries.ts";

const ferries = rememberedFerries();

test("what is remembered stands before the question, for the call only", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel("The morning ferry.");
  const agent = createAgent({ model, systemPrompt: "You are kind.", middleware: [memory] });
  const asked = new HumanMessage({ content: question, id: "q1", name: "ann", additional_kwargs: { mood: "calm" } });
  const { messages } = await agent.invoke({ messages: [asked] });

  const [shown = []] = model.shown;
  expect(shown.map(({ type }) => type)).toEqual(["system", "human"]);
  expect(shown[0]?.text).toBe(`You are kind.\n\n${instructionsNotice}`);
  expect(shown[1]).toMatchObject({ id: "q1", name: "ann", additional_kwargs: { mood: "calm" } });
  expect(blockOf(shown)).toMatch(
    /^<loci-remembered>\n.*Ann takes the morning ferry to Oslo\..*<\/loci-recalled>\n\n$/s,
  );
  expect(messages.map(({ text }) => text)).toEqual([question, "The morning ferry."]);

  await memory.settled();
  expect(said(await ferries.kept())).toEqual([
    ["user", question],
    ["assistant", "The morning ferry."],
  ]);
  const receipt: unknown = messages[1]?.response_metadata["loci"];
  expect(receipt).toHaveProperty("receipt.layout", "agent");
  // A checkpoint has only what is small.
  expect(JSON.parse(JSON.stringify(receipt))).toEqual({
    tokens: expect.any(Number) as number,
    memories: [expect.any(String), expect.any(String)],
    scores: [expect.any(Number), expect.any(Number)],
    leftOut: 0,
  });
});

test("three steps of a tool loop recall once, see the same bytes, and are kept once", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel(callOfTimetable("call-1"), callOfTimetable("call-2"), "At nine.");
  const agent = createAgent({ model, tools: [timetable], middleware: [memory] });
  await agent.invoke({ messages: [new HumanMessage(question)] });
  expect(model.shown).toHaveLength(3);
  expect(new Set(model.shown.map((messages) => blockOf(messages))).size).toBe(1);
  expect(blockOf(model.shown[2] ?? [])).toContain("morning ferry");
  // Each call shows what the one before it showed, and then more: a prompt cache holds all of that.
  for (const [index, messages] of model.shown.slice(1).entries())
    expect(messages.map(({ text }) => text).slice(0, model.shown[index]?.length)).toEqual(
      model.shown[index]?.map(({ text }) => text),
    );
  expect(ferries.assemble).toHaveBeenCalledTimes(1);
  expect(ferries.assemble.mock.calls[0]?.[0].recall?.tools).toEqual(["timetable"]);
  await memory.settled();
  expect(await ferries.kept()).toMatchObject([
    { role: "user", content: question },
    { role: "assistant", toolCalls: [{ id: "call-1" }] },
    { role: "tool", content: "At nine.", toolCallId: "call-1", name: "timetable" },
    { role: "assistant", toolCalls: [{ id: "call-2" }] },
    { role: "tool", toolCallId: "call-2" },
    { role: "assistant", content: "At nine." },
  ]);
  const { captures } = await ferries.loci.captures.list({ session: { scope: "user:ann", id: ferries.session } });
  expect(captures.map(({ turns }) => turns)).toEqual([{ first: 1, last: 6 }]);
});

test("a stream comes through piece by piece as without memory", async () => {
  const pieces = async (middleware: readonly ReturnType<typeof ferries.remembering>[]): Promise<string[]> => {
    const agent = createAgent({
      model: new ScriptedModel(callOfTimetable("call-1"), "You take the morning ferry."),
      tools: [timetable],
      middleware,
    });
    const found: string[] = [];
    for await (const [message] of await agent.stream(
      { messages: [new HumanMessage(question)] },
      { streamMode: "messages" },
    ))
      found.push(`${message.type} ${message.text}`);
    return found;
  };
  const memory = ferries.remembering();
  const streamed = await pieces([memory]);
  expect(streamed).toEqual(await pieces([]));
  expect(streamed.filter((piece) => piece.startsWith("ai")).length).toBeGreaterThan(4);
  await memory.settled();
  expect(said(await ferries.kept()).at(-1)).toEqual(["assistant", "You take the morning ferry."]);
});

test("a call of the model that is tried again sees the same bytes", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel(new Error("The model is overloaded."), "The morning ferry.");
  const retry: AgentMiddleware = modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 1, jitter: false });
  await createAgent({ model, middleware: [retry, memory] }).invoke({ messages: [new HumanMessage(question)] });
  expect(model.shown).toHaveLength(2);
  expect(asJson(model.shown[1] ?? [])).toBe(asJson(model.shown[0] ?? []));
  expect(ferries.assemble).toHaveBeenCalledTimes(1);
});

test("an image stays where it is, and is asked with its text", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel("The morning ferry.");
  const content: ContentBlock[] = [
    { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    { type: "text", text: question },
  ];
  await createAgent({ model, middleware: [memory] }).invoke({ messages: [new HumanMessage({ content })] });
  const shown = model.shown[0]?.at(-1)?.content as ContentBlock[];
  expect(shown.slice(1)).toEqual(content);
  expect(shown[0]).toMatchObject({
    type: "text",
    text: expect.stringMatching(/^<loci-remembered>.*morning ferry/s) as string,
  });
  await memory.settled();
  expect(said(await ferries.kept())[0]).toEqual(["user", `[image]\n${question}`]);
});

test("where nothing is remembered the question stands alone", async () => {
  const memory = ferries.remembering({ conversation: { scope: "user:nobody", session: ferries.session } });
  const model = new ScriptedModel("I do not know.");
  const { messages } = await createAgent({ model, middleware: [memory] }).invoke({
    messages: [new HumanMessage(question)],
  });
  expect(model.shown[0]?.map(({ text }) => text)).toEqual([instructionsNotice, question]);
  expect(messages[1]?.response_metadata).not.toHaveProperty("loci");
});

test("earlier turns are shown as they were, byte for byte, and nothing of them is kept again", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel("The morning ferry.", "At nine.");
  const agent = createAgent({ model, middleware: [memory], checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: ferries.session } };
  const first = await agent.invoke({ messages: [new HumanMessage(question)] }, config);
  await agent.invoke({ messages: [new HumanMessage("When does the ferry to Oslo leave?")] }, config);
  const [, ...shown] = model.shown[1] ?? [];
  expect(asJson(shown.slice(0, 2))).toBe(asJson(first.messages));
  expect(blockOf(shown, "When does the ferry to Oslo leave?")).toContain("leaves at nine");
  await memory.settled();
  expect(said(await ferries.kept())).toEqual([
    ["user", question],
    ["assistant", "The morning ferry."],
    ["user", "When does the ferry to Oslo leave?"],
    ["assistant", "At nine."],
  ]);
});

test("what another middleware hides from a call does not change its bytes", async () => {
  const memory = ferries.remembering();
  const forgetful = createMiddleware({
    name: "Forgetful",
    wrapModelCall: (request, handler) => handler({ ...request, messages: request.messages.slice(-3) }),
  });
  const model = new ScriptedModel("Hello.", callOfTimetable("call-1"), "At nine.");
  const agent = createAgent({
    model,
    tools: [timetable],
    middleware: [forgetful, memory],
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: ferries.session } };
  await agent.invoke({ messages: [new HumanMessage("Hello.")] }, config);
  ferries.assemble.mockClear();
  await agent.invoke({ messages: [new HumanMessage(question)] }, config);
  expect(new Set(model.shown.slice(1).map((messages) => blockOf(messages))).size).toBe(1);
  expect(ferries.assemble).toHaveBeenCalledTimes(1);
});

test("instructions keep their parts and their marks for a cache", async () => {
  const model = new ScriptedModel("The morning ferry.");
  const part = { type: "text", text: "You are kind.", cache_control: { type: "ephemeral" } };
  const systemPrompt = new SystemMessage({ content: [part] });
  await createAgent({ model, systemPrompt, middleware: [ferries.remembering()] }).invoke({
    messages: [new HumanMessage(question)],
  });
  expect(model.shown[0]?.[0]?.content).toEqual([part, { type: "text", text: `\n\n${instructionsNotice}` }]);
});
