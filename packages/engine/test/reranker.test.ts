import { setTimeout } from "node:timers/promises";
import type { RecallResult } from "@loci/domain";
import type { RerankCandidate, Reranker, RerankScore } from "@loci/engine";
import { expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const scopes = ["user:alice"] as const;
const query = "When do deploys happen?";
const texts = [
  "Deploys happen on Thursdays, every week.",
  "Deploys happen when the release manager says so.",
  "Deploys happen on Mondays in the test environment.",
];

type Answer = (candidates: readonly RerankCandidate[], signal: AbortSignal) => unknown;

/** Recalls with a reranker that answers so; `asked` is what it was asked. */
async function recalled(
  answer: Answer,
  settings: Omit<Reranker, "rerank"> = {},
): Promise<{ readonly result: RecallResult; readonly plain: RecallResult; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  let isOn = true;
  const reranker: Reranker = {
    ...settings,
    rerank: async (question, candidates, { signal }) => {
      if (!isOn) return candidates.map(({ id }) => ({ id, score: 0.5 }));
      expect(question).toBe(query);
      asked.push(...candidates.map(({ text }) => text));
      return (await answer(candidates, signal)) as readonly RerankScore[];
    },
  };
  await using opened = await TestEngine.open({ reranker, rerankTimeLimit: 200 });
  await opened.loci.memories.rememberMany(
    [...texts, "Lunch is at noon."].map((text) => ({ text, scope: "user:alice" })),
  );
  const result = await opened.loci.recall({ query, scopes, evaluationTime: opened.now, explain: true });
  isOn = false;
  const none = { rerankShare: 0 };
  const plain = await opened.loci.recall({ query, scopes, evaluationTime: opened.now, explain: true, profile: none });
  return { result, plain, asked };
}

function textsOf({ hits }: RecallResult): readonly string[] {
  return hits.map(({ memory }) => memory.text);
}

/** Prefers whatever the plain ranking has last. */
const reversing: Answer = (candidates) => candidates.map(({ id }, place) => ({ id, score: place / candidates.length }));

test("a reranker sees the best candidates in their order, and what it says becomes part of relevance", async () => {
  const { result, plain, asked } = await recalled(reversing);
  expect(asked).toEqual(textsOf(plain));
  expect(asked).toHaveLength(3);
  expect(textsOf(result)).toEqual(textsOf(plain).toReversed());
  expect(result.degraded).toEqual([]);
  expect(Object.keys(result.timings)).toContain("rerank");
  const relevanceOf = (id: string): number =>
    plain.hits.find(({ memory }) => memory.id === id)?.parts.relevance ?? Number.NaN;
  for (const { memory, parts } of result.hits) {
    const place = asked.indexOf(memory.text);
    expect(parts.rerank).toBe(place / 3);
    expect(parts.relevance).toBeCloseTo(0.3 * relevanceOf(memory.id) + 0.7 * (place / 3), 12);
  }
});

test("what it is not asked about counts as the lowest of its answers, and what answers nothing stays out", async () => {
  const { result, plain, asked } = await recalled((all) => all.map(({ id }) => ({ id, score: 0.25 })), {
    maxCandidates: 2,
  });
  expect(asked).toEqual(textsOf(plain).slice(0, 2));
  expect(result.hits.map(({ parts }) => parts.rerank)).toEqual([0.25, 0.25, 0.25]);
  expect(textsOf(result)).toEqual(textsOf(plain));
  expect(result.dropped.map(({ reason }) => reason)).toEqual(plain.dropped.map(({ reason }) => reason));
});

const id = "01900000-0000-7000-8000-000000000000";
const scored = (all: readonly RerankCandidate[], score: unknown): unknown => all.map((one) => ({ id: one.id, score }));

test.each<[string, Answer]>([
  ["fails", () => Promise.reject(new Error("down"))],
  [
    "throws",
    () => {
      throw new Error("down");
    },
  ],
  ["takes too long", (all) => setTimeout(5_000, scored(all, 1), { ref: false })],
  ["gives NaN", (all) => scored(all, Number.NaN)],
  ["gives infinity", (all) => scored(all, Infinity)],
  ["gives more than 1", (all) => scored(all, 1e9)],
  ["gives less than 0", (all) => scored(all, -0.01)],
  ["gives text", (all) => scored(all, "1")],
  ["leaves one out", (all) => (scored(all, 1) as unknown[]).slice(1)],
  ["adds a memory of another", (all) => [...(scored(all, 1) as unknown[]), { id, score: 1 }]],
  ["scores another memory", (all) => [...(scored(all, 1) as unknown[]).slice(1), { id, score: 1 }]],
  ["scores one twice", (all) => all.map(() => ({ id: all[0]?.id, score: 1 }))],
  ["gives nothing", () => undefined],
  ["gives an object", () => ({ length: 3 })],
  ["gives holes", (all) => Array.from({ length: all.length })],
])("a reranker that %s costs its opinion, never the answer", async (_, answer) => {
  const { result, plain } = await recalled(answer);
  expect(result.degraded).toEqual(["RERANKER_UNAVAILABLE"]);
  expect(result.hits.map(({ memory, score }) => [memory.id, score])).toEqual(
    plain.hits.map(({ memory, score }) => [memory.id, score]),
  );
  expect(result.hits.every(({ parts }) => parts.rerank === undefined)).toBe(true);
});

test("a call that ends stops the reranker, and nothing relevant asks it nothing", async () => {
  let stopped: unknown;
  const controller = new AbortController();
  const reranker: Reranker = {
    rerank: (_query, _candidates, { signal }) =>
      new Promise(() => {
        signal.addEventListener("abort", () => {
          stopped = signal.reason;
        });
        controller.abort();
      }),
  };
  await using opened = await TestEngine.open({ reranker, rerankTimeLimit: 60_000 });
  await opened.loci.memories.remember({ text: "Deploys happen on Thursdays.", scope: "user:alice" });
  const { signal } = controller;
  await expect(opened.loci.recall({ query, scopes }, { signal })).rejects.toMatchObject({ code: "CANCELLED" });
  expect(stopped).toBeDefined();
  const nothing = await opened.loci.recall({ query: "xylophone", scopes });
  expect([nothing.hits, nothing.degraded]).toEqual([[], []]);
});

test("a limit that is none is refused at the start", async () => {
  const reranker: Reranker = { maxCandidates: 0, rerank: async () => [] };
  await expect(TestEngine.open({ reranker })).rejects.toMatchObject({ field: "reranker.maxCandidates" });
});
