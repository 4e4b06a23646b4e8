import { expect, test, describe } from "vitest";
import { readTranscript, type TranscriptKind } from "../../src/index.ts";

const jsonLines = (...records: readonly unknown[]): string =>
  records.map((record) => JSON.stringify(record)).join("\n");
const call = (id: string, name: string, given: string): object => ({
  id,
  type: "function",
  function: { name, arguments: given },
});
const at = "2026-03-01T10:00:00.000Z";
const time = Date.parse(at);

describe("OpenAI messages", () => {
  const messages = [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "Weather?" },
        { type: "image_url", image_url: { url: "x" } },
      ],
    },
    { role: "assistant", content: null, tool_calls: [call("c1", "weather", '{"city":"Ulm"}')] },
    { role: "tool", tool_call_id: "c1", name: "weather", content: "sunny" },
    { role: "assistant", content: "Sunny." },
  ];
  const turns = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Weather?" },
    { role: "assistant", content: "", toolCalls: [call("c1", "weather", '{"city":"Ulm"}')] },
    { role: "tool", content: "sunny", name: "weather", toolCallId: "c1" },
    { role: "assistant", content: "Sunny." },
  ];

  test.each<[string, string, object, number]>([
    ["a message a line", jsonLines(...messages), {}, 2],
    ["a conversation a line", jsonLines({ id: 7, messages }), { id: "7" }, 1],
    ["a list of messages", JSON.stringify(messages, undefined, 2), {}, 2],
    [
      "an object over many lines",
      JSON.stringify({ id: "x", title: "Weather", messages }, undefined, 2),
      { id: "x", title: "Weather" },
      1,
    ],
  ])("%s", (_, text, names, line) => {
    expect(readTranscript(text, "file")).toEqual({
      kind: "openai",
      sessions: [{ ...names, turns }],
      skipped: [{ reason: "NOT_TEXT", count: 1, lines: [line] }],
    });
  });

  test("functions from before calls had ids", () => {
    const text = jsonLines(
      { role: "assistant", content: null, function_call: { name: "add", arguments: "{}" } },
      { role: "function", name: "add", content: "3" },
    );
    expect(readTranscript(text, "file").sessions[0]?.turns).toEqual([
      { role: "assistant", content: "", toolCalls: [call("call-1", "add", "{}")] },
      { role: "tool", content: "3", name: "add", toolCallId: "call-1" },
    ]);
  });
});

test("Anthropic messages: results before what the user says with them, thoughts left out", () => {
  const text = jsonLines({
    system: "Be brief.",
    messages: [
      { role: "user", content: "List it." },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "Now." },
          { type: "tool_use", id: "t1", name: "ls", input: { path: "." } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "text", text: "And?" },
          { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "a.ts" }] },
        ],
      },
    ],
  });
  expect(readTranscript(text, "file")).toEqual({
    kind: "anthropic",
    sessions: [
      {
        turns: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "List it." },
          { role: "assistant", content: "Now.", toolCalls: [call("t1", "ls", '{"path":"."}')] },
          { role: "tool", content: "a.ts", toolCallId: "t1" },
          { role: "user", content: "And?" },
        ],
      },
    ],
    skipped: [{ reason: "REASONING", count: 1, lines: [1] }],
  });
});

test("Claude Code: the blocks of one message are one turn, side chains and notes are left out", () => {
  const said = (uuid: string, type: string, message: object, more: object = {}): object => ({
    type,
    uuid,
    sessionId: "s1",
    timestamp: at,
    isSidechain: false,
    message: { role: type, ...message },
    ...more,
  });
  const text = jsonLines(
    { type: "summary", summary: "Fix the build", leafUuid: "x" },
    said("1", "user", { content: "Fix it" }),
    said("2", "user", { content: "Caveat" }, { isMeta: true }),
    said("3", "assistant", { id: "m1", content: [{ type: "text", text: "Looking." }] }),
    said("4", "assistant", {
      id: "m1",
      content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "make" } }],
    }),
    said("5", "user", { content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] }),
    said("6", "user", { content: "Explore" }, { isSidechain: true }),
    said("1", "user", { content: "Fix it" }),
    said("7", "user", { content: "<command-name>/clear</command-name>" }),
  );
  expect(readTranscript(text, "file")).toEqual({
    kind: "claude-code",
    sessions: [
      {
        id: "s1",
        title: "Fix the build",
        turns: [
          { role: "user", content: "Fix it", at: time },
          { role: "assistant", content: "Looking.", at: time, toolCalls: [call("t1", "Bash", '{"command":"make"}')] },
          { role: "tool", content: "ok", toolCallId: "t1", at: time },
        ],
      },
    ],
    skipped: [
      { reason: "OF_THE_PROGRAM", count: 3, lines: [1, 3, 9] },
      { reason: "OF_ANOTHER_AGENT", count: 1, lines: [7] },
      { reason: "SAID_TWICE", count: 1, lines: [8] },
    ],
  });
});

test("Claude Code: the log of an agent that another one started is read as its own", () => {
  const message = { role: "user", content: "Explore" };
  const { sessions, skipped } = readTranscript(
    jsonLines({ type: "user", isSidechain: true, sessionId: "s1", message }),
    "file",
  );
  expect([sessions, skipped]).toEqual([[{ id: "s1", turns: [message] }], []]);
});

test.each<[string, unknown, number | undefined]>([
  ["ISO 8601", at, time],
  ["milliseconds", time, time],
  ["seconds", time / 1_000 + 0.25, time + 250],
  ["no time", "yesterday", undefined],
  ["a time of no calendar", 1e300, undefined],
])("the time of a message: %s", (_, timestamp, expected) => {
  const { sessions } = readTranscript(jsonLines({ role: "user", content: "x", timestamp }), "file");
  expect(sessions[0]?.turns[0]?.at).toBe(expected);
});

test("a message without a time was said when the one before it was", () => {
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "I live in Oslo.", created_at: at },
    { role: "assistant", content: "Noted." },
  ];
  const { sessions } = readTranscript(jsonLines({ messages }), "file");
  expect(sessions[0]?.turns.map((turn) => turn.at)).toEqual([undefined, time, time]);
});

describe("Codex", () => {
  const items = [
    { type: "message", role: "user", content: [{ type: "input_text", text: "<environment_context>…" }] },
    { type: "message", role: "user", content: [{ type: "input_text", text: "Fix it" }] },
    { type: "reasoning", summary: [] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Looking." }] },
    { type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c1" },
    { type: "custom_tool_call", name: "apply_patch", input: "*** Begin", call_id: "c2" },
    { type: "function_call_output", call_id: "c1", output: "a.ts" },
    { type: "custom_tool_call_output", call_id: "c2", output: { content: "done", success: true } },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] },
  ];
  const turns = [
    { role: "user", content: "Fix it" },
    {
      role: "assistant",
      content: "Looking.",
      toolCalls: [call("c1", "shell", '{"command":["ls"]}'), call("c2", "apply_patch", "*** Begin")],
    },
    { role: "tool", content: "a.ts", toolCallId: "c1" },
    { role: "tool", content: "done", toolCallId: "c2" },
    { role: "assistant", content: "Done." },
  ];

  test("items in envelopes", () => {
    const text = jsonLines(
      { timestamp: at, type: "session_meta", payload: { id: "s1", cwd: "/" } },
      ...items.map((payload) => ({ timestamp: at, type: "response_item", payload })),
      { timestamp: at, type: "event_msg", payload: { type: "agent_message", message: "Done." } },
      { timestamp: at, type: "event_msg", payload: { type: "token_count" } },
    );
    expect(readTranscript(text, "file")).toEqual({
      kind: "codex",
      sessions: [{ id: "s1", turns: turns.map((turn) => ({ ...turn, at: time })) }],
      skipped: [
        { reason: "OF_THE_PROGRAM", count: 3, lines: [1, 2, 12] },
        { reason: "REASONING", count: 1, lines: [4] },
        { reason: "SAID_TWICE", count: 1, lines: [11] },
      ],
    });
  });

  test("items by themselves, as older versions wrote them", () => {
    const { kind, sessions } = readTranscript(
      jsonLines({ id: "s1", timestamp: at, instructions: null }, ...items),
      "file",
    );
    expect([kind, sessions]).toEqual(["codex", [{ id: "s1", turns }]]);
  });
});

test("ShareGPT: a conversation a record, results in the order of the calls", () => {
  const conversations = [
    { from: "system", value: "Be brief." },
    { from: "human", value: "Add" },
    { from: "function_call", value: '{"name":"add","arguments":{"a":1}}' },
    { from: "observation", value: "3" },
    { from: "gpt", value: "Three." },
    { from: "nobody", value: "?" },
  ];
  expect(readTranscript(JSON.stringify([{ id: "c-1", conversations }]), "file")).toEqual({
    kind: "sharegpt",
    sessions: [
      {
        id: "c-1",
        turns: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Add" },
          { role: "assistant", content: "", toolCalls: [call("call-2", "add", '{"a":1}')] },
          { role: "tool", content: "3", toolCallId: "call-2" },
          { role: "assistant", content: "Three." },
        ],
      },
    ],
    skipped: [{ reason: "UNKNOWN_RECORD", count: 1, lines: [1] }],
  });
});

test("a line that was cut off costs that line only", () => {
  const text = `${jsonLines({ role: "user", content: "a" }, { role: "user", content: "b" })}\n{"role":"user","con`;
  const { sessions, skipped } = readTranscript(text, "file");
  expect(sessions[0]?.turns).toHaveLength(2);
  expect(skipped).toEqual([{ reason: "NOT_JSON", count: 1, lines: [3] }]);
});

test.each<[string, TranscriptKind, readonly unknown[], string]>([
  ["a turn over 256 KiB", "openai", [{ role: "user", content: "x".repeat(256 * 1024 + 1) }], "TOO_LARGE"],
  ["a turn that says nothing", "openai", [{ role: "assistant", content: "" }], "EMPTY"],
  [
    "a result that nobody called for",
    "openai",
    [{ role: "tool", tool_call_id: "c", content: "x" }],
    "RESULT_WITHOUT_CALL",
  ],
  [
    "a second call of one id",
    "openai",
    [{ role: "assistant", tool_calls: [call("c", "a", ""), call("c", "b", "")] }],
    "CALL_TWICE",
  ],
  [
    "a call without a name",
    "openai",
    [{ role: "assistant", content: "x", tool_calls: [{ id: "c" }] }],
    "UNKNOWN_RECORD",
  ],
  ["a call of a user", "openai", [{ role: "user", content: "x", tool_calls: [call("c", "a", "")] }], "UNKNOWN_RECORD"],
  ["a message that is no object", "openai", [{ messages: [{ role: "user", content: "x" }, 5] }], "UNKNOWN_RECORD"],
])("reports %s", (_, kind, records, reason) => {
  const transcript = readTranscript(jsonLines({ role: "user", content: "first" }, ...records), "file");
  expect([transcript.kind, transcript.skipped]).toEqual([kind, [{ reason, count: 1, lines: [2] }]]);
});

test.each([
  ["nothing", ""],
  ["text", "Dear diary,\nhello"],
  ["JSON that is no transcript", '{"name":"x","version":"1.0.0"}'],
])("refuses %s without quoting it", (_, text) => {
  expect(() => readTranscript(text, "diary.txt")).toThrow(
    expect.objectContaining({
      reason: "INVALID_REQUEST",
      resource: "diary.txt",
      message: expect.not.stringContaining("hello") as string,
    }),
  );
});
