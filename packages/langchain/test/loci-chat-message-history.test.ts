import {
  AIMessage,
  AIMessageChunk,
  type AIMessageFields,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { RunnableLambda, RunnableWithMessageHistory } from "@langchain/core/runnables";
import type { Loci } from "@loci/loci";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { LociChatMessageHistory } from "../src/index.ts";
import { fieldsOf } from "../src/message-fields.ts";
import { openedLoci } from "./opened-loci.ts";

let opened: Awaited<ReturnType<typeof openedLoci>>;
let loci: Loci;
let histories = 0;

beforeAll(async () => {
  opened = await openedLoci();
  loci = opened.loci;
});
afterAll(() => opened[Symbol.asyncDispose]());

function newHistory(session = `session-${++histories}`, keepSecrets = false): LociChatMessageHistory {
  return new LociChatMessageHistory({ loci, scope: "user:ann", session, keepSecrets });
}

const picture = `data:image/png;base64,${Buffer.from(Uint8Array.from({ length: 90_000 }, (_, index) => (index * 2_654_435_761) >>> 13)).toString("base64")}`;

function withWhatProvidersSay(fields: AIMessageFields): AIMessage {
  const usage = { input_tokens: 12, output_tokens: 3, total_tokens: 15, input_token_details: { cache_read: 8 } };
  return Object.assign(new AIMessage(fields), {
    usage_metadata: usage,
    additional_kwargs: { reasoning_content: "Hm." },
  });
}

const everyKind: BaseMessage[] = [
  new SystemMessage("You are kind."),
  new SystemMessage({ content: "And short.", additional_kwargs: { __openai_role__: "developer" } }),
  new HumanMessage("When does the ferry leave?"),
  new HumanMessage({ content: "And this one?", id: "human-1", name: "ann", additional_kwargs: { mood: "calm" } }),
  new HumanMessage({
    content: [
      { type: "text", text: "What is on it?" },
      { type: "image_url", image_url: { url: picture } },
    ],
  }),
  withWhatProvidersSay({
    content: "",
    id: "answer-1",
    tool_calls: [
      { id: "call-1", name: "timetable", args: { line: 7, days: ["Mon"] }, type: "tool_call" },
      { name: "without_id", args: {} },
    ],
    invalid_tool_calls: [{ id: "call-2", name: "timetable", args: '{"line":', error: "cut off" }],
    response_metadata: { model_name: "fake", finish_reason: "tool_calls" },
  }),
  new ToolMessage({ content: "At nine.", tool_call_id: "call-1", name: "timetable", id: "result-1" }),
  new ToolMessage({ content: "No such line.", tool_call_id: "call-2", status: "error", artifact: { tried: [7] } }),
  new AIMessage({
    content: [
      { type: "thinking", thinking: "Nine it is.", signature: "c2ln" },
      { type: "text", text: "It leaves at nine." },
    ],
    response_metadata: { model_provider: "anthropic" },
  }),
  new AIMessage({
    contentBlocks: [
      { type: "reasoning", reasoning: "Nine." },
      { type: "text", text: "At nine." },
    ],
  }),
  new ChatMessage("I doubt it.", "critic"),
  new FunctionMessage({ name: "clock", content: "08:30" }),
  new AIMessage("Bye."),
];

const asData = (messages: readonly BaseMessage[]): unknown[] => messages.map(fieldsOf);

test("messages come back as they went in", async () => {
  const history = newHistory();
  expect(await history.getMessages()).toEqual([]);
  await history.addMessages(everyKind.slice(0, 6));
  for (const message of everyKind.slice(6)) await history.addMessage(message);
  const messages = await newHistory(`session-${histories}`).getMessages();
  expect(asData(messages)).toEqual(asData(everyKind));
  expect(messages.map(({ constructor }) => constructor)).toEqual(everyKind.map(({ constructor }) => constructor));
  expect(messages.map(({ text }) => text)).toEqual(everyKind.map(({ text }) => text));
  expect(messages.map(({ contentBlocks }) => contentBlocks)).toEqual(
    everyKind.map(({ contentBlocks }) => contentBlocks),
  );
});

test("turns say who said what, so that others can go on and memories can form", async () => {
  const history = newHistory();
  await history.addMessages(everyKind.slice(3, 7));
  const key = { scope: "user:ann", id: `session-${histories}` } as const;
  const { turns } = await loci.sessions.turns(key);
  expect(turns).toMatchObject([
    { role: "user", content: "And this one?", name: "ann" },
    { role: "user", content: "What is on it?" },
    { role: "assistant", content: "", toolCalls: [{ id: "call-1" }, { id: "call-2" }] },
    { role: "tool", content: "At nine.", toolCallId: "call-1" },
  ]);

  await loci.sessions.append(key, { expectedLast: 4, turns: [{ role: "assistant", content: "From elsewhere." }] });
  await history.addUserMessage("I see.");
  expect((await history.getMessages()).map(({ text }) => text).slice(-2)).toEqual(["From elsewhere.", "I see."]);
});

test("memories are made of what is said, and not of what stands beside it", async () => {
  const scope = "user:cay";
  const history = new LociChatMessageHistory({ loci, scope, session: "learnt" });
  await history.addMessages([
    new HumanMessage({
      content: "I am allergic to shellfish.",
      id: "q1",
      additional_kwargs: { note: "I live in Oslo." },
    }),
    new AIMessage({ content: "Noted.", id: "a1" }),
  ]);
  const { captures } = await loci.captures.list({ scopes: [scope] });
  for (const { id } of captures) await loci.captures.wait(id);
  const { memories } = await loci.memories.list({ scopes: [scope] });
  expect(memories.map(({ text }) => text)).toEqual(["The user is allergic to shellfish."]);
  const silent = new LociChatMessageHistory({ loci, scope: "user:dan", session: "silent", capture: "off" });
  await silent.addUserMessage("I am allergic to shellfish.");
  expect((await loci.captures.list({ scopes: ["user:dan"] })).captures).toEqual([]);
});

test("a streamed answer comes back as the answer it became", async () => {
  const history = newHistory();
  const pieces = ["It ", "leaves ", "at nine."].map((content) => new AIMessageChunk({ content, id: "answer-2" }));
  const call = new AIMessageChunk({
    content: "",
    tool_call_chunks: [{ id: "call-3", name: "timetable", args: '{"line":7}', index: 0, type: "tool_call_chunk" }],
  });
  await history.addMessage([...pieces, call].reduce((whole, piece) => whole.concat(piece)));
  const [message] = await history.getMessages();
  expect(message).toBeInstanceOf(AIMessage);
  expect(message).toMatchObject({
    id: "answer-2",
    content: "It leaves at nine.",
    tool_calls: [{ id: "call-3", name: "timetable", args: { line: 7 } }],
  });
});

test("marks, halves of characters and numbers come back where JSON has them", async () => {
  const history = newHistory();
  const message = new AIMessage({
    content: "Odd.",
    response_metadata: {
      mark: "a\n\u001e\nb\u001e0041",
      half: "\ud83d",
      nul: "\0",
      "": ["0", 0, "", null, true, "\n\u001e"],
    },
  });
  await history.addMessage(message);
  expect(asData(await history.getMessages())).toEqual(asData([message]));
});

test("bytes come back as Base64", async () => {
  const history = newHistory();
  const audio = { type: "audio", mimeType: "audio/wav", data: Uint8Array.of(1, 2, 3) } as const;
  await history.addMessage(new HumanMessage({ contentBlocks: [audio] }));
  expect((await history.getMessages())[0]?.contentBlocks).toEqual([{ ...audio, data: "AQID" }]);
});

test("any text and any arguments come back", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  const message = fc.oneof(
    text.map((content) => new HumanMessage(content)),
    fc
      .record({
        content: text,
        id: text,
        args: fc.dictionary(text, fc.jsonValue()),
        name: text,
        kwargs: fc.jsonValue(),
      })
      .map(
        ({ content, id, args, name, kwargs }) =>
          new AIMessage({ content, id, additional_kwargs: { kwargs }, tool_calls: [{ id, name, args }] }),
      ),
    fc
      .record({ content: fc.array(fc.record({ type: fc.constant("text" as const), text })), id: text })
      .map(({ content, id }) => new ToolMessage({ content, tool_call_id: id || "call" })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (messages) => {
      // Numbers that happen to be those of a card are not what this is about.
      const history = newHistory(undefined, true);
      await history.addMessages(messages);
      expect(asData(await history.getMessages())).toEqual(asData(messages));
    }),
    { numRuns: 60 },
  );
});

test("a number that is taken for a secret takes nothing else with it", async () => {
  const args = { amount: 12, card: 4300570515923382, note: 'It says "[redacted: card]", 4300570515923382.' };
  const history = newHistory();
  const tool_calls = [{ id: "call-1", name: "pay", args }];
  await history.addMessages([
    new AIMessage({ content: "", id: "paid", additional_kwargs: { trace: 4300570515923382 }, tool_calls }),
  ]);
  const kept = asData(await history.getMessages());
  const redacted = "[redacted: card]";
  expect(kept).toMatchObject([
    {
      data: {
        id: "paid",
        additional_kwargs: { trace: redacted },
        invalid_tool_calls: [],
        tool_calls: [{ args: { amount: 12, card: redacted, note: `It says "${redacted}", ${redacted}.` } }],
      },
    },
  ]);
});

test("two histories of one session lose nothing and mix nothing up", async () => {
  const session = `session-${++histories}`;
  const answers = (from: string): AIMessage[] =>
    Array.from({ length: 20 }, (_, index) => new AIMessage({ content: `${from} ${index}`, id: `${from}-${index}` }));
  const bothAnswers = [answers("left"), answers("right")];
  await Promise.all(
    bothAnswers.map(async (messages) => {
      const history = newHistory(session);
      // Nobody waits for one before the next is given.
      await Promise.all(messages.map((message) => history.addMessage(message)));
    }),
  );
  const messages = await newHistory(session).getMessages();
  expect(messages).toHaveLength(40);
  for (const { text, id } of messages) expect(id).toBe(text.replace(" ", "-"));
  for (const given of bothAnswers) {
    const ids = given.map(({ id }) => id);
    expect(messages.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
  }
});

test("more than a call can take stand in their order", async () => {
  const history = newHistory();
  const messages = Array.from({ length: 250 }, (_, index) => new AIMessage({ content: `${index}`, id: `id-${index}` }));
  await history.addMessages(messages);
  expect(asData(await history.getMessages())).toEqual(asData(messages));
});

test("many images come back, and no request has more of them than a server takes", async () => {
  const append = vi.fn<Loci["sessions"]["append"]>((key, request) => loci.sessions.append(key, request));
  const watched = { ...loci, sessions: { ...loci.sessions, append } };
  const history = new LociChatMessageHistory({ loci: watched, scope: "user:ann", session: `session-${++histories}` });
  const content = [{ type: "image_url" as const, image_url: { url: picture } }];
  const messages = Array.from({ length: 60 }, (_, index) => new HumanMessage({ content, id: `id-${index}` }));
  await history.addMessages(messages);
  expect(asData(await history.getMessages())).toEqual(asData(messages));
  for (const [, { turns }] of append.mock.calls) expect(JSON.stringify(turns).length).toBeLessThan(3 * 1024 * 1024);
});

test("a cleared history is empty, and can begin again", async () => {
  const history = newHistory();
  await history.clear();
  await history.addMessages(everyKind);
  await history.clear();
  expect(await history.getMessages()).toEqual([]);
  const scopes = { scopes: ["user:ann"] } as const;
  const { sessions } = await loci.sessions.list({ ...scopes, pageSize: 1_000 });
  expect(sessions.filter(({ id }) => id.startsWith(`session-${histories}`))).toEqual([]);
  await history.addAIMessage("Again.");
  expect(asData(await history.getMessages())).toEqual(asData([new AIMessage("Again.")]));
});

test("a history that somebody else cleared begins again", async () => {
  const history = newHistory();
  await history.addMessages(everyKind);
  await newHistory(`session-${histories}`).clear();
  await history.addMessage(new AIMessage({ content: "Again.", id: "again" }));
  expect(asData(await history.getMessages())).toEqual(asData([new AIMessage({ content: "Again.", id: "again" })]));
});

test("the result of a tool whose call was cut off is nobody's word", async () => {
  const history = newHistory();
  const result = new ToolMessage({ content: "Ann prefers tea from now on.", tool_call_id: "call-1", name: "web" });
  await history.addMessages([result, new AIMessage("I see.")]);
  expect(asData(await history.getMessages())).toEqual(asData([result, new AIMessage("I see.")]));
  const { turns } = await loci.sessions.turns({ scope: "user:ann", id: `session-${histories}` });
  expect(turns[0]).toMatchObject({ role: "assistant", name: "web", recalled: true });
});

test("what is a secret is not kept, unless it is wanted", async () => {
  const key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
  const message = new HumanMessage({
    content: [{ type: "text", text: `My key is ${key}` }],
    additional_kwargs: { key },
  });
  const history = newHistory();
  await history.addMessage(message);
  await history.addMessage(new AIMessage({ content: `You said ${key}`, id: "answer-1" }));
  const messages = await history.getMessages();
  expect(JSON.stringify(asData(messages))).not.toContain(key);
  expect(messages[1]).toMatchObject({ content: "You said [redacted: api_key]", id: "answer-1" });
  const keeping = new LociChatMessageHistory({ loci, scope: "user:ann", session: "kept", keepSecrets: true });
  await keeping.addMessage(message);
  expect(asData(await keeping.getMessages())).toEqual(asData([message]));
});

const privateKey = `-----BEGIN RSA PRIVATE KEY-----
MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgwMbRvI0MBZhpI
-----END RSA PRIVATE KEY-----`;

test.each([
  ["a key of several lines", privateKey, "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn"],
  ["one behind a line break", "My key:\nsk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH", "abcdefghijklmnop"],
  ["one that is said to be one", "password: hunter2secret", "hunter2secret"],
])("what looks for secrets finds %s in every text of a message, and leaves the rest", async (_, text, secret) => {
  const history = newHistory();
  await history.addMessage(
    new AIMessage({
      content: [{ type: "text", text }],
      id: "answer-1",
      response_metadata: { deep: [{ text }], rest: 7 },
    }),
  );
  const [message] = await history.getMessages();
  expect(JSON.stringify(asData([message as BaseMessage]))).not.toContain(secret);
  expect(message).toMatchObject({ id: "answer-1", content: [{ type: "text" }], response_metadata: { rest: 7 } });
  const { turns } = await loci.sessions.turns({ scope: "user:ann", id: `session-${histories}:langchain` });
  expect(JSON.stringify(turns)).not.toContain(secret);
});

test("what looks like a secret by chance in an image or a signature is left", async () => {
  const history = newHistory();
  const noise = Buffer.from(picture.slice(0, 900)).toString("base64");
  const chance = `${noise}poSV5ZRu6pycAIzaEGxGUIzMuMATkYBTZMAlb85B4XKgyRx8R2BcoczagZ9eLV80${noise}`;
  const message = new AIMessage({
    content: [
      { type: "thinking", thinking: "Hm.", signature: `${chance}==` },
      { type: "image_url", image_url: { url: `data:image/png;base64,${chance}` } },
    ],
  });
  await history.addMessage(message);
  expect(asData(await history.getMessages())).toEqual(asData([message]));
});

test("what cannot be kept is refused, and nothing of it stands", async () => {
  const history = newHistory();
  await expect(
    history.addMessages([new HumanMessage("Hello."), new RemoveMessage({ id: "human-1" })]),
  ).rejects.toMatchObject({ reason: "INVALID_MESSAGES" });
  const tooLarge = new HumanMessage({ content: [{ type: "image_url", image_url: { url: picture.repeat(75) } }] });
  await expect(history.addMessages([new HumanMessage("Hello."), tooLarge])).rejects.toMatchObject({
    reason: "TEXT_TOO_LARGE",
  });
  expect(await history.getMessages()).toEqual([]);
  // A failure does not stand in the way of what comes next.
  await history.addUserMessage("Hello.");
  expect(await history.getMessages()).toHaveLength(1);
});

test("what is larger than a turn comes back as it went in", async () => {
  const [history, session] = [newHistory(), `session-${histories}`];
  const text = "Löwe und Bär. ".repeat(30_000);
  const messages = [
    new HumanMessage({ content: [{ type: "image_url", image_url: { url: picture.repeat(5) } }] }),
    new AIMessage({ content: text, tool_calls: [{ id: "a", name: "write", args: { text }, type: "tool_call" }] }),
    new ToolMessage({ content: text, tool_call_id: "a" }),
    new AIMessage("Saved."),
  ];
  await Promise.all([history.addMessages(messages), newHistory(`${session}-beside`).addMessages(messages)]);
  expect(asData(await newHistory(session).getMessages())).toEqual(asData(messages));
  const { turns } = await loci.sessions.turns({ scope: "user:ann", id: session });
  expect(turns.map(({ content }) => content.slice(-3))).toEqual(["", "...", "...", "ed."]);
  const beside = await loci.sessions.turns({ scope: "user:ann", id: `${session}:langchain` });
  expect(beside.turns.filter(({ content }) => content.length > 80_000)).toEqual([]);
});

test("what is larger than a turn comes back behind as many messages as are appended together", async () => {
  const [history, session] = [newHistory(), `session-${histories}`];
  const small = Array.from(
    { length: 99 },
    (_, index) => new HumanMessage({ content: `${index}`, id: `small-${index}` }),
  );
  const messages = [...small, new HumanMessage({ content: "Löwe und Bär. ".repeat(20_000), id: "large" })];
  await history.addMessages(messages);
  expect(asData(await newHistory(session).getMessages())).toEqual(asData(messages));
});

test("a chain with a history goes on where it was", async () => {
  const asked: string[][] = [];
  const model = RunnableLambda.from((messages: BaseMessage[]) => {
    asked.push(messages.map(({ text }) => text));
    return new AIMessage({ content: `Answer ${asked.length}.`, id: `answer-${asked.length}` });
  });
  // oxlint-disable-next-line typescript/no-deprecated -- many programs still have it
  const chat = new RunnableWithMessageHistory({ runnable: model, getMessageHistory: (id: string) => newHistory(id) });
  const config = { configurable: { sessionId: "monday" } };
  await chat.invoke([new HumanMessage({ content: "The ferry leaves at nine.", id: "q1" })], config);
  await chat.invoke([new HumanMessage("When does it leave?")], config);
  expect(asked).toEqual([
    ["The ferry leaves at nine."],
    ["The ferry leaves at nine.", "Answer 1.", "When does it leave?"],
  ]);
  const kept = await newHistory("monday").getMessages();
  expect(kept.map(({ text, id }) => [text, id])).toEqual([
    ["The ferry leaves at nine.", "q1"],
    ["Answer 1.", "answer-1"],
    ["When does it leave?", undefined],
    ["Answer 2.", "answer-2"],
  ]);
});
