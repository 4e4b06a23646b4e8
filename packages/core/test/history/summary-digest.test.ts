import type { ChatMessage } from "@loci/domain";
import { expect, test } from "vitest";
import { DigestTrail, HistoryCache, readMessage } from "../../src/history/history-cache.ts";
import { summaryOfDigest } from "../../src/history/summary-digest.ts";

function read(message: ChatMessage) {
  return readMessage(message, { line: "", textTokens: 0, chatTokens: 0 });
}

function summaryOf(...messages: readonly ChatMessage[]) {
  return summaryOfDigest(new DigestTrail().digest(messages.map(read)));
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

test("one message more costs one message more: no message is read twice, whatever was asked before", () => {
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
  const cache = new HistoryCache();
  const digests = Array.from({ length: messages.length + 1 }, (_, length) => cache.digest(messages.slice(0, length)));
  for (const length of [0, 1, 50, 299, 300])
    expect(digests[length]).toEqual(new DigestTrail().digest(messages.slice(0, length)));
  reads.length = 0;
  cache.digest(messages);
  cache.digest(messages.slice(0, 120));
  expect(reads).toEqual([]);
  const changed = [...messages.slice(0, 298), read(said("user", "Changed.")), ...messages.slice(299)];
  cache.digest(changed);
  expect(reads).toEqual([299]);
});
