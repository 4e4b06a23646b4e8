import { createAgent, HumanMessage } from "langchain";
import { expect, test, vi } from "vitest";
import { ScriptedModel } from "../scripted-model.ts";
import { callOfTimetable, question, rememberedFerries, timetable } from "./remembered-ferries.ts";

const ferries = rememberedFerries();

test("aborting the call cancels the recall, and the model is not called", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  ferries.assemble.mockImplementation((_request, options) => {
    signals.push(options?.signal);
    return Promise.withResolvers<never>().promise;
  });
  const model = new ScriptedModel("Never said.");
  const agent = createAgent({ model, middleware: [ferries.remembering()] });
  const controller = new AbortController();
  const asked = agent.invoke({ messages: [new HumanMessage(question)] }, { signal: controller.signal });
  await vi.waitFor(() => expect(signals).toHaveLength(1));
  controller.abort();
  await expect(asked).rejects.toThrow("abort");
  await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
  expect(model.shown).toEqual([]);
});

test("without Loci the model is called within two seconds, and who listens is told", async () => {
  ferries.assemble.mockImplementation(() => Promise.withResolvers<never>().promise);
  const onError = vi.fn<(error: Error, stage: string) => void>();
  const model = new ScriptedModel(callOfTimetable("call-1"), "I do not know.");
  const agent = createAgent({
    model,
    tools: [timetable],
    middleware: [ferries.remembering({ onError, recallTimeoutMilliseconds: undefined })],
  });
  const begun = performance.now();
  const { messages } = await agent.invoke({ messages: [new HumanMessage(question)] });
  expect(performance.now() - begun).toBeLessThan(2_900);
  expect(messages.at(-1)?.text).toBe("I do not know.");
  expect(model.shown[0]?.at(-1)?.text).toBe(question);
  expect(onError.mock.calls.map(([, stage]) => stage)).toEqual(["recall"]);
});

test("where memory is required the model is not called without it", async () => {
  ferries.assemble.mockRejectedValue(new Error("The disk is gone."));
  const model = new ScriptedModel("Never said.");
  const agent = createAgent({ model, middleware: [ferries.remembering({ required: true })] });
  await expect(agent.invoke({ messages: [new HumanMessage(question)] })).rejects.toMatchObject({
    name: "Error",
    cause: expect.objectContaining({ message: "The disk is gone." }) as unknown,
  });
  expect(model.shown).toEqual([]);
});

test("what fails while a run is kept is told to who listens, and not to the caller", async () => {
  const onError = vi.fn<(error: Error, stage: string) => void>();
  const broken = {
    ...ferries.loci,
    sessions: { ...ferries.loci.sessions, append: () => Promise.reject(new Error("The disk is full.")) },
  };
  const memory = ferries.remembering({ loci: broken, onError });
  const { messages } = await createAgent({
    model: new ScriptedModel("The morning ferry."),
    middleware: [memory],
  }).invoke({
    messages: [new HumanMessage(question)],
  });
  expect(messages.at(-1)?.text).toBe("The morning ferry.");
  await memory.settled();
  expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: "The disk is full." }), "capture"]]);
});

test("who asked gets the answer though nobody can say any more who speaks", async () => {
  const onError = vi.fn<(error: Error, stage: string) => void>();
  const sayings = [
    { scope: "user:ann", session: ferries.session } as const,
    { scope: "user:ann", session: ferries.session } as const,
  ];
  const memory = ferries.remembering({ conversation: () => sayings.pop(), onError });
  const { messages } = await createAgent({
    model: new ScriptedModel("The morning ferry."),
    middleware: [memory],
  }).invoke({ messages: [new HumanMessage(question)] });
  expect(messages.at(-1)?.text).toBe("The morning ferry.");
  expect(onError.mock.calls).toEqual([[expect.objectContaining({ reason: "SCOPE_REQUIRED" }), "capture"]]);
});
