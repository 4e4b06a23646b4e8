import { createAgent, HumanMessage } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { lociMiddleware } from "../../src/index.ts";
import { ScriptedModel } from "../scripted-model.ts";
import {
  blockOf,
  callOfTimetable,
  failOnError,
  question,
  rememberedFerries,
  said,
  timetable,
} from "./remembered-ferries.ts";

const ferries = rememberedFerries();

test("without a conversation the model is not called", async () => {
  const model = new ScriptedModel("Never said.");
  for (const conversation of [() => undefined, { scope: undefined as never }, () => Promise.resolve(undefined)]) {
    const agent = createAgent({ model, middleware: [ferries.remembering({ conversation })] });
    await expect(agent.invoke({ messages: [new HumanMessage(question)] })).rejects.toMatchObject({
      name: "LociError",
      reason: "SCOPE_REQUIRED",
    });
  }
  expect(model.shown).toEqual([]);
  expect(ferries.assemble).not.toHaveBeenCalled();
});

test("who speaks comes from the context, checked by its schema, and from what the agent was called with", async () => {
  const contextSchema = z.object({ user: z.string() });
  const memory = lociMiddleware({
    loci: ferries.loci,
    contextSchema,
    conversation: ({ context, configurable }) => ({
      scope: `user:${context.user}`,
      session: `${ferries.session}-${String(configurable["thread_id"])}`,
    }),
  });
  const model = new ScriptedModel("The morning ferry.", "The evening ferry.");
  const agent = createAgent({ model, middleware: [memory] });
  for (const user of ["ann", "bob"])
    await agent.invoke(
      { messages: [new HumanMessage(question)] },
      { context: { user }, configurable: { thread_id: "t" } },
    );
  expect(model.shown.map((messages) => /Ann|Bob/.exec(blockOf(messages))?.[0])).toEqual(["Ann", "Bob"]);
  await memory.settled();
  expect(said(await ferries.kept("user:ann", `${ferries.session}-t`))[1]).toEqual(["assistant", "The morning ferry."]);
  expect(said(await ferries.kept("user:bob", `${ferries.session}-t`))[1]).toEqual(["assistant", "The evening ferry."]);
  // @ts-expect-error A user is a text.
  await expect(agent.invoke({ messages: [new HumanMessage(question)] }, { context: { user: 7 } })).rejects.toThrow(
    "user",
  );
});

test("what the context lacks to say who speaks is named, and the model is not called", async () => {
  const contextSchema = z.object({ user: z.string(), team: z.string().default("sales"), chat: z.string().optional() });
  const seen: unknown[] = [];
  const conversation = ({ context }: { readonly context: z.infer<typeof contextSchema> }) => {
    seen.push(context);
    return { scope: `user:${context.user}`, session: ferries.session } as const;
  };
  const model = new ScriptedModel("Hello.");
  const agent = createAgent({
    model,
    middleware: [lociMiddleware({ loci: ferries.loci, contextSchema, conversation })],
  });
  const input = { messages: [new HumanMessage(question)] };
  const missing = {
    reason: "SCOPE_REQUIRED",
    field: "context.user",
    message: expect.stringContaining("without user in"),
  };
  await expect(agent.invoke(input)).rejects.toMatchObject(missing);
  await expect(agent.invoke(input, { context: { team: "dev" } as never })).rejects.toMatchObject(missing);
  expect(model.shown).toEqual([]);
  expect(seen).toEqual([]);
  await agent.invoke(input, { context: { user: "nobody-known" } });
  expect(seen[0]).toEqual({ user: "nobody-known", team: "sales" });
});

test("two conversations at once are kept apart", async () => {
  const memory = lociMiddleware({
    loci: ferries.loci,
    onError: failOnError,
    conversation: ({ configurable }) => ({ scope: `user:${String(configurable["user"])}`, session: ferries.session }),
  });
  const ask = (user: string, answer: string) => {
    const model = new ScriptedModel(callOfTimetable("call-1"), answer);
    const agent = createAgent({ model, tools: [timetable], middleware: [memory] });
    return agent.invoke({ messages: [new HumanMessage(question)] }, { configurable: { user } }).then(() => model);
  };
  const [ann, bob] = await Promise.all([ask("ann", "Morning."), ask("bob", "Evening.")]);
  for (const messages of ann.shown) expect(blockOf(messages)).not.toContain("Bob");
  for (const messages of bob.shown) expect(blockOf(messages)).not.toContain("Ann");
  await memory.settled();
  expect(said(await ferries.kept("user:ann")).at(-1)).toEqual(["assistant", "Morning."]);
  expect(said(await ferries.kept("user:bob")).at(-1)).toEqual(["assistant", "Evening."]);
});
