import { LociError, maxTurnBytes, type TurnInput } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readTranscript, type Transcript } from "../../src/index.ts";

const anyId = fc.constantFrom("a", "b", "");
const anyText = fc.constantFrom("", "hello", "\ud800", "<environment_context>", '{"name":"f"}');
const anyPart = fc.oneof(
  fc.record({ type: fc.constantFrom("text", "thinking", "image", "output_text"), text: anyText }),
  fc.record({
    type: fc.constant("tool_use"),
    id: anyId,
    name: fc.constantFrom("f", ""),
    input: fc.jsonValue({ maxDepth: 1 }),
  }),
  fc.record({ type: fc.constant("tool_result"), tool_use_id: anyId, content: anyText }),
  fc.jsonValue({ maxDepth: 1 }),
);
const anyMessage = fc.record(
  {
    role: fc.constantFrom("user", "assistant", "tool", "system", "function", "nobody", "constructor"),
    content: fc.oneof(anyText, fc.array(anyPart, { maxLength: 4 }), fc.constant(null)),
    tool_call_id: anyId,
    tool_calls: fc.array(fc.record({ id: anyId, function: fc.record({ name: anyText, arguments: anyText }) }), {
      maxLength: 3,
    }),
    id: anyId,
  },
  { requiredKeys: ["role"] },
);
const anyItem = fc.oneof(
  anyMessage.map((message) => ({ ...message, type: "message" })),
  fc.record({
    type: fc.constantFrom("function_call", "function_call_output", "reasoning"),
    call_id: anyId,
    name: anyText,
    output: anyText,
  }),
);
const anyRecord = fc.oneof(
  anyMessage,
  fc.record({ messages: fc.array(anyMessage, { maxLength: 5 }) }),
  fc.record({
    type: fc.constantFrom("user", "assistant", "summary"),
    message: anyMessage,
    sessionId: anyId,
    uuid: anyText,
  }),
  fc.record({ type: fc.constantFrom("response_item", "event_msg", "session_meta"), payload: anyItem }),
  anyItem,
  fc.record({
    conversations: fc.array(
      fc.record({ from: fc.constantFrom("human", "gpt", "function_call", "observation"), value: anyText }),
    ),
  }),
  fc.jsonValue({ maxDepth: 2 }),
);

function readOrRefuse(text: string): Transcript | undefined {
  try {
    return readTranscript(text, "file");
  } catch (error) {
    if (LociError.is(error) && error.reason === "INVALID_REQUEST") return undefined;
    throw error;
  }
}

/** What a session would refuse of these turns. */
function wrongTurns(turns: readonly TurnInput[]): readonly TurnInput[] {
  let open = new Set<string>();
  return turns.filter(({ role, content, toolCalls = [], toolCallId }) => {
    const ids = new Set(toolCalls.map(({ id }) => id));
    const answers = role === "tool" ? open.delete(toolCallId ?? "") : toolCallId === undefined;
    if (role !== "tool") open = ids;
    const isSound = content.isWellFormed() && JSON.stringify(toolCalls).isWellFormed() && !ids.has("");
    const saysSomething = content !== "" || ids.size > 0 || role === "tool";
    return !(
      answers &&
      isSound &&
      saysSomething &&
      ids.size === toolCalls.length &&
      (ids.size === 0 || role === "assistant")
    );
  });
}

test("whatever a transcript holds, its turns can be appended as they are", () => {
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 12 }), (records) => {
      const transcript = readOrRefuse(records.map((record) => JSON.stringify(record)).join("\n"));
      const turns = transcript?.sessions.map((session) => session.turns) ?? [];
      expect(turns.flatMap(wrongTurns)).toEqual([]);
      expect(turns).not.toContainEqual([]);
    }),
    { numRuns: 500 },
  );
});

test("no message is lost without being counted", () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { minLength: 1, maxLength: 12 }), (messages) => {
      const transcript = readOrRefuse(JSON.stringify({ messages }));
      const kept = transcript?.sessions.flatMap(({ turns }) => turns).length ?? 0;
      const counted = transcript?.skipped.reduce((sum, { count }) => sum + count, 0) ?? messages.length;
      expect(kept + counted).toBeGreaterThanOrEqual(messages.length);
    }),
    { numRuns: 500 },
  );
});

test("parts of one message that together exceed 256 KiB stay within a turn's limit", () => {
  const block = {
    type: "assistant",
    sessionId: "s",
    message: { id: "m", role: "assistant", content: "x".repeat(maxTurnBytes / 2) },
  };
  const { sessions, skipped } = readTranscript(`${JSON.stringify(block)}\n`.repeat(3), "file");
  expect(sessions[0]?.turns.map(({ content }) => content.length)).toEqual([maxTurnBytes / 2]);
  expect(skipped).toEqual([{ reason: "TOO_LARGE", count: 2, lines: [2, 3] }]);
});

test("nested a hundred thousand deep, arguments are left out and reading goes on", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const text = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":${deep}}]}\n{"role":"user","content":"x"}`;
  expect(readTranscript(text, "file").sessions[0]?.turns).toEqual([{ role: "user", content: "x" }]);
});

test("behind 10,000 lines that are no JSON nothing more is read", () => {
  const message = '{"role":"user","content":"x"}';
  const damaged = (count: number): Transcript => readTranscript(`${message}\n${"{\n".repeat(count)}${message}`, "file");
  expect(damaged(9_999).sessions[0]?.turns).toHaveLength(2);
  expect(damaged(10_000).sessions[0]?.turns).toHaveLength(1);
  expect(damaged(10_000).skipped).toMatchObject([{ reason: "NOT_JSON", count: 10_001 }]);
});
