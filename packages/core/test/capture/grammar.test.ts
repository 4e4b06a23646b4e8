import { describe, expect, test } from "vitest";
import { refusalPatterns } from "../../src/capture/extract/grammar/refusal-patterns.ts";
import { statementPatterns } from "../../src/capture/extract/grammar/statement-patterns.ts";
import { revisions, withdrawals } from "../../src/capture/extract/grammar/taking-back.ts";
import { takesBack } from "../../src/capture/extract/read-clause.ts";
import { findPhrase, phraseOf } from "../../src/capture/extract/phrases.ts";
import { relativeDates } from "../../src/capture/extract/relative-dates.ts";
import { sentencesOf } from "../../src/capture/extract/sentences.ts";
import { slotPatterns } from "../../src/capture/extract/slots.ts";
import { companyOf } from "../../src/capture/extract/company.ts";
import { namedPersonIn } from "../../src/capture/extract/named-people.ts";
import { inThirdPerson } from "../../src/capture/extract/third-person.ts";
import { wordsOf } from "../../src/capture/extract/words.ts";
import { capture, memory, turnsOf } from "./captured.ts";

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
    patterns.flatMap((pattern) =>
      pattern.counterExamples.map(
        (text) => [pattern.name, text, pattern.phrases, "unless" in pattern ? (pattern.unless ?? []) : []] as const,
      ),
    ),
  )("%s passes over %j", (_, text, phrases, unless) =>
    expect(finds(unless, text).length > 0 ? [] : finds(phrases, text)).toEqual([]),
  );

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
  ["we don't use our cars, do you?", "The team doesn't use the team's cars, does the assistant?"],
  ["call me Agnes", "Call the user Agnes"],
  ["I travel with my son and we lose an hour", "The user travels with the user's son and the team loses an hour"],
  ["I only ever come on Mondays", "The user only ever comes on Mondays"],
  ["I told you that I lost it myself", "The user told the assistant that the user lost it themselves"],
  ["I carry two, we moved and I can carry more", "The user carries two, the team moved and the user can carry more"],
  ["Always run the linter before you commit", "Always run the linter before the assistant commits"],
  ["Ask me whenever you touch the schema", "Ask the user whenever the assistant touches the schema"],
  ["I showed you two ways", "The user showed the assistant two ways"],
  ["Once you finished it, tell me", "Once the assistant finished it, tell the user"],
  ["I'm 34, live in Graz and work as a carpenter.", "The user is 34, lives in Graz and works as a carpenter."],
  [
    "My wife and I have two kids, and I have a dog.",
    "The user's wife and the user have two kids, and the user has a dog.",
  ],
  ["our team's rotation", "The team's rotation"],
  ["I like lists, write in bullets please.", "The user likes lists, write in bullets please."],
  ["I have a dog, a cat and work clothes.", "The user has a dog, a cat and work clothes."],
])("%j in the third person", (said, expected) => expect(inThirdPerson(said)).toBe(expected));

test("what is remembered tells for whom somebody speaks, where they do not", () => {
  const said = "user: we see Dr. Pritchard next on 14 April at 11:20";
  const texts = (...known: readonly string[]): readonly string[] =>
    capture(
      turnsOf(said),
      known.map((text, index) => memory(`m${index}`, text)),
    ).map(({ text }) => text);
  expect(
    texts("The user's husband Alun has Parkinson's.", "The user's daughter Cerys is in Chester.").join(),
  ).toContain("The family sees");
  expect(texts("The team deploys to staging on Fridays.").join()).toContain("The team sees");
  expect(texts("The family likes tea.", "The user's father is 70.").join()).toContain("The team sees");
});

test("whoever speaks of home means the family", () => {
  const user = (content: string): { role: "user"; content: string } => ({ role: "user", content });
  expect(companyOf([user("we adopted a kitten"), user("our vet is Dr. Hollis")])).toBe("family");
  expect(companyOf([user("we deploy on Fridays"), user("my son is ill, so the release waits for the team")])).toBe(
    "team",
  );
  // As much of the one as of the other: who is at home says `we` of those there.
  expect(companyOf([user("we moved the sofa to the office"), user("my wife has the kids")])).toBe("family");
  expect(companyOf([user("we told the neighbours of the project")])).toBe("family");
  expect(companyOf([user("we like tea"), { role: "assistant", content: "Your kitten and your vet?" }])).toBe("team");
  expect(companyOf([user("my sister packs the parcels, we ship on Mondays")], "team")).toBe("team");
  expect(inThirdPerson("We adopted a kitten, our first", "user", "family")).toBe(
    "The family adopted a kitten, the family's first",
  );
});

test.each([
  ["Plan a party for my son Theo?", "The user has a son, Theo"],
  ["is my wife Elena Maria's flight late", "The user has a wife, Elena Maria"],
  ["my aunt Ida called", "The user has an aunt, Ida"],
  ["my son is ill", undefined],
  ["my boss, Lena, called", undefined],
  ["my dog, on Monday", undefined],
  ["my team Falcon lost", undefined],
])("%j names %j", (text, expected) => {
  const found = namedPersonIn({ text, start: 7, end: 7 + text.length });
  expect(found?.text).toBe(expected);
  const place = found?.place ?? { text: "", start: 7, end: 7 };
  expect(text.slice(place.start - 7, place.end - 7)).toBe(place.text);
});

describe("relative dates from a Wednesday", () => {
  const at = Date.parse("2026-03-25T10:00:00Z");
  test.each([
    ["we moved on Friday", "2026-03-20"],
    ["the demo is on Friday", "2026-03-27"],
    ["Dana finally merged it on Friday", "2026-03-20"],
    ["it is planned on Friday", "2026-03-27"],
    ["we agreed it on Friday", "2026-03-20"],
    ["we need it on Friday", "2026-03-27"],
    ["last Wednesday", "2026-03-18"],
    ["tomorrow then", "2026-03-26"],
    ["two weeks ago", "2026-03-11"],
    ["in 3 months", "2026-06-25"],
    ["next month", "2026-04-25"],
  ])("%s is %s", (text, date) => expect(relativeDates(text, at).map((found) => found.date)).toEqual([date]));

  test("the end of a month stays in the month", () => {
    expect(relativeDates("in 1 month", Date.parse("2026-01-31T10:00:00Z"))).toEqual([
      { text: "in 1 month", date: "2026-02-28", shown: "2026-02" },
    ]);
  });

  test("a month or year is shown as no day", () => {
    expect(
      ["last month", "next year", "two years ago", "yesterday"].map((text) => relativeDates(text, at)[0]?.shown),
    ).toEqual(["2026-02", "2027", "2024", "2026-03-24"]);
  });
});
