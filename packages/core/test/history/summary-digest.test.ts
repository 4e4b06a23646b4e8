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
    overview: "It began with: Add a login endpoint. It should be fast.",
    keyDecisions: ["Let's go with JWT."],
    currentTaskState: "Created src/auth.py with the endpoint.",
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

test("keeps at most eight decisions, the newest, and rather plain ones", () => {
  const plain = Array.from({ length: 7 }, (_, index) => said("user", `We decided on number ${index}.`));
  const likely = Array.from({ length: 4 }, (_, index) => said("assistant", `I'll use port ${index}.`));
  expect(summaryOf(...plain, ...likely).keyDecisions).toEqual([
    ...plain.map(({ content }) => content),
    "I'll use port 3.",
  ]);
});

test("what is taken back no longer stands as decided, and what replaces it says so", () => {
  const { keyDecisions } = summaryOf(
    said("user", "Let's go with pgloader for now."),
    said("assistant", "Okay, I'll use pgloader."),
    said("user", "We decided to strip the bytes at the source."),
    said("user", "Three hours kill pgloader. Scrap that, we'll do Debezium instead, with a snapshot the week before."),
  );
  expect(keyDecisions).toEqual([
    "We decided to strip the bytes at the source.",
    "Scrap that, we'll do Debezium instead, with a snapshot the week before. (Before: Let's go with pgloader for now.)",
  ]);
});

test("an assistant that says a decision again makes no second one", () => {
  const asked = said("user", "Let's use Redis on port 8.");
  expect(summaryOf(asked, said("assistant", "I'll use Redis.")).keyDecisions).toEqual([asked.content]);
  expect(summaryOf(asked, said("assistant", "I'll use Redis on port 9.")).keyDecisions).toHaveLength(2);
});

test("an offer that is taken up is decided, in the words of both; one that is not is not", () => {
  const offer = said("assistant", "The restart takes a minute. Shall I plan it for Tuesday, 3 March?");
  const settled = "The restart takes a minute. Shall I plan it for Tuesday, 3 March? – Yes, please.";
  expect(summaryOf(said("user", "Hello."), offer, said("user", "Yes, please. And tell Ann."))).toMatchObject({
    keyDecisions: [settled],
    currentTaskState: "Latest request: And tell Ann.",
  });
  for (const answer of ["No.", "Not yet.", "Not bad, but no.", "Thanks!", "Which Tuesday?"])
    expect(summaryOf(said("user", "Hello."), offer, said("user", answer)).keyDecisions).toEqual([]);
  const which = said("assistant", "Which day suits you?");
  expect(summaryOf(said("user", "Hello."), which, said("user", "Okay.")).keyDecisions).toEqual([]);
});

test("an offer that is taken up with a change or a condition is told with that", () => {
  const offer = said("assistant", "Shall I write the invitation for Saturday, from 3 to 6 pm?");
  for (const answer of ["Yes please, but make it 2 to 5.", "Ok, but only if Ann agrees.", "Ja, aber erst um zwei."])
    expect(summaryOf(said("user", "Hello."), offer, said("user", answer)).keyDecisions).toEqual([
      `Shall I write the invitation for Saturday, from 3 to 6 pm? – ${answer}`,
    ]);
});

test("what is still to be done is told once", () => {
  const { currentTaskState, remainingQuestions } = summaryOf(
    said("user", "Plan the party."),
    said("assistant", "You still need to borrow six chairs."),
  );
  expect([currentTaskState, remainingQuestions]).toEqual(["", ["You still need to borrow six chairs."]]);
});

test("an answer is no request: the one before it stays the latest", () => {
  const { currentTaskState } = summaryOf(
    said("user", "Plan the move."),
    said("assistant", "I see."),
    said("user", "Now write the runbook for the restart."),
    said("assistant", "It is short."),
    said("user", "Sounds good."),
  );
  expect(currentTaskState).toBe("Latest request: Now write the runbook for the restart.");
});

test("what a user wants kept to is told, what an assistant recommends is not", () => {
  const rule = "By the way, never run anything against prod without asking me first.";
  expect(summaryOf(said("user", `Fine. ${rule}`), said("assistant", "Always use HTTPS.")).keyDecisions).toEqual([rule]);
});

test("where there are too many, what users decided stays before what assistants say of decisions", () => {
  const decided = said("user", "We decided on blueprints.");
  const others = Array.from({ length: 12 }, (_, index) =>
    said("assistant", `It was decided that part ${index} waits.`),
  );
  const { keyDecisions } = summaryOf(decided, ...others);
  expect(keyDecisions).toHaveLength(8);
  expect(keyDecisions[0]).toBe(decided.content);
});

test("what replaces something is told with that, and with nothing else", () => {
  const cache = said("user", "We decided to reduce the size of the cache.");
  const { keyDecisions } = summaryOf(
    cache,
    said("user", "Let's use jQuery."),
    said("user", "I want plain scripts instead of jQuery to reduce the size."),
  );
  expect(keyDecisions).toEqual([
    cache.content,
    "I want plain scripts instead of jQuery to reduce the size. (Before: Let's use jQuery.)",
  ]);
});

test("a short answer that leaves something open is told with the question, and a file once", () => {
  const { remainingQuestions, filesModified } = summaryOf(
    said("user", "Begin."),
    said("assistant", "I updated b.ts and src/b.ts."),
    said("user", "Who pays the ferry?"),
    said("assistant", "That is still open."),
  );
  expect(remainingQuestions).toEqual(["Who pays the ferry? – That is still open."]);
  expect(filesModified).toEqual(["src/b.ts"]);
});

test("an open point is open until something says that it is settled", () => {
  const open = [
    said("user", "Begin."),
    said("assistant", "TODO: tell Marek in support. Still open: who pays the ferry."),
  ];
  expect(summaryOf(...open, said("user", "Did you hear of Marek?")).remainingQuestions).toHaveLength(2);
  expect(summaryOf(...open, said("user", "I just asked Marek, so that's done.")).remainingQuestions).toEqual([
    "Still open: who pays the ferry.",
  ]);
  expect(summaryOf(...open, said("user", "Marek has not confirmed it.")).remainingQuestions).toHaveLength(2);
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
