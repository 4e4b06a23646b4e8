import type { TurnRole } from "@loci/domain";
import { expect, test } from "vitest";
import {
  asksForAnswers,
  asksForCourse,
  asksForHelp,
  englishAnalyser,
  rankCandidates,
  type RankingInput,
} from "../../src/index.ts";
import { instructionFactor, standingInstruction } from "../../src/recall/standing-instructions.ts";
import { ruleCondition } from "../../src/recall/rule-condition.ts";
import type { ScoredCandidate } from "../../src/recall/candidate.ts";
import { talksInTurn } from "../../src/recall/talks-in-turn.ts";
import { idOf, openToAll, rankingOf, type Sketch } from "./candidates.ts";

test.each([
  "What did you recommend for my shoulder?",
  "Did you mention a deadline?",
  "Which of the books you suggested was the shortest?",
  "I have tried the plan you gave me.",
  "What have you told me about sealed secrets?",
  "What was that recipe you already wrote down for me?",
  "Remind me of your advice on the exam.",
  "Can you summarize what we did about the exam?",
])("asks for what the assistant said: %s", (question) => expect(asksForAnswers(question)).toBe(true));

test.each([
  "What would you recommend for my shoulder?",
  "Can you tell me the deadline?",
  "Could you list the books I mentioned?",
  "What did I tell you about the deadline?",
  "What is your name?",
  "Who gave me the plan?",
  "Where is the summary for the age column?",
  `What did you recommend? ${"It was long ago. ".repeat(40)}`,
])("asks for something else: %s", (question) => expect(asksForAnswers(question)).toBe(false));

test.each([
  "In what order did I bring up the parts of the app?",
  "List the moves in order.",
  "Can you summarize how the project went?",
  "Give me a timeline of the outages.",
  "Recap the outages for me.",
  "Could you give me a quick overview of the outages?",
  "How did my worries change over time?",
  "Which decisions did we take across our sessions?",
])("asks for a course: %s", (question) => expect(asksForCourse(question)).toBe(true));

test.each([
  "What must I do in order to deploy?",
  "Did the order arrive?",
  "Okay, that recap is super helpful!",
  "Good summary, hits the key points. What next?",
  "Who lives across the street?",
  "When does the project end?",
  `Summarize this: ${"the kraken sleeps. ".repeat(40)}`,
])("asks for no course: %s", (question) => expect(asksForCourse(question)).toBe(false));

/** Turns, each with the talk that it is of, as `speaker: text`. */
function turns(said: readonly (readonly [talk: string, speaker: string, text: string, role?: TurnRole])[]): Sketch[] {
  const lengths = new Map<string, number>();
  return said.map(([talk, speaker, text, role], index) => {
    const position = lengths.get(talk) ?? 0;
    lengths.set(talk, position + 1);
    const provenance = { kind: "conversation", sourceId: talk, position, speaker, role } as const;
    return { id: 1 + index, text: `${speaker}: ${text}`, provenance };
  });
}

function found(prompt: string, sketches: readonly Sketch[], changes: Partial<RankingInput>): readonly string[] {
  const { hits } = rankCandidates(rankingOf(prompt, sketches, { embedder: openToAll, ...changes }));
  return hits.map(({ memory }) => memory.text);
}

test("what an assistant said at length counts in full when it is asked for", () => {
  const words = " pearl".repeat(200);
  const sketches = turns([
    ["a", "assistant", `the kraken eats${words}`],
    ["a", "user", "fine"],
    ["a", "assistant", "good"],
    ["a", "user", `the kraken eats${words}`],
    ["a", "tool", `the kraken eats${words} often`],
  ]);
  const relevances = (isForAnswers: boolean): readonly (number | undefined)[] => {
    const input = rankingOf("what does the kraken eat", sketches, { embedder: openToAll, isForAnswers });
    const parts = new Map(rankCandidates(input).hits.map(({ memory, parts: own }) => [memory.text, own.role]));
    return [0, 3, 4].map((index) => parts.get(sketches[index]?.text ?? ""));
  };
  expect(relevances(false)).toEqual([0.5, undefined, 0.5]);
  expect(relevances(true)).toEqual([undefined, undefined, 0.5]);
});

test("a course is told by several talks, and what is of no talk keeps its place", () => {
  const told = turns([
    ["a", "Ada", "the kraken woke"],
    ["a", "Ada", "it ate a squid"],
    ["b", "Ada", "it slept again"],
    ["a", "Ada", "it snores"],
    ["c", "Ada", "the sea is calm"],
  ]);
  const sketches = [...told.slice(0, 3), { id: 9, text: "Notes on the kraken." }, ...told.slice(3)];
  const scores = [0.9, 0.8, 0.7, 0.65, 0.6, 0.3];
  const inTurn = (some: readonly Sketch[]): string => {
    const ordered = rankingOf("kraken", some).candidates.map((candidate, index): ScoredCandidate => {
      const { memory } = candidate;
      return { id: memory.id, index, candidate, memory, score: scores[index] ?? 0, foundBy: "relevance" };
    });
    return talksInTurn(ordered)
      .map(({ memory }) => sketches.findIndex(({ text }) => text === memory.text))
      .join("");
  };
  // 0.9, 0.7 of another talk, 0.8 × 0.8, 0.6 × 0.64: the third turn of the one talk still comes before what hardly speaks of it.
  expect(inTurn(sketches)).toBe("021345");
  // Of a single talk nothing changes.
  expect(inTurn(sketches.filter(({ provenance }) => provenance === undefined || provenance.sourceId === "a"))).toBe(
    "0134",
  );
});

test("a course has as many hits as others, and each only once", () => {
  const sketches = turns(
    ["a", "a", "b", "c"].map((talk, index) => [talk, "Ada", `kraken number ${index} of many more`]),
  );
  const limits = { ...rankingOf("", []).limits, limit: 3 };
  const hits = found("kraken", sketches, { isForCourse: true, limits });
  expect(new Set(hits).size).toBe(3);
});

test.each([
  ["Always name the platform when I ask about movie options.", "movie options"],
  ["From now on, whenever I'm asking for recipes, keep them vegetarian.", "recipes"],
  ["If I ask you about deadlines: month first. Never guess.", "deadlines"],
  ["I always buy the ticket when the train is late.", ""],
  ["Never use emojis.", ""],
])("%s holds for: %s", (rule, condition) => expect(ruleCondition(rule)).toBe(condition));

test.each(["What snacks do you recommend for me to try?", "How do I fold a sheet?", "Show me a login form."])(
  "asks an assistant for help: %s",
  (question) => expect(asksForHelp(question)).toBe(true),
);

test.each(["What snacks did I buy?", "Which of our movies have we seen?", "Where does she live?"])(
  "asks for what is remembered: %s",
  (question) => expect(asksForHelp(question)).toBe(false),
);

test.each([
  ["Always keep it short.", "rule"],
  ["Whenever I'm asking for recipes, keep them vegetarian.", "rule"],
  ["I prefer tea. From now on, sketch first.", "rule"],
  ["I always forget the sign when I read the point.", "preference"],
  ["We never met.", undefined],
])("%s is a %s", (text, kind) => expect(standingInstruction(text)).toBe(kind));

test("only a rule counts three times, and only for what it holds for", () => {
  const asked = { terms: englishAnalyser.terms("How do I read the point?"), analyser: englishAnalyser };
  expect(
    [
      "Always sketch first when I ask about a point.",
      "Always sketch first when I ask about a line.",
      "I always forget the sign when I read the point.",
      "We never met.",
    ].map((text) => instructionFactor(text, asked)),
  ).toEqual([3, 1.2, 1.2, undefined]);
});

test("a rule that says what it holds for comes first where that is asked for, and only there", () => {
  const sketches = turns([
    ["a", "user", "Always confirm allergy information when I ask about snack options."],
    ["a", "assistant", "Noted."],
    ["b", "user", "We had snacks all over the place and cleaned up for days, what a week."],
    ["b", "assistant", "My goodness."],
    ["c", "user", "Always keep answers short."],
    ["c", "assistant", "Noted."],
  ]).map((sketch) => ({ ...sketch, cosine: 0.3 }));
  const factors = (question: string, isForAnswers = false): ReadonlyMap<string, number | undefined> => {
    const rankingInput = rankingOf(question, sketches, {
      embedder: openToAll,
      isForHelp: asksForHelp(question),
      isForAnswers,
      question: { terms: englishAnalyser.terms(question), analyser: englishAnalyser },
    });
    const { hits, dropped } = rankCandidates(rankingInput);
    return new Map([
      ...hits.map(({ memory, parts }) => [memory.id as string, parts.instruction] as const),
      ...dropped.map(({ id, parts }) => [id as string, parts?.instruction] as const),
    ]);
  };
  const [rule, , , , always] = sketches.map(({ id }) => idOf(id));
  const asked = factors("What snacks do you recommend?");
  expect([...asked.keys()][0]).toBe(rule);
  expect([asked.get(rule ?? ""), asked.get(always ?? "")]).toEqual([3, 1.2]);
  expect(factors("What snacks did I buy?").get(rule ?? "")).toBe(1.2);
  expect(factors("What drinks do you recommend?").get(rule ?? "")).toBe(1.2);
  expect(factors("Which snacks did you suggest?", true).get(rule ?? "")).toBe(1.2);
});
