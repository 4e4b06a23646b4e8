import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LociError, type RememberInput } from "@loci/domain";
import { type Loci, openLoci } from "@loci/loci";
import { evaluateRecall, type EvaluationQuestion } from "@loci/evaluation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const scopes = ["user:ann"] as const;
const remembered: readonly Omit<RememberInput, "scope">[] = [
  { text: "We chose PostgreSQL 17 for billing.", category: "decision" },
  { text: "I am allergic to peanuts.", category: "fact" },
  { text: "My manager is Priya.", category: "fact" },
  { text: "Tea goes with milk.", category: "preference" },
];

let directory: string;
let loci: Loci;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "loci-evaluation-"));
  loci = await openLoci({ tenant: "acme", dataDirectory: directory });
  for (const each of remembered) await loci.memories.remember({ ...each, scope: "user:ann" });
  await loci.memories.remember({ text: "The backup runs at night.", category: "fact", scope: "project:billing" });
});

afterAll(async () => {
  await loci[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

describe("evaluateRecall", () => {
  test("finds answers by a part of their text, whatever its capitals and white space are, and by their id", async () => {
    const { memories } = await loci.memories.list({ scopes });
    const allergy = memories.find(({ text }) => text.includes("peanuts"));
    const { questions, measures } = await evaluateRecall(
      loci,
      [
        { query: "Which database does billing use?", expected: ["postgresql\n  17"] },
        { query: "Am I allergic to anything?", expected: [allergy?.id ?? ""] },
      ],
      { scopes },
    );
    expect(questions.map(({ places }) => places)).toEqual([[1], [1]]);
    expect(measures).toMatchObject({ "hit@1": 1, "hit@10": 1, "recall@1": 1, mrr: 1 });
    expect(measures).not.toHaveProperty("nothing-found");
  });

  test("counts each answer of several, and each question the same", async () => {
    const { measures, questions } = await evaluateRecall(
      loci,
      [
        { query: "Which database does billing use?", expected: ["PostgreSQL", "SQLite"] },
        { query: "Who is my manager?", expected: ["Priya"] },
        { query: "Which database does billing use?", expected: ["MySQL"] },
      ],
      { scopes, limit: 2 },
    );
    expect(questions[0]?.places).toEqual([1, undefined]);
    expect(measures["hit@1"]).toBeCloseTo(2 / 3);
    expect(measures["recall@2"]).toBeCloseTo((0.5 + 1 + 0) / 3);
    expect(measures.mrr).toBeCloseTo(2 / 3);
    expect(Object.keys(measures)).toEqual(["hit@1", "hit@2", "recall@1", "recall@2", "mrr"]);
  });

  test("says what became of an answer that was not found", async () => {
    const [beyond, below, none] = (
      await evaluateRecall(
        loci,
        [
          { query: "Which database was chosen for billing, and who is my manager?", expected: ["Priya", "PostgreSQL"] },
          { query: "What is the capital of Mongolia?", expected: ["Tea goes with milk"] },
          { query: "Who is my manager?", expected: ["Jonas"] },
        ],
        { scopes, limit: 1 },
      )
    ).questions.map(({ missing }) => missing);
    expect(beyond?.map(({ accounts }) => accounts.map(({ reason }) => reason))).toEqual([["OVER_LIMIT"]]);
    expect(below?.[0]?.memories).toHaveLength(1);
    expect(below?.[0]?.accounts[0]?.reason).toMatch(/^(BELOW_RELEVANCE_FLOOR|NOT_A_CANDIDATE)$/);
    expect(none).toEqual([{ expected: "Jonas", memories: [], accounts: [] }]);
  });

  test("names at most five memories that would have been an answer, the newest", async () => {
    const texts = Array.from({ length: 7 }, (_, index) => `Rule ${index}: knock twice.`);
    await loci.memories.rememberMany(texts.map((text) => ({ text, scope: "team:door" })));
    const unlike = {
      query: "What is the capital of Mongolia?",
      expected: ["knock twice"],
      scopes: ["team:door"] as const,
    };
    const { questions } = await evaluateRecall(loci, [unlike], { scopes });
    expect(questions[0]?.missing[0]?.memories).toHaveLength(5);
    expect(questions[0]?.missing[0]?.accounts).toHaveLength(5);
  });

  test("of questions that nothing answers it counts those for which nothing is found", async () => {
    const { measures, answerable, unanswerable } = await evaluateRecall(
      loci,
      [
        { query: "What is the capital of Mongolia?", expected: [] },
        { query: "Who is my manager?", expected: [] },
      ],
      { scopes },
    );
    expect(measures).toEqual({ "nothing-found": 0.5 });
    expect([answerable, unanswerable]).toEqual([0, 2]);
  });

  test("a question may have scopes of its own, and its answer is looked for there", async () => {
    const elsewhere: EvaluationQuestion = { query: "When does the backup run?", expected: ["at night"] };
    const { questions } = await evaluateRecall(loci, [elsewhere, { ...elsewhere, scopes: ["project:billing"] }], {
      scopes,
    });
    expect(questions.map(({ places }) => places)).toEqual([[undefined], [1]]);
    expect(questions[0]?.missing[0]?.memories).toEqual([]);
  });

  test("nothing counts as used, and progress is told", async () => {
    const told: number[][] = [];
    const before = await loci.memories.list({ scopes });
    await evaluateRecall(loci, [{ query: "Who is my manager?", expected: ["Jonas"] }], {
      scopes,
      rotation: { owner: "ann", session: "one" },
      onProgress: (...counts) => told.push(counts),
    });
    await loci.settled();
    expect(await loci.memories.list({ scopes })).toEqual(before);
    // Nor as shown, for another session of whoever asked.
    const rotation = { owner: "ann", session: "two" };
    const { hits } = await loci.recall({ query: "Who is my manager?", scopes, rotation });
    expect(hits[0]?.parts.stale).toBe(1);
    expect(told).toEqual([[1, 1]]);
  });

  test("stops when it is told to", async () => {
    const stopping = new AbortController();
    const evaluation = evaluateRecall(
      loci,
      [
        { query: "Who is my manager?", expected: ["Priya"] },
        { query: "Who is my manager?", expected: ["Priya"] },
      ],
      { scopes, onProgress: () => stopping.abort() },
      { signal: stopping.signal },
    );
    await expect(evaluation).rejects.toMatchObject({ reason: "CANCELLED" });
  });

  test.each<[string, readonly unknown[], RegExp]>([
    ["no questions", [], /no question/],
    ["no query", [{ query: " ", expected: [] }], /questions\[0\] has no query/],
    ["no list", [{ query: "Who?", expected: "Priya" }], /has no list of what is expected/],
    ["an empty text, which every memory holds", [{ query: "Who?", expected: [""] }], /expects what is no text/],
    ["an unknown field", [{ query: "Who?", answers: ["Priya"] }], /unknown field "answers"/],
    ["too many answers", [{ query: "Who?", expected: Array.from({ length: 21 }, String) }], /21 entries/],
  ])("refuses %s", async (_, questions, message) => {
    const evaluation = evaluateRecall(loci, questions as readonly EvaluationQuestion[], { scopes });
    const error = await evaluation.catch((thrown: unknown) => thrown);
    expect(LociError.is(error) && error.reason).toBe("INVALID_REQUEST");
    expect((error as LociError).message).toMatch(message);
  });
});
