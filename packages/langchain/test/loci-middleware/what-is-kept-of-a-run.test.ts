import { Command, MemorySaver } from "@langchain/langgraph";
import { instructionsNotice } from "@loci/agent";
import {
  type AgentMiddleware,
  AIMessage,
  createAgent,
  HumanMessage,
  humanInTheLoopMiddleware,
  summarizationMiddleware,
  tool,
} from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { ScriptedModel } from "../scripted-model.ts";
import { callOfTimetable, question, rememberedFerries, said, timetable } from "./remembered-ferries.ts";

const ferries = rememberedFerries();

async function all<Piece>(stream: AsyncIterable<Piece>): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

test("a stream that is aborted is not kept", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel("You take the morning ferry.");
  const controller = new AbortController();
  model.beforeWord = (word) => (word === "morning " ? controller.abort() : undefined);
  const agent = createAgent({ model, middleware: [memory] });
  const stream = await agent.stream(
    { messages: [new HumanMessage(question)] },
    { streamMode: "messages", signal: controller.signal },
  );
  await expect(all(stream)).rejects.toThrow("abort");
  await memory.settled();
  expect(await ferries.kept()).toEqual([]);
});

test("a run that failed is not kept, and kept once when it is tried again", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel(
    callOfTimetable("call-1"),
    new Error("The model is overloaded."),
    callOfTimetable("call-1"),
    "At nine.",
  );
  const agent = createAgent({ model, tools: [timetable], middleware: [memory] });
  const asked = { messages: [new HumanMessage(question)] };
  await expect(agent.invoke(asked)).rejects.toThrow("overloaded");
  await memory.settled();
  expect(await ferries.kept()).toEqual([]);
  await agent.invoke(asked);
  await memory.settled();
  expect(await ferries.kept()).toHaveLength(4);
});

test("a run whose answer was lost is repeated and kept once, also by another process", async () => {
  const run = async (): Promise<void> => {
    const memory = ferries.remembering();
    const agent = createAgent({
      model: new ScriptedModel(callOfTimetable("call-1"), "At nine."),
      tools: [timetable],
      middleware: [memory],
    });
    await agent.invoke({ messages: [new HumanMessage("I moved to Bergen. Which ferry do I take?")] });
    await memory.settled();
  };
  await run();
  await run();
  expect(await ferries.kept()).toHaveLength(4);
});

test("what is said twice is kept twice", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel("You are welcome.", "You are welcome.");
  const agent = createAgent({ model, middleware: [memory], checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: ferries.session } };
  for (let time = 0; time < 2; time++) await agent.invoke({ messages: [new HumanMessage("Thanks.")] }, config);
  await memory.settled();
  expect(await ferries.kept()).toHaveLength(4);
});

test("a run that failed in the middle is passed over by the next one", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel(
    callOfTimetable("call-1"),
    new Error("The model is overloaded."),
    "The morning ferry.",
  );
  const agent = createAgent({ model, tools: [timetable], middleware: [memory], checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: ferries.session } };
  await expect(agent.invoke({ messages: [new HumanMessage("When does it leave?")] }, config)).rejects.toThrow(
    "overloaded",
  );
  await agent.invoke({ messages: [new HumanMessage(question)] }, config);
  await memory.settled();
  expect(said(await ferries.kept())).toEqual([
    ["user", question],
    ["assistant", "The morning ferry."],
  ]);
});

test("two messages in a row are one question", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel("The morning ferry.");
  await createAgent({ model, middleware: [memory] }).invoke({
    messages: [new HumanMessage("Hello."), new HumanMessage(question)],
  });
  expect(model.shown[0]?.[1]?.text).toBe("Hello.");
  await memory.settled();
  expect(said(await ferries.kept())).toEqual([
    ["user", "Hello."],
    ["user", question],
    ["assistant", "The morning ferry."],
  ]);
});

test("a summary of LangChain's is no question, and is not kept", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel("The morning ferry.", "At nine.");
  const summaries: AgentMiddleware = summarizationMiddleware({
    model: new ScriptedModel("They spoke of ferries."),
    trigger: { messages: 3 },
    keep: { messages: 1 },
  } as never);
  const agent = createAgent({ model, middleware: [memory, summaries], checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: ferries.session } };
  await agent.invoke({ messages: [new HumanMessage(question)] }, config);
  await agent.invoke({ messages: [new HumanMessage("When does the ferry to Oslo leave?")] }, config);
  const [, summary, asked] = model.shown[1] ?? [];
  expect(summary?.text).toContain("They spoke of ferries.");
  expect(asked?.text).toMatch(/^<loci-remembered>/);
  await memory.settled();
  expect(said(await ferries.kept())).toEqual([
    ["user", question],
    ["assistant", "The morning ferry."],
    ["user", "When does the ferry to Oslo leave?"],
    ["assistant", "At nine."],
  ]);
});

test("a stream that nobody reads to its end is not kept", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel("You take the morning ferry.");
  const agent = createAgent({ model, middleware: [memory] });
  const stream = await agent.stream({ messages: [new HumanMessage(question)] }, { streamMode: "messages" });
  const words: string[] = [];
  model.beforeWord = (word) => void words.push(word);
  for await (const [message] of stream) if (message.text === "take ") break;
  await memory.settled();
  expect(words).not.toContain("ferry.");
  expect(await ferries.kept()).toEqual([]);
});

test("a run that waited for a person is kept when it has gone on", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel(callOfTimetable("call-1"), "At nine.");
  const approval: AgentMiddleware = humanInTheLoopMiddleware({ interruptOn: { timetable: true } } as never);
  const agent = createAgent({
    model,
    tools: [timetable],
    middleware: [memory, approval],
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: ferries.session } };
  await agent.invoke({ messages: [new HumanMessage(question)] }, config);
  await memory.settled();
  expect(await ferries.kept()).toEqual([]);
  await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
  await memory.settled();
  expect(await ferries.kept()).toHaveLength(4);
  expect(ferries.assemble).toHaveBeenCalledTimes(1);
});

test("a tool may answer in the place of the model", async () => {
  const memory = ferries.remembering();
  const direct = tool(() => "At nine.", {
    name: "timetable",
    description: "When.",
    schema: z.object({ to: z.string() }),
    returnDirect: true,
  });
  const agent = createAgent({
    model: new ScriptedModel(callOfTimetable("call-1")),
    tools: [direct],
    middleware: [memory],
  });
  await agent.invoke({ messages: [new HumanMessage(question)] });
  await memory.settled();
  expect(said(await ferries.kept()).at(-1)).toEqual(["tool", "At nine."]);
});

test("a message that is not from the user is no question", async () => {
  const memory = ferries.remembering();
  const model = new ScriptedModel("Hello.");
  await createAgent({ model, middleware: [memory] }).invoke({ messages: [new AIMessage("How can I help?")] });
  expect(model.shown[0]?.map(({ text }) => text)).toEqual([instructionsNotice, "How can I help?"]);
  await memory.settled();
  expect(await ferries.kept()).toEqual([]);
});
