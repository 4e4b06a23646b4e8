import type { ChatMessage } from "@loci/domain";
import { expect, test } from "vitest";
import { type DigestedUnit, DigestRuns } from "../../src/history/digest-runs.ts";
import { readMessage, type ReadMessage } from "../../src/history/read-message.ts";
import { summaryOfDigest } from "../../src/history/summary-digest.ts";

function read(message: ChatMessage) {
  return readMessage(message, { line: "", textTokens: 0, chatTokens: 0 });
}

function unitsOf(messages: readonly ReadMessage[]): DigestedUnit[] {
  return messages.map((one, index) => ({ messages: [{ index, read: one }] }));
}

function summaryOf(...messages: readonly ChatMessage[]) {
  const runs = new DigestRuns(unitsOf(messages.map(read)));
  return summaryOfDigest(runs.digest({ fromMessage: 0, without: [], end: messages.length }));
}

function said(role: "user" | "assistant", content: string): ChatMessage {
  return { role, content };
}

test("says what it began with, what was decided and where it stands", () => {
  const summary = summaryOf(
    said("user", "Add a login endpoint. It should be fast."),
    said("assistant", "We could use JWT or sessions. Which one do you prefer?"),
    said("user", "Let's go with JWT."),
    {
      role: "assistant",
      content: "Created src/auth.py with the endpoint.",
      tool_calls: [
        { id: "c", type: "function", function: { name: "write_file", arguments: '{"path":"src/auth.py"}' } },
      ],
    },
    { role: "tool", tool_call_id: "c", content: "ok" },
  );
  expect(summary).toEqual({
    overview: "It began with: Add a login endpoint.",
    keyDecisions: ["Let's go with JWT."],
    currentTaskState: "Latest request: Let's go with JWT. Created src/auth.py with the endpoint.",
    remainingQuestions: [],
    toolsUsed: ["write_file"],
    filesModified: ["src/auth.py"],
  });
});

test("questions are open until the other side speaks; what says that it is open stays", () => {
  const open = [said("user", "Hello."), said("assistant", "Not sure yet about the cache. Which database?")];
  expect(summaryOf(...open).remainingQuestions).toEqual(["Not sure yet about the cache.", "Which database?"]);
  expect(summaryOf(...open, said("user", "Postgres.")).remainingQuestions).toEqual(["Not sure yet about the cache."]);
});

test("keeps at most five decisions, the newest, and rather plain ones", () => {
  const plain = Array.from({ length: 4 }, (_, index) => said("user", `We decided on number ${index}.`));
  const likely = Array.from({ length: 4 }, (_, index) => said("assistant", `I'll use number ${index}.`));
  expect(summaryOf(...plain, ...likely).keyDecisions).toEqual([
    ...plain.map(({ content }) => content),
    "I'll use number 3.",
  ]);
});

test("one message more costs one message more: no message is read twice, whatever is passed over", () => {
  const reads: number[] = [];
  const messages = Array.from({ length: 300 }, (_, index) => {
    const message = said(index % 2 === 0 ? "user" : "assistant", `We decided on number ${index}.`);
    const { facts } = read(message);
    return {
      line: "",
      textTokens: 0,
      chatTokens: 0,
      get facts() {
        reads.push(index);
        return facts;
      },
    };
  });
  const units = unitsOf(messages);
  const runs = new DigestRuns(units);
  const parts = [0, 1, 50, 299, 300].flatMap((end) =>
    [[], [0], [3], [3, 40], [298]].flatMap((without) =>
      [0, 2, 60].map((fromMessage) => ({ fromMessage, without, end })),
    ),
  );
  for (const part of parts) {
    const { fromMessage, without, end } = part;
    const alone = units.slice(0, end).filter((_, unit) => !without.includes(unit) && unit >= fromMessage);
    expect(runs.digest(part)).toEqual(new DigestRuns(alone).digest({ fromMessage: 0, without: [], end: alone.length }));
  }
  runs.digest({ fromMessage: 0, without: [], end: 300 });
  reads.length = 0;
  runs.digest({ fromMessage: 0, without: [], end: 300 });
  runs.digest({ fromMessage: 0, without: [], end: 120 });
  expect(reads).toEqual([]);
  units[298] = unitsOf([read(said("user", "Changed."))])[0] as DigestedUnit;
  runs.cut(298);
  runs.digest({ fromMessage: 0, without: [], end: 300 });
  expect(reads).toEqual([299]);
  reads.length = 0;
  // What is passed over splits a run, and what comes before it is known.
  runs.digest({ fromMessage: 0, without: [290], end: 300 });
  expect(reads).toEqual([291, 292, 293, 294, 295, 296, 297, 299]);
});
