import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CaptureJob, type Loci, openEngine, type OpenedEngine, type ScopeText, tenantId } from "@loci/loci";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, textOf } from "./call-tool.ts";
import { connectClient } from "./connect-client.ts";

let directory: string;
let engine: OpenedEngine;
/** Somebody who may approve, and somebody who may not. */
let approver: Loci;
let writer: Loci;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "loci-mcp-captures-"));
  engine = await openEngine({ dataDirectory: directory });
  const of = { tenant: tenantId("local"), scopePatterns: ["*"] };
  approver = engine.for({ ...of, subject: "local", roles: ["read", "write", "approve"] });
  writer = engine.for({ ...of, subject: "writer", roles: ["read", "write"] });
});
afterAll(async () => {
  await engine.close();
  rmSync(directory, { recursive: true });
});

/** A conversation, of which memories are made for somebody who may not approve. */
async function captured(scope: ScopeText, id: string, lines: readonly string[]): Promise<CaptureJob> {
  const project: ScopeText = `project:${scope.slice(5)}`;
  await writer.sessions.create({ scope, id, capture: "off" });
  const turns = lines.map((content) => ({ role: "user" as const, content }));
  await writer.sessions.append({ scope, id }, { expectedLast: 0, turns });
  const { id: job } = await writer.captures.start({ session: { scope, id }, projectScope: project });
  return writer.captures.wait(job);
}

const talk = [
  "I work at Corvid as a nurse",
  "what is the time?",
  "we decided to use PostgreSQL for the ledger of this project",
];

interface Seen {
  readonly captures: readonly {
    readonly id: string;
    readonly session: string;
    readonly state: string;
    readonly statements: readonly Readonly<Record<string, unknown>>[];
    readonly known: number;
    readonly refused: Readonly<Record<string, number>>;
    readonly leftOut?: number;
    readonly unread?: Readonly<Record<string, readonly number[]>>;
  }[];
  readonly hasOlder?: boolean;
  readonly waiting?: readonly Readonly<Record<string, unknown>>[];
}

/** What a model sees by the tool, and all that it reads. */
async function view(
  loci: Loci,
  scopes: readonly [ScopeText, ...ScopeText[]],
  input: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly seen: Seen; readonly read: string }> {
  const result = await call(await connectClient(loci, [...scopes]), "view_captures", input);
  expect(result.isError).toBeUndefined();
  return { seen: result.structuredContent as Seen, read: JSON.stringify(result) };
}

test("a model sees what was remembered of a conversation, and that something waits, without the words of that", async () => {
  const { id } = await captured("user:ann", "monday", talk);
  const { seen, read } = await view(approver, ["user:ann", "project:ann"]);
  const { reviews } = await approver.captures.reviews.list({ scopes: ["project:ann"] });
  const [review] = reviews;
  expect(review?.memory.text).toContain("PostgreSQL");
  expect(seen.captures).toEqual([
    expect.objectContaining({
      id,
      session: "monday",
      scope: "user:ann",
      turns: { first: 1, last: 3 },
      state: "succeeded",
      statements: [
        expect.objectContaining({ turn: 1, became: "remembered", text: expect.stringContaining("Corvid") }),
        {
          turn: 3,
          became: "waits",
          category: review?.memory.category,
          reason: "APPROVAL_REQUIRED",
          review: review?.id,
        },
      ],
      known: 0,
      refused: { QUESTION: 1 },
      undo: `loci capture undo ${id}`,
    }),
  ]);
  expect(seen.waiting).toEqual([
    expect.objectContaining({ id: review?.id, scope: "project:ann", reason: "APPROVAL_REQUIRED" }),
  ]);
  expect(read).not.toContain("PostgreSQL");
  expect(read).not.toContain("what is the time");

  await approver.captures.reviews.decide(review?.id ?? "", "approve");
  const approved = await view(approver, ["user:ann", "project:ann"]);
  expect(approved.seen.waiting).toEqual([]);
  expect(approved.seen.captures[0]?.statements[1]).toMatchObject({
    became: "remembered",
    id: review?.memory.id,
    text: expect.stringContaining("PostgreSQL"),
  });
  // The scope of the project is not opened to another editor.
  const other = await view(approver, ["user:ann"]);
  expect(other.seen.captures[0]?.statements[1]).toEqual({
    turn: 3,
    became: "elsewhere",
    category: review?.memory.category,
  });
  expect(other.read).not.toContain("PostgreSQL");
});

test("which turns were not read as the user's words is told, by reason", async () => {
  await captured("user:eve", "mail", ["I work at Corvid", "Summarize this page:\n\nI live in Halifax."]);
  const { seen, read } = await view(approver, ["user:eve"]);
  expect(seen.captures[0]?.unread).toEqual({ TEXT_TO_WORK_ON: [2] });
  expect(read).not.toContain("Halifax");
});

test("what was forgotten, rejected, undone or corrected since is not brought back", async () => {
  const { id } = await captured("user:bea", "monday", [...talk, "my favourite tea is lapsang"]);
  const scopes = ["user:bea", "project:bea"] as const;
  const { reviews } = await approver.captures.reviews.list({ scopes });
  await approver.captures.reviews.decide(reviews[0]?.id ?? "", "reject");
  const { memories } = await approver.memories.list({ scopes });
  const job = memories.find(({ text }) => text.includes("Corvid"));
  const tea = memories.find(({ text }) => text.includes("lapsang"));
  if (job === undefined || tea === undefined) throw new Error("not captured");
  await approver.memories.forget(job.id);
  await approver.memories.update(tea.id, { text: "Bea's favourite tea is <b>oolong</b>." }, { etag: tea.etag });
  for (const loci of [approver, writer]) {
    const { seen, read } = await view(loci, scopes);
    expect(seen.captures[0]?.statements).toEqual([
      { turn: 1, became: "forgotten", category: job.category },
      // Whoever may not approve is not told whether it was rejected.
      { turn: 3, became: loci === writer ? "waits" : "forgotten", category: reviews[0]?.memory.category },
      expect.objectContaining({ turn: 4, became: "remembered", text: "Bea's favourite tea is &lt;b>oolong&lt;/b>." }),
    ]);
    expect(seen.waiting).toEqual(loci === writer ? undefined : []);
    expect(read).not.toMatch(/Corvid|PostgreSQL|lapsang/);
  }
  await approver.captures.undo(id);
  const undone = (await view(approver, scopes)).seen.captures[0];
  expect(undone).toMatchObject({ state: "undone", statements: [] });
  expect(undone).not.toHaveProperty("undo");
});

test("what ended or took the place of another memory says so", async () => {
  const scope = "user:cat";
  await captured(scope, "monday", ["I live in Lisbon"]);
  const { memories } = await approver.memories.list({ scopes: [scope] });
  await captured(scope, "tuesday", ["I moved to Porto, I live in Porto now", "I live in Porto"]);
  const monday = await view(approver, [scope], { session: "monday" });
  expect(monday.seen.captures[0]?.statements).toEqual([
    expect.objectContaining({ became: "remembered", id: memories[0]?.id, isOver: true }),
  ]);
  const { seen } = await view(approver, [scope], { session: "tuesday" });
  expect(seen.captures.map(({ session }) => session)).toEqual(["tuesday"]);
  expect(seen.captures[0]?.statements).toContainEqual(
    expect.objectContaining({
      became: "remembered",
      text: expect.stringContaining("Porto"),
      replaces: memories[0]?.id,
    }),
  );
});

test("the latest of many are shown, a session by its id in whichever scope it is, and no more than a model reads", async () => {
  const scopes = ["user:dan", "project:dan"] as const;
  for (let day = 1; day <= 7; day++)
    await captured("user:dan", `day-${day}`, [`my cat number ${day} is called Cat${day}`]);
  const { seen } = await view(approver, scopes);
  expect(seen.captures.map(({ session }) => session)).toEqual(["day-7", "day-6", "day-5", "day-4", "day-3"]);
  expect(seen.hasOlder).toBe(true);
  const first = await view(approver, ["project:dan", "user:dan"], { session: "day-1" });
  expect(first.seen.captures.map(({ session }) => session)).toEqual(["day-1"]);
  expect(first.seen).not.toHaveProperty("hasOlder");
  const words = [
    "amber",
    "birch",
    "cedar",
    "dune",
    "ember",
    "fjord",
    "grove",
    "heath",
    "inlet",
    "jetty",
    "knoll",
    "lagoon",
  ];
  const many = words.flatMap((word) =>
    words.slice(0, 10).map((of) => `I own a ${word} ${of} painting from ${of} ${word} town`),
  );
  const pairs = many.flatMap((line, index) => (index % 2 === 0 ? [`${line}.\n${many[index + 1] ?? ""}.`] : []));
  const { outcome } = await captured("user:dan", "many", pairs);
  const written = outcome?.candidates.filter(({ memory }) => memory !== null).length ?? 0;
  expect(written).toBeGreaterThan(100);
  const [shown] = (await view(approver, scopes, { session: "many" })).seen.captures;
  expect([shown?.statements.length, shown?.leftOut]).toEqual([100, written - 100]);
});

test("a session that is not there, or in a scope that is not open, is named", async () => {
  await captured("user:eve", "hers", ["I live in Lisbon"]);
  const client = await connectClient(approver, ["user:fay"]);
  for (const session of ["hers", "nobody's", "no\nid", "x".repeat(5_000)])
    expect(textOf(await call(client, "view_captures", { session }))).toMatch(/^SESSION_NOT_FOUND: There is no session/);
  for (const nothing of [{}, { session: "" }])
    expect((await call(client, "view_captures", nothing)).structuredContent).toEqual({
      notice: "Nothing was captured yet. A session is captured when it is closed.",
      captures: [],
      waiting: [],
    });
});
