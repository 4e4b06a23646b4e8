import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AssembleRequest, ChatMessage, TurnInput } from "@loci/domain";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Checkpoint } from "@loci/ledger";
import { SessionConversations } from "../../src/assembly/session-conversations.ts";
import { ThreadTurns } from "../../src/calls/thread-turns.ts";
import type { TurnsOf } from "../../src/sessions/read-turns.ts";
import { existingSession } from "../../src/sessions/stored-session.ts";
import { everything, TestEngine } from "../support/test-engine.ts";

type Outline = Omit<Checkpoint, "state">;

const key = { scope: "user:ann", id: "long" } as const;
const parsedKey = { scope: { kind: "user", id: "ann" }, id: "long" } as const;
const nothingSaid = {
  role: "user",
  speaks: true,
  request: "",
  opening: "",
  acceptance: "",
  isAnswer: false,
  offer: "",
  decisions: [],
  progress: "",
  questions: [],
  openPoints: [],
  settled: [],
  tools: [],
  files: [],
} as const;
let opened: TestEngine;
/** Rows of turns that were read from the ledger. */
let rowsRead = 0;

beforeEach(async () => {
  opened = await TestEngine.open();
  countRows();
});
afterEach(() => opened[Symbol.asyncDispose]());

function countRows(): void {
  const { resources } = opened.ledger;
  const { entries } = resources;
  rowsRead = 0;
  Object.assign(resources, {
    entries: async (...given: Parameters<typeof entries>) => {
      const found = await entries(...given);
      rowsRead += found.length;
      return found;
    },
  });
}

async function reopen(): Promise<void> {
  await opened.loci.settled();
  await opened.reopen();
  countRows();
}

/** Turn by turn another kind of message: what is said, what is called and answered, nothing at all. */
function turnOf(number: number): readonly TurnInput[] {
  const at = 1_000_000 + number;
  const file = `src/part-${number % 90}.ts`;
  switch (number % 7) {
    case 0:
      return [{ role: "user", content: `Question ${number}: what about part ${number % 90}?`, at }];
    case 1:
      return [{ role: "assistant", content: `We decided to keep part ${number % 90}. I updated ${file}.`, at }];
    case 2:
      return [{ role: "assistant", content: "", at }];
    case 3:
      return [
        {
          role: "assistant",
          content: "",
          toolCalls: [
            { id: `c${number}`, type: "function", function: { name: "edit_file", arguments: `{"path":"${file}"}` } },
          ],
          at,
        },
        { role: "tool", content: `Edited ${number}.`, toolCallId: `c${number}`, at },
      ];
    case 4:
      return [{ role: "user", content: `TODO: look at part ${number}. ${"It matters. ".repeat(number % 5)}`, at }];
    default:
      return [{ role: "assistant", content: `Answer ${number}. ${"More of it. ".repeat(number % 4)}`, at }];
  }
}

let messages: ChatMessage[] = [];
let next = 0;
let lastTurn = 0;

async function append(least: number): Promise<void> {
  const turns: TurnInput[] = [];
  while (turns.length < least) turns.push(...turnOf(next++));
  // Few at a time, as agents append them: a call is never parted from its result.
  for (let start = 0; start < turns.length;) {
    let end = Math.min(turns.length, start + 3);
    while (turns[end]?.role === "tool") end++;
    const some = turns.slice(start, end);
    start = end;
    ({ lastTurn } = await opened.loci.sessions.append(key, { expectedLast: lastTurn, turns: some }));
  }
  messages.push(
    ...turns.map(({ role, content, toolCalls, toolCallId }) => ({
      role,
      content,
      ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
      ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
    })),
  );
}

async function begin(turns: number): Promise<void> {
  messages = [];
  next = 0;
  lastTurn = 0;
  await opened.loci.sessions.create({ ...key, keepSecrets: true });
  await append(turns);
}

/** The context of the session must be that of its messages. Returns how many rows were read for it. */
async function expectSame(request: Partial<AssembleRequest> = {}): Promise<number> {
  const given = { query: "What now?", evaluationTime: 0, recordUsage: "none", ...request } as const;
  const before = rowsRead;
  const ofSession = await opened.loci.assemble({ ...given, session: key });
  const read = rowsRead - before;
  const ofMessages = await opened.loci.assemble({ ...given, messages });
  expect({ ...ofSession, timings: {} }).toEqual({ ...ofMessages, timings: {} });
  return read;
}

test("a process that sees a long session for the first time reads no more of it than is shown, and gives the same context", async () => {
  await begin(1_500);
  expect(await expectSame()).toBeGreaterThan(400);
  await reopen();
  expect(await expectSame()).toBeLessThan(250);
  // From then on a turn more reads a turn.
  for (let turn = 0; turn < 5; turn++) {
    await append(3);
    expect(await expectSame()).toBeLessThanOrEqual(4);
  }
});

test("whatever way it is asked for: as another layout, with the user's last words as the query, numbered, larger, cut", async () => {
  await begin(1_200);
  const requests: readonly Partial<AssembleRequest>[] = [
    {},
    { layout: "threeTier" },
    { query: undefined },
    { history: { turnNumbers: true } },
    { window: { scaleTo: 16_000 } },
    { window: { preset: "4K" }, history: { strategy: "window" } },
    { history: { lastTurns: 3 } },
    { history: { lastTurns: 3, turnNumbers: true } },
    { model: "gpt-4o" },
    { window: { preset: "8K" }, model: "claude-sonnet-4-5" },
  ];
  for (const request of requests) await expectSame(request);
  for (const first of requests) {
    await reopen();
    expect(await expectSame(first)).toBeGreaterThan(0);
    await append(1);
    for (const request of requests) await expectSame(request);
  }
});

test("calls at once, and appends between them, see a moment each", async () => {
  await begin(1_100);
  await expectSame();
  await reopen();
  const { loci } = opened;
  const given = { query: "What now?", evaluationTime: 0, recordUsage: "none" } as const;
  const requests = [{}, { window: { scaleTo: 16_000 } }, { history: { turnNumbers: true } }] as const;
  for (let round = 0; round < 5; round++) {
    const ofMessages = async (): Promise<readonly string[]> =>
      Promise.all(requests.map(async (request) => (await loci.assemble({ ...given, ...request, messages })).text));
    const before = await ofMessages();
    const contexts = [...requests, ...requests].map((request) => loci.assemble({ ...given, ...request, session: key }));
    const appending = append(3);
    contexts.push(...requests.map((request) => loci.assemble({ ...given, ...request, session: key })));
    await appending;
    const after = await ofMessages();
    for (const [index, { text }] of (await Promise.all(contexts)).entries())
      expect([before, after].map((texts) => texts[index % requests.length])).toContain(text);
    for (const request of requests) await expectSame(request);
  }
});

test("a conversation whose beginning is not there does not grow under a call that works with it", async () => {
  await begin(1_000);
  const services = { ledger: opened.ledger, thread: new ThreadTurns() };
  const of = async (): Promise<TurnsOf> => {
    return { tenant: everything.tenant, session: await existingSession(services, everything.tenant, parsedKey) };
  };
  const first = new SessionConversations();
  using whole = await first.hold(services, await of());
  const read = { line: "x", textTokens: 1, chatTokens: 1, facts: nothingSaid };
  whole.known.reading("words").extend(whole.known.messages, whole.known.turnOf, () => read);
  first.keepBeginnings(services, await of(), "words");
  await first.settled();

  const conversations = new SessionConversations();
  const need = { key: "words", tokens: 100 };
  using held = await conversations.hold(services, await of(), need);
  expect(held.known.unread).toBeGreaterThan(500);
  const length = held.messages.length;
  await append(3);
  using later = await conversations.hold(services, await of(), need);
  expect(later.messages.length).toBeGreaterThan(length);
  expect(held.known.messages).toHaveLength(length);
  expect(later.known.messages.slice(-1)).toEqual(messages.slice(-1));
});

test("what was kept of it goes with it, and a session of the same name is another one", async () => {
  await begin(1_000);
  await expectSame();
  await opened.loci.settled();
  await opened.loci.sessions.delete(key);
  await begin(700);
  expect(await expectSame()).toBeGreaterThan(200);
  await reopen();
  await expectSame();
});

test("an erasure leaves nothing of what was kept, also while it is being kept", async () => {
  const canary = "quartz-zebra";
  const kept = (): string => {
    const database = new DatabaseSync(join(opened.directory, "ledger.sqlite"), { readOnly: true });
    const rows = database.prepare("SELECT state FROM checkpoints").all();
    database.close();
    return JSON.stringify(rows);
  };
  await begin(0);
  const first = { role: "user", content: `We decided to call it ${canary}.` } as const;
  ({ lastTurn } = await opened.loci.sessions.append(key, { expectedLast: 0, turns: [{ ...first, at: 1 }] }));
  messages.push(first);
  await append(900);
  await expectSame();
  await opened.loci.settled();
  expect(kept()).toContain(canary);
  await append(200);
  const context = opened.loci.assemble({ session: key, query: "What now?", recordUsage: "none" });
  await Promise.all([
    context.catch(() => undefined),
    opened.as({ roles: ["admin"] }).maintenance.erase({ scope: key.scope }),
  ]);
  await opened.loci.settled();
  expect(kept()).toBe("[]");
});

test("what is kept and makes no sense is not used", async () => {
  await begin(1_000);
  await expectSame();
  await reopen();
  const changes: readonly ((found: readonly Outline[]) => readonly Outline[])[] = [
    (found) => found.map((one) => ({ ...one, outline: "?" })),
    (found) => found.slice(1),
    (found) => found.map((one) => ({ ...one, through: one.through + 1 })),
  ];
  for (const change of changes) {
    await reopen();
    const { checkpoints } = opened.ledger;
    const { outlines } = checkpoints;
    Object.assign(checkpoints, {
      outlines: async (...given: Parameters<typeof outlines>) => change(await outlines(...given)),
    });
    expect(await expectSame()).toBeGreaterThan(300);
  }
  for (const state of [undefined, "{", "null"]) {
    await reopen();
    Object.assign(opened.ledger.checkpoints, { state: () => Promise.resolve(state) });
    expect(await expectSame()).toBeGreaterThan(300);
  }
});

test("contexts of two kinds that take turns write what is kept once", async () => {
  await begin(1_000);
  const { checkpoints } = opened.ledger;
  const { add } = checkpoints;
  let rows = 0;
  Object.assign(checkpoints, {
    add: (...given: Parameters<typeof add>) => {
      rows += given[2].length;
      return add(...given);
    },
  });
  for (let round = 0; round < 4; round++)
    for (const layout of ["memoryBlocks", "threeTier"] as const) {
      await expectSame({ layout });
      await opened.loci.settled();
    }
  expect(rows).toBe(Math.floor((lastTurn - 64) / 64));
});

test("a ledger that keeps nothing costs time, and is told of", async () => {
  await begin(1_000);
  Object.assign(opened.ledger.checkpoints, { add: () => Promise.reject(new Error("disk full")) });
  await expectSame();
  await opened.loci.settled();
  expect(opened.problems.join()).toMatch(/disk full/);
  await reopen();
  await expectSame();
});
