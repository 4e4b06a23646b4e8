import { openLocalEmbedder } from "@loci/embedding";
import { describe, expect, test } from "vitest";
import { chosenEmbedder } from "../src/quality/chosen-embedder.ts";
import { conversationOf, type ConversationSet } from "../src/quality/conversation-data.ts";
import { evidenceShares, shareOf } from "../src/quality/evidence-share.ts";
import { inOneStore } from "../src/quality/in-one-store.ts";
import { measureQuality } from "../src/quality/measure-quality.ts";
import { pairedDifference } from "../src/quality/paired-bootstrap.ts";
import { knownTurns } from "../src/quality/plain-baseline.ts";
import { qualityPage } from "../src/quality/quality-page.ts";
import { qualityResults } from "../src/quality/quality-results.ts";
import { qualityTables } from "../src/quality/quality-table.ts";
import { instantOf } from "../src/quality/spoken-time.ts";
import { shippedProfiles } from "../src/quality/shipped-profiles.ts";
import { fusedRanks, mainStore } from "../src/quality/variants.ts";

const turn = (id: string, session: number, speaker: string, text: string) => {
  return { id, session, speaker, text, time: `10:00 am on ${session} May, 2023` };
};

const stored = {
  conv_id: "boats",
  turns: [
    turn("1:1", 1, "Ada", "I bought a red rowing boat"),
    { ...turn("1:2", 1, "Bob", "Lovely, look at this"), caption: "a photo of a lighthouse" },
    turn("2:1", 2, "Ada", "The harbour master wants a fee of nine pearls"),
    turn("3:1", 3, "Bob", "My cousin bakes rye bread"),
    turn("3:2", 3, "Ada", ""),
  ],
  qas: [
    { question: "What did Ada buy?", evidence: ["1:1"], evidence_sessions: [1], at: "2:1" },
    { question: "Which picture of a lighthouse was shown?", evidence: ["1:2"], evidence_sessions: [1], at: "3:1" },
    { question: "What is never said?", evidence: [], evidence_sessions: [] },
    { question: "How much is the harbour fee?", evidence: ["2:1", "9:9"], evidence_sessions: [2], at: "3:1" },
  ],
};

function setOf(unit: ConversationSet["unit"]): ConversationSet {
  return { name: unit === "turn" ? "locomo" : "realmem", unit, conversations: [conversationOf(stored, unit)] };
}

test("in one store conversations stand by their times, and questions keep their evidence and what they may know", () => {
  const later = {
    ...stored,
    turns: stored.turns.map((said) => ({ ...said, time: said.time.replace("10:00", "11:00") })),
  };
  const { conversations } = inOneStore({
    ...setOf("session"),
    conversations: [stored, later].map((entry) => conversationOf(entry, "session")),
  });
  const [{ turns, questions } = { turns: [], questions: [] }] = conversations;
  expect(turns.map(({ id, session }) => `${session} ${id}`)).toEqual([
    "1 0:1:1",
    "1 0:1:2",
    "2 1:1:1",
    "2 1:1:2",
    "3 0:2:1",
    "4 1:2:1",
    "5 0:3:1",
    "6 1:3:1",
  ]);
  expect(turns.every(({ at }, index) => at > (turns[index - 1]?.at ?? 0))).toBe(true);
  expect(questions.map(({ beforeSession, evidence }) => [beforeSession, ...evidence])).toEqual([
    [3, "1"],
    [5, "1"],
    [5, "3"],
    [4, "2"],
    [6, "2"],
    [6, "4"],
  ]);
  const [{ questions: asked } = { questions: [] }] = inOneStore(setOf("turn")).conversations;
  expect(asked.map(({ evidence }) => [...evidence])).toEqual([["0:1:1"], ["0:1:2"], ["0:2:1"]]);
});

test("shares of evidence count each found thing once, at its first place", () => {
  const evidence = new Set(["a", "z"]);
  expect(evidenceShares(["b", "b", "b", "b", "c", "d", "e", "a"], evidence)).toEqual([0.5, 0.5, 0.5]);
  expect(evidenceShares(["b", "c", "d", "e", "f", "a", "g", "h", "i", "j", "z"], evidence)).toEqual([0, 0.5, 1]);
  expect(evidenceShares([], evidence)).toEqual([0, 0, 0]);
  expect(shareOf(["a", "a", "q"], evidence)).toBe(0.5);
});

describe("paired differences", () => {
  test("of equal values are nothing; a constant gain has no width; the same numbers give the same interval", () => {
    expect(pairedDifference([1, 0, 1], [1, 0, 1])).toEqual({ mean: 0, low: 0, high: 0 });
    expect(pairedDifference([3, 4, 5], [1, 2, 3])).toEqual({ mean: 2, low: 2, high: 2 });
    expect(() => pairedDifference([1], [])).toThrow("no pairs");
  });

  test("have an interval as wide as the theory of means says", () => {
    const gains = Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? 100 : 0));
    const zeros = gains.map(() => 0);
    const { mean, low, high } = pairedDifference(gains, zeros);
    // The standard error is 50 / √400 = 2.5 points.
    expect(mean).toBe(50);
    expect(low).toBeCloseTo(50 - 1.96 * 2.5, -0.5);
    expect(high).toBeCloseTo(50 + 1.96 * 2.5, -0.5);
    expect(pairedDifference(gains, zeros)).toEqual({ mean, low, high });
  });
});

test("times are read in both forms, and in no other", () => {
  expect(instantOf("1:56 pm on 8 May, 2023")).toBe(Date.UTC(2023, 4, 8, 13, 56));
  expect(instantOf("12:05 am on 1 January, 2024")).toBe(Date.UTC(2024, 0, 1, 0, 5));
  expect(instantOf("2025-12-15 (Monday)")).toBe(Date.UTC(2025, 11, 15));
  expect(() => instantOf("8 Mai 2023")).toThrow("form of time");
});

test("a conversation keeps captions, order and what is known when", () => {
  const conversation = conversationOf(stored, "turn");
  expect(conversation.turns.map(({ id }) => id)).toEqual(["1:1", "1:2", "2:1", "3:1"]);
  expect(conversation.turns[1]?.content).toBe("Lovely, look at this a photo of a lighthouse");
  expect(conversation.turns[1]?.at).toBe(Date.UTC(2023, 4, 1, 10) + 1_000);
  expect(conversation.questions.map(({ evidence }) => [...evidence])).toEqual([["1:1"], ["1:2"], ["2:1"]]);
  const [first, second] = conversation.questions;
  expect(first && knownTurns(conversation, first).map(({ id }) => id)).toEqual(["1:1", "1:2"]);
  expect(second && knownTurns(conversation, second).map(({ id }) => id)).toEqual(["1:1", "1:2", "2:1"]);
  expect(() => conversationOf({ ...stored, qas: [{ question: "", evidence: ["1:1"], at: "7:7" }] }, "turn")).toThrow(
    "7:7",
  );
});

test("rank fusion puts first what both lists have", () => {
  expect(fusedRanks(["a", "b"], ["b", "c"])).toEqual(["b", "a", "c"]);
});

test.each(["turn", "session"] as const)(
  "replays a conversation through the public API, evidence by %s",
  async (unit) => {
    const local = await openLocalEmbedder();
    const progress: string[] = [];
    const onProgress = (done: number, total: number): void => void progress.push(`${done}/${total}`);
    const measurement = await measureQuality(setOf(unit), local, { stores: mainStore, onProgress });
    expect(progress).toEqual(["1/3", "2/3", "3/3"]);
    expect(measurement.chosenOn).toEqual([true, false, true]);
    // So few turns that everything that may be known is found; what is said later is not.
    for (const { name } of shippedProfiles)
      expect(measurement.variants.get(name)).toEqual([
        [1, 1, 1],
        [1, 1, 1],
        [1, 1, 1],
      ]);
    expect(measurement.baseline).toHaveLength(3);
    const inContexts = Array.from({ length: 3 }, () => [1, 1, 1]);
    expect([...measurement.contexts.values()]).toEqual(unit === "turn" ? [inContexts, inContexts] : []);

    const results = qualityResults([measurement], [{ name: "<said>", value: 3, unit: "of 4" }]);
    expect(results.sets[0]?.variants[0]).toMatchObject({ all: [100, 100, 100], heldOut: [100, 100, 100] });
    expect(qualityTables(results)).toMatch(/^Loci, profile archive +100\.0 \/ 100\.0 \/ 100\.0/mu);
    expect(qualityPage(results)).toContain("&#60;said&#62;: 3 of 4");
  },
);

test("a question about what is said only later finds nothing of it", async () => {
  const [question] = stored.qas;
  if (question === undefined) throw new Error("The fixture has no question.");
  const tooEarly = { ...question, question: "How much is the harbour fee?", evidence_sessions: [2] };
  const conversation = conversationOf({ ...stored, qas: [tooEarly] }, "session");
  const set: ConversationSet = { name: "realmem", unit: "session", conversations: [conversation] };
  const local = await openLocalEmbedder();
  const { variants, baseline } = await measureQuality(set, local, { stores: mainStore, onProgress: () => {} });
  expect(variants.size).toBeGreaterThanOrEqual(shippedProfiles.length);
  for (const shares of [...variants.values(), baseline]) expect(shares).toEqual([[0, 0, 0]]);
});

test("another embedder, or another weight of one, can be chosen", async () => {
  const local = await chosenEmbedder({ "relevance-weight": "0.3" });
  expect(local).toMatchObject({ space: { provider: "loci" }, relevanceWeight: 0.3 });
  const remote = await chosenEmbedder({
    "embedder-url": "http://127.0.0.1:9/v1",
    "embedder-model": "any",
    dimensions: "384",
    "max-input-tokens": "256",
  });
  expect(remote).toMatchObject({ space: { model: "any", dimensions: 384 }, maxInputTokens: 256 });
  await expect(chosenEmbedder({ "embedder-url": "http://127.0.0.1:9/v1", "embedder-model": "any" })).rejects.toThrow(
    "dimensions",
  );
});
