import { describe, expect, test } from "vitest";
import { statementPatterns } from "../../src/capture/extract/grammar.ts";
import { takesBack } from "../../src/capture/extract/read-clause.ts";
import { findPhrase, phraseOf } from "../../src/capture/extract/phrases.ts";
import { refusalPatterns, revisions, withdrawals } from "../../src/capture/extract/refusals.ts";
import { relativeDates } from "../../src/capture/extract/relative-dates.ts";
import { sentencesOf } from "../../src/capture/extract/sentences.ts";
import { slotPatterns } from "../../src/capture/extract/slots.ts";
import { inThirdPerson } from "../../src/capture/extract/third-person.ts";
import { wordsOf } from "../../src/capture/extract/words.ts";

const patterns = [...statementPatterns, ...refusalPatterns];
const finds = (phrases: readonly string[], text: string): readonly string[] =>
  phrases.filter((phrase) => findPhrase(phraseOf(phrase), wordsOf(text)) !== undefined);

describe("each pattern of the grammar", () => {
  test("has a name of its own", () => {
    expect(new Set(patterns.map(({ name }) => name)).size).toBe(patterns.length);
  });

  test.each(patterns.flatMap(({ name, phrases, examples }) => examples.map((text) => [name, text, phrases] as const)))(
    "%s knows %j",
    (_, text, phrases) => expect(finds(phrases, text)).not.toEqual([]),
  );

  test.each(
    patterns.flatMap(({ name, phrases, counterExamples }) =>
      counterExamples.map((text) => [name, text, phrases] as const),
    ),
  )("%s passes over %j", (_, text, phrases) => expect(finds(phrases, text)).toEqual([]));

  test.each(slotPatterns.flatMap(({ name, find, examples }) => examples.map((text) => [name, text, find] as const)))(
    "slot %s knows %j",
    (_, text, find) => expect(find.exec(text)?.groups?.["value"]).toBeDefined(),
  );

  test.each(
    slotPatterns.flatMap(({ name, find, counterExamples }) =>
      counterExamples.map((text) => [name, text, find] as const),
    ),
  )("slot %s passes over %j", (_, text, find) => expect(find.exec(text)).toBeNull());
});

describe("phrases", () => {
  test.each([
    ["not #word but #word", "not Tuesday but Wednesday", true],
    ["from now on", "from now until Monday", false],
    ["^ stop #word", "please stop that", false],
    ["since ?about #number", "since 2020", true],
    ["i ... daily", "I walk to the lake and back daily", true],
    ["at #number", "at noon", true],
    ["#name owns", "Dana owns it", true],
    ["#name owns", "she owns it", false],
  ])("%s on %j: %s", (phrase, text, isFound) => {
    expect(finds([phrase], text).length > 0).toBe(isFound);
  });

  test.each(withdrawals)("%s takes back", (phrase) => expect(phraseOf(phrase).length).toBeGreaterThan(0));

  test.each([
    ["forget that", true],
    ["please forget it again", true],
    ["don't forget it", false],
    ["never forget this please", false],
    ["do not let me forget that", false],
    ["I'm only joking", true],
    ["I'm not joking about this", false],
    ["don't store that", true],
  ])("%j takes back: %s", (text, isTakenBack) => {
    expect(takesBack(wordsOf(text))).toBe(isTakenBack);
  });

  test("what revises is no statement of its own", () => {
    expect(finds(revisions, "actually, make it 70")).not.toEqual([]);
    expect(finds(revisions, "the alert is at 80")).toEqual([]);
  });
});

test.each([
  ["Dr. Holm comes at 9.30. She stays!", ["Dr. Holm comes at 9.30.", "She stays!"]],
  ["one\ntwo; three", ["one", "two;", "three"]],
  ['he said "stop." then left', ['he said "stop."', "then left"]],
])("the sentences of %j", (text, expected) => {
  expect(sentencesOf(text).map((sentence) => sentence.text)).toEqual(expected);
  for (const { text: sentence, start, end } of sentencesOf(text)) expect(text.slice(start, end)).toBe(sentence);
});

test.each([
  ["I'm a nurse and I always take my own tea", "The user is a nurse and the user always takes the user's own tea"],
  ["we don't use our cars, do you?", "The team doesn't use the team's cars, do the assistant?"],
  ["call me Agnes", "Call the user Agnes"],
  ["I travel with my son and we lose an hour", "The user travels with the user's son and the team loses an hour"],
  ["I only ever come on Mondays", "The user only ever comes on Mondays"],
  ["I told you that I lost it myself", "The user told the assistant that the user lost it themselves"],
  ["I carry two, we moved and I can carry more", "The user carries two, the team moved and the user can carry more"],
])("%j in the third person", (said, expected) => expect(inThirdPerson(said)).toBe(expected));

describe("relative dates from a Wednesday", () => {
  const at = Date.parse("2026-03-25T10:00:00Z");
  test.each([
    ["we moved on Friday", "2026-03-20"],
    ["the demo is on Friday", "2026-03-27"],
    ["last Wednesday", "2026-03-18"],
    ["tomorrow then", "2026-03-26"],
    ["two weeks ago", "2026-03-11"],
    ["in 3 months", "2026-06-25"],
    ["next month", "2026-04-25"],
  ])("%s is %s", (text, date) => expect(relativeDates(text, at).map((found) => found.date)).toEqual([date]));

  test("the end of a month stays in the month", () => {
    expect(relativeDates("in 1 month", Date.parse("2026-01-31T10:00:00Z"))).toEqual([
      { text: "in 1 month", date: "2026-02-28" },
    ]);
  });
});
