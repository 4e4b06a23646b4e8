import type { TurnRole } from "@loci/domain";
import { roleOfSpeaker } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { rankCandidates } from "../../src/index.ts";
import { standingInstruction } from "../../src/recall/standing-instructions.ts";
import { idOf, openToAll, rankingOf, type Sketch } from "./candidates.ts";

/** Turns of one conversation from position 0 on, told as `speaker: text`. */
function conversation(turns: readonly (readonly [speaker: string, text: string, role?: TurnRole])[]): Sketch[] {
  return turns.map(([speaker, text, role], position) => ({
    id: 1 + position,
    text: `${speaker}: ${text}`,
    provenance: { kind: "conversation", sourceId: "conversation:a", position, speaker, role },
  }));
}

function partsOf(prompt: string, sketches: readonly Sketch[]) {
  const { hits, dropped } = rankCandidates(rankingOf(prompt, sketches, { embedder: openToAll }));
  const parts = new Map<string, (typeof hits)[number]["parts"] | undefined>(
    hits.map((hit) => [hit.memory.id, hit.parts]),
  );
  for (const { id, parts: own } of dropped) parts.set(id, own);
  return (id: number) => parts.get(idOf(id));
}

describe("who speaks", () => {
  test.each<[string, TurnRole]>([
    ["assistant", "assistant"],
    ["Travel Assistant", "assistant"],
    ["support-bot", "assistant"],
    ["tool", "tool"],
    ["function", "tool"],
    ["Ada", "person"],
    ["user", "person"],
    ["Botticelli", "person"],
  ])("%s is taken for a role: %s", (speaker, role) => {
    expect(roleOfSpeaker({ speaker })).toBe(role);
    expect(roleOfSpeaker({ speaker, role: "person" })).toBe("person");
  });

  /** So many terms. */
  const words = (count: number): string => " pearl".repeat(count);

  test("a person's words stand above the same words of an assistant that talks at length", () => {
    const turns = conversation([
      ["assistant", `the kraken eats${words(200)}`],
      ["user", "fine"],
      ["assistant", "good"],
      ["user", `the kraken eats${words(200)}`],
    ]);
    const { hits } = rankCandidates(rankingOf("what does the kraken eat", turns, { embedder: openToAll }));
    expect(hits.slice(0, 2).map(({ memory, parts }) => [memory.provenance?.speaker, parts.role])).toEqual([
      ["user", undefined],
      ["assistant", 0.5],
    ]);
  });

  test.each([
    ["how can I feed a kraken", true, [1, 1, 0.75, 0.5]],
    ["how do I feed my kraken", false, [1, 0.75, 0.5, 0.5]],
  ])("%s: what an assistant says counts less the longer it is, and at least half", (prompt, isForHelp, expected) => {
    const lengths = [8, 38, 118, 178];
    const turns = conversation([
      ["user", `kraken${words(8)}`],
      ...lengths.map((length) => ["assistant", `kraken${words(length)}`] as const),
      ["tool", `kraken${words(8)}`],
    ]);
    const { hits } = rankCandidates(rankingOf(prompt, turns, { embedder: openToAll, isForHelp }));
    const roles = new Map<string, number | undefined>(hits.map(({ memory, parts }) => [memory.id, parts.role]));
    expect([1, 2, 3, 4, 5, 6].map((id) => roles.get(idOf(id)))).toEqual([undefined, ...expected, 0.5]);
  });

  test("a role that is said counts for more than the name", () => {
    const turns = conversation([
      ["Ada", `the kraken eats${words(200)}`],
      ["Robin", `the kraken eats${words(200)}`, "assistant"],
    ]);
    const parts = partsOf("kraken", turns);
    expect([parts(1)?.role, parts(2)?.role]).toEqual([undefined, 0.5]);
  });

  test("an exchange is what a person says and what is answered", () => {
    const turns = conversation([
      ["assistant", "hello"],
      ["user", "what about it"],
      ["assistant", "the kraken eats pearls"],
      ["user", "thanks"],
    ]);
    const parts = partsOf("kraken pearls", turns);
    expect(parts(2)?.neighbours).toBeGreaterThan(0);
    expect(parts(4)?.neighbours).toBe(0);
  });

  test("what an assistant asks points at the answer, the more of its turn asks the more", () => {
    const asked = (question: string): number => {
      const turns = conversation([
        ["assistant", question],
        ["user", "in the harbour, since May"],
      ]);
      return partsOf("kraken", turns)(2)?.neighbours ?? Number.NaN;
    };
    const [only, offered, told] = [
      "where is the kraken?",
      `kraken.${words(20)}. Shall I go on?`,
      "there is a kraken.",
    ].map(asked) as [number, number, number];
    // 0.3 × 8/3 of a turn whose relevance is 1, and of which little but that counts.
    expect(only).toBeGreaterThan(0.6);
    expect(offered).toBeGreaterThan(0);
    expect(offered).toBeLessThan(only / 2);
    expect(told).toBe(0);
  });

  test("a turn with an assistant stands no higher among other memories for being given more", () => {
    const relevanceWith = (speaker: string): number => {
      const turns = conversation([
        ["Ada", "the kraken eats pearls, oysters, whales, sailors and masts"],
        [speaker, "thanks"],
      ]);
      return partsOf("kraken pearls", turns)(1)?.relevance ?? Number.NaN;
    };
    expect(relevanceWith("assistant") / relevanceWith("Bob")).toBeCloseTo(0.93, 12);
  });

  test("what a person asks is no hint at what the person says next", () => {
    const turns = conversation([
      ["assistant", "hello"],
      ["user", "where is the kraken?"],
      ["user", "never mind"],
    ]);
    expect(partsOf("kraken", turns)(3)?.neighbours).toBe(0);
  });

  test("an answer to a person gives it 4/3 of what a person's turn gives the answer", () => {
    const answered = conversation([
      ["user", "and where?"],
      ["assistant", "the kraken"],
    ]);
    const asked = conversation([
      ["user", "the kraken"],
      ["assistant", "and so?"],
    ]);
    const toPerson = partsOf("kraken", answered)(1)?.neighbours ?? Number.NaN;
    const toAnswer = partsOf("kraken", asked)(2)?.neighbours ?? Number.NaN;
    expect(toPerson / toAnswer).toBeCloseTo(4 / 3, 2);
  });

  test("people among themselves hear both neighbours, and only their questions are marked down", () => {
    const friends = conversation([
      ["Ada", "hello"],
      ["Bob", "the kraken, have you seen it?"],
      ["Ada", "fine"],
    ]);
    const assisted = conversation([
      ["assistant", "hello"],
      ["user", "the kraken, have you seen it?"],
      ["assistant", "fine"],
    ]);
    expect(partsOf("kraken", friends)(2)?.asking).toBe(0.85);
    expect(partsOf("kraken", friends)(1)?.neighbours).toBeGreaterThan(0);
    expect(partsOf("kraken", assisted)(2)).not.toHaveProperty("asking");
    expect(partsOf("kraken", assisted)(1)?.neighbours).toBe(0);
  });
});

describe("standing instructions", () => {
  test.each([
    "user: Always add types to code.",
    "When I ask for code, always add types.",
    "From now on answer in French.",
    "user: I prefer tabs.",
    "Well, I\u2019d rather walk.",
  ])("%s", (text) => expect(standingInstruction(text)).toBeDefined());

  test.each([
    "Nevertheless we went.",
    "I have never been there, and she always sings.",
    "What do you prefer?",
    `always ${"x ".repeat(400)}`,
    "",
  ])("not %s", (text) => expect(standingInstruction(text)).toBeUndefined());

  test("count for more when a person tells them to an assistant", () => {
    const assisted = conversation([
      ["user", "Always cite the kraken."],
      ["assistant", "Always, about the kraken."],
    ]);
    const parts = partsOf("kraken", assisted);
    expect([parts(1)?.instruction, parts(2)?.instruction]).toEqual([1.2, undefined]);
    const friends = conversation([
      ["Ada", "Always cite the kraken."],
      ["Bob", "ok"],
    ]);
    expect(partsOf("kraken", friends)(1)).not.toHaveProperty("instruction");
  });
});
