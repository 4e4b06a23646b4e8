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
import { idOf, openToAll, rankingOf, type Sketch } from "./candidates.ts";

test.each([
  "What did you recommend for my shoulder?",
  "Did you mention a deadline?",
  "Which of the books you suggested was the shortest?",
  "I have tried the plan you gave me.",
  "What have you told me about sealed secrets?",
  "What was that recipe you already wrote down for me?",
  "Remind me of your advice on the exam.",
])("asks for what the assistant said: %s", (question) => expect(asksForAnswers(question)).toBe(true));

test.each([
  "What would you recommend for my shoulder?",
  "Can you tell me the deadline?",
  "Could you list the books I mentioned?",
  "What did I tell you about the deadline?",
  "What is your name?",
  "Who gave me the plan?",
  `What did you recommend? ${"It was long ago. ".repeat(40)}`,
])("asks for something else: %s", (question) => expect(asksForAnswers(question)).toBe(false));

test.each([
  "In what order did I bring up the parts of the app?",
  "List the moves in order.",
  "Can you summarize how the project went?",
  "Give me a timeline of the outages.",
  "How did my worries change over time?",
  "Which decisions did we take across our sessions?",
])("asks for a course: %s", (question) => expect(asksForCourse(question)).toBe(true));

test.each([
  "What must I do in order to deploy?",
  "Did the order arrive?",
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

test("a course is told by each talk in turn, and what is of no talk keeps its place", () => {
  const sketches = [
    ...turns([
      ["a", "Ada", "kraken kraken kraken kraken"],
      ["a", "Bea", "hello there"],
      ["a", "Ada", "kraken kraken kraken and a squid"],
      ["b", "Ada", "a kraken came by on monday with many squids and clams"],
      ["c", "Ada", "my kraken is fond of a good long swim in cold and deep water"],
    ]),
    { id: 9, text: "Notes on the kraken, kraken and kraken." },
  ];
  const isForCourse = true;
  const usual = found("kraken", sketches, {});
  const inTurn = found("kraken", sketches, { isForCourse });
  const talks = (texts: readonly string[]): string =>
    texts
      .map((text) => sketches.find((sketch) => sketch.text === text)?.provenance?.sourceId ?? "-")
      .filter((_, index) => !texts[index]?.includes("hello"))
      .join(" ");
  expect(talks(usual)).toMatch(/a.*a.*b.*c/);
  expect(talks(inTurn).replaceAll("- ", "")).toBe("a b c a");
  expect(inTurn.indexOf("Notes on the kraken, kraken and kraken.")).toBe(
    usual.indexOf("Notes on the kraken, kraken and kraken."),
  );
  expect(found("kraken", sketches, { isForCourse, limits: { ...rankingOf("", []).limits, limit: 3 } })).toHaveLength(3);
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
