// What `docs/guides/sessions.md` shows, run.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChatMessage, type Loci, openLoci } from "@loci/loci";
import { says, startFakeModelServer } from "@loci/language-model/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { addNote, appendEarlier, chat, openWithSummaries, tell, work } from "../../../docs/examples/sessions.ts";

const key = { scope: "user:ann", id: "ann-monday" } as const;
let dataDirectory: string;
let loci: Loci;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "loci-sessions-guide-"));
  loci = await openLoci({ tenant: "acme", dataDirectory });
});
afterAll(async () => {
  await loci.close();
  await rm(dataDirectory, { recursive: true });
});

async function* linesOf(...lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

test("a conversation is gone on with, remembered, and worked in", async () => {
  const asked: (readonly ChatMessage[])[] = [];
  const model = async (messages: readonly ChatMessage[]): Promise<string> => {
    asked.push(messages);
    return `Answer ${asked.length}.`;
  };
  const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
  await chat(loci, key, linesOf("The ferry to Oslo leaves at nine.", "Thanks."), model);
  await chat(loci, key, linesOf("When does the ferry to Oslo leave?"), model);
  expect(print.mock.calls).toEqual([["Answer 1."], ["Answer 2."], ["Answer 3."]]);
  print.mockRestore();

  // Each call was shown all that was said before it, once.
  const last = JSON.stringify(asked.at(-1));
  for (const text of ["leaves at nine", "Thanks.", "Answer 1.", "Answer 2.", "When does the ferry"])
    expect(last.split(text)).toHaveLength(2);
  const session = await loci.sessions.get(key);
  expect(session).toMatchObject({ state: "closed", lastTurn: 6, title: "Travels" });

  await loci.sessions.reopen(key);
  expect(await addNote(loci, key, "Ann is in a hurry.")).toMatchObject({ firstTurn: 7, replayed: false });
  expect(await work(loci, key)).toBe(
    [
      "Session: ann-monday",
      "Status: in_progress",
      "Task: Book the ferry to Oslo",
      "Current subtask: Find a day",
      "Decision: Take the morning ferry",
    ].join("\n"),
  );

  // Another conversation knows what was said in this one.
  const { hits } = await loci.recall({ query: "When does the ferry to Oslo leave?", scopes: ["user:ann"] });
  expect(hits.map(({ text }) => text)).toContain("user: The ferry to Oslo leaves at nine.");
});

test("what was said is told, and answered with what is known since then", async () => {
  const told = { scope: "user:bo", id: "bo-monday" } as const;
  const lives = { role: "user", content: "I live in Oslo." } as const;
  const moved = { role: "user", content: "I moved to Bergen." } as const;
  expect(await tell(loci, told, [lives])).toEqual(["The user lives in Oslo."]);
  expect(await tell(loci, told, [lives, moved])).toContain("The user moved to Bergen.");
  expect(await loci.sessions.get(told)).toMatchObject({ lastTurn: 2 });
});

test("what was said earlier is remembered with the time it was said", async () => {
  const earlier = { scope: "user:bea", id: "january" } as const;
  await loci.sessions.create({ ...earlier, capture: "off" });
  expect(await appendEarlier(loci, earlier)).toMatchObject({ firstTurn: 1, lastTurn: 2 });
  await loci.captures.wait((await loci.captures.start({ session: earlier })).id);
  const { memories } = await loci.memories.list({ scopes: ["user:bea"] });
  const at = Date.parse("2026-01-05T09:00:00Z");
  expect(memories).toMatchObject([{ text: "The user lives in Oslo.", createdAt: at, validFrom: at }]);
});

test("what has no room is summarised by a model where there is one", async () => {
  const summary = {
    overview: "They compared cabins of the ferry.",
    keyDecisions: ["Cabin 212 is booked."],
    currentTaskState: "",
    remainingQuestions: [],
    toolsUsed: [],
    filesModified: [],
  };
  await using server = await startFakeModelServer(says(`\`\`\`json\n${JSON.stringify(summary)}\n\`\`\``));
  const directory = await mkdtemp(join(tmpdir(), "loci-sessions-guide-"));
  try {
    await using summarizing = await openWithSummaries({ baseUrl: server.baseUrl, model: "small" }, directory);
    const messages = Array.from({ length: 60 }, (_, turn) => ({
      role: turn % 2 === 0 ? "user" : "assistant",
      content: `Cabin ${turn} has a window, a table and two beds. `.repeat(10),
    })) satisfies ChatMessage[];
    const { text } = await summarizing.assemble({ query: "So which one?", messages, window: { preset: "4K" } });
    expect(text).toContain("They compared cabins of the ferry.\n**Key Decisions:**\n- Cabin 212 is booked.");
    expect(server.requests).toHaveLength(1);
    expect(await summarizing.budget.totals({})).toMatchObject({ calls: 1, inputTokens: 120 });
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("the guide shows what is run here", async () => {
  const root = join(import.meta.dirname, "../../..");
  const guide = await readFile(join(root, "docs/guides/sessions.md"), "utf8");
  const example = await readFile(join(root, "docs/examples/sessions.ts"), "utf8");
  // The first one is a program of its own, run with those in the other languages.
  const [, ...blocks] = Array.from(guide.matchAll(/```ts\n([^]*?)```/g), ([, code]) => code ?? "");
  expect(blocks).toHaveLength(7);
  for (const code of blocks) expect(example).toContain(code);
});
