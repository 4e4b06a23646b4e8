import { randomUUID } from "node:crypto";
import type { ToolCall, Turn, TurnInput } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { AgentMemory } from "../src/index.ts";
import { openedLoci } from "./opened-loci.ts";

const at = openedLoci();

const question: TurnInput = { role: "user", content: "Where is the box?" };
const answer: TurnInput = { role: "assistant", content: "In hall four." };

function call(id: string, given = "{}", name = "look"): ToolCall {
  return { id, type: "function", function: { name, arguments: given } };
}

function calling(...toolCalls: readonly ToolCall[]): TurnInput {
  return { role: "assistant", content: "I am looking.", toolCalls };
}

function returned(toolCallId: string, content: string): TurnInput {
  return { role: "tool", toolCallId, content };
}

async function kept(run: readonly TurnInput[]): Promise<readonly Turn[]> {
  const problems: Error[] = [];
  const conversation = { scope: `user:${randomUUID()}`, session: "talk" } as const;
  const memory = new AgentMemory({ loci: at.loci, conversation, onError: (error) => problems.push(error) });
  memory.finished({ conversation: await memory.conversationOf(), position: 0, turns: run });
  await memory.settled();
  expect(problems).toEqual([]);
  return (await at.loci.sessions.turns({ scope: conversation.scope, id: "talk" }, { pageSize: 1_000 })).turns;
}

function shown({ role, content, toolCalls, recalled }: Turn): unknown[] {
  return [role, content, (toolCalls ?? []).map(({ id }) => id), recalled];
}

describe("A run is kept, whatever a session would not take of it", () => {
  test.each([
    ["calls without an id", [calling(call("")), returned("", "Four.")], [[], ["assistant", "Four."]]],
    ["calls without a name", [calling(call("a", "{}", "")), returned("a", "Four.")], [[], ["assistant", "Four."]]],
    [
      "two calls of one id",
      [calling(call("a"), call("a")), returned("a", "Four."), returned("a", "Five.")],
      [["a"], ["tool", "Four."], ["assistant", "Five."]],
    ],
    [
      "a result that comes when its call is no longer open",
      [
        calling(call("a"), call("b")),
        returned("a", "Four."),
        { role: "assistant", content: "Wait." },
        returned("b", "Five."),
      ],
      [
        ["a", "b"],
        ["tool", "Four."],
        ["assistant", "Wait."],
        ["assistant", "Five."],
      ],
    ],
  ] as const)("with %s", async (_, said, [ids, ...behind]) => {
    const turns = (await kept([question, ...said, answer])).map(shown);
    expect(turns).toEqual([
      ["user", question.content, [], false],
      ["assistant", "I am looking.", ids, false],
      ...behind.map(([role, content]) => [role, content, [], role === "assistant" && content !== "Wait."]),
      ["assistant", answer.content, [], false],
    ]);
  });

  test("with more calls in a turn than it may have", async () => {
    const ids = Array.from({ length: 130 }, (_, index) => `call-${index}`);
    const run = [question, calling(...ids.map((id) => call(id))), ...ids.map((id) => returned(id, id)), answer];
    const turns = await kept(run);
    expect(turns.map(({ content }) => content)).toEqual(run.map(({ content }) => content));
    expect(turns.filter(({ recalled }) => recalled).map(({ content }) => content)).toEqual(["call-128", "call-129"]);
  });

  test("with arguments that are longer than a turn may be", async () => {
    const file = JSON.stringify({ text: "ä".repeat(200_000) });
    const [, called, ...behind] = await kept([
      question,
      calling(call("a", file), call("b")),
      returned("a", "Saved."),
      answer,
    ]);
    const [long, short] = (called?.toolCalls ?? []).map(({ function: { arguments: text } }) => text);
    expect([called?.content, short]).toEqual(["I am looking.", "{}"]);
    expect(long?.length).toBeGreaterThan(30_000);
    expect(file.startsWith(long?.slice(0, -3) ?? "?")).toBe(true);
    expect(long?.slice(-3)).toBe("...");
    expect(behind.map(({ content }) => content)).toEqual(["Saved.", answer.content]);
  });

  test("with much said beside long arguments", async () => {
    const said: TurnInput = { ...calling(call("a", "x".repeat(400_000))), content: "y".repeat(400_000) };
    const [, called] = await kept([question, said, returned("a", "Saved."), answer]);
    expect([called?.content.length, called?.toolCalls?.[0]?.function.arguments.length]).toEqual([
      131_072 - "alook".length,
      131_072,
    ]);
  });

  test("with halves of characters", async () => {
    const turns = await kept([question, calling(call("a", '{"text":"\ud800"}')), returned("a", "\udc00"), answer]);
    expect(turns.map(({ content, toolCalls }) => toolCalls?.[0]?.function.arguments ?? content)).toEqual([
      question.content,
      '{"text":"\ufffd"}',
      "\ufffd",
      answer.content,
    ]);
  });
});
