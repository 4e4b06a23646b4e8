import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { questionTimes } from "../../src/index.ts";
import { anyQuestion } from "./any-question.ts";

/** A Thursday. */
const now = Date.UTC(2026, 10, 26, 18);

function asked(question: string): readonly string[] {
  const { spans, areAskedAlone } = questionTimes(question, now);
  return areAskedAlone ? spans.map(({ start, end }) => `${dateOf(start)} to ${dateOf(end)}`) : [];
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

test.each([
  ["What happened yesterday?", "2026-11-25 to 2026-11-26"],
  ["what did we talk about the day before yesterday", "2026-11-24 to 2026-11-25"],
  ["What did I do last night?", "2026-11-25 to 2026-11-26"],
  ["What did I do today?", "2026-11-26 to 2026-11-27"],
  ["What did I do two days ago?", "2026-11-24 to 2026-11-25"],
  ["What were we doing 10 days back?", "2026-11-16 to 2026-11-17"],
  ["Summarise last week.", "2026-11-16 to 2026-11-23"],
  ["What happened last weekend?", "2026-11-21 to 2026-11-23"],
  ["What have I done this week?", "2026-11-23 to 2026-11-30"],
  ["What was new a week ago?", "2026-11-16 to 2026-11-23"],
  ["Anything from the past 3 days?", "2026-11-23 to 2026-11-27"],
  ["Recap the last two weeks, please.", "2026-11-12 to 2026-11-27"],
  ["What did we discuss last Friday?", "2026-11-20 to 2026-11-21"],
  ["What did we discuss last Thursday?", "2026-11-19 to 2026-11-20"],
  ["What happened last month?", "2026-10-01 to 2026-11-01"],
  ["What happened three months ago?", "2026-08-01 to 2026-09-01"],
  ["What was going on last year?", "2025-01-01 to 2026-01-01"],
  ["What did I do two weeks ago on Sunday?", "2026-11-15 to 2026-11-16"],
  ["What did we do two weeks ago, on the Sunday?", "2026-11-15 to 2026-11-16"],
  ["What did I do on the Sunday two weeks ago?", "2026-11-15 to 2026-11-16"],
  ["What happened last week on Wednesday?", "2026-11-18 to 2026-11-19"],
  ["What happened on Wednesday of last week?", "2026-11-18 to 2026-11-19"],
  ["What happened last weekend on Sunday?", "2026-11-22 to 2026-11-23"],
  ["What happened last weekend, on Monday?", "2026-11-21 to 2026-11-23"],
  ["What did I do on a Sunday two months ago?", "2026-09-01 to 2026-10-01"],
  ["What did I do the Tuesday before last?", "2026-11-17 to 2026-11-18"],
  ["What did I do on Tuesday?", "2026-11-24 to 2026-11-25"],
  ["What did I do on Thursday?", "2026-11-19 to 2026-11-20"],
  ["What happened in 2024?", "2024-01-01 to 2025-01-01"],
  ["What did I tell you in June?", "2026-06-01 to 2026-07-01"],
  ["What happened on 3 May 2025?", "2025-05-03 to 2025-05-04"],
])("%o asks for %o alone", (question, expected) => {
  expect(asked(question)).toEqual([expected]);
});

test.each([
  "What did Ada see on the trip last year?",
  "Which wine did I buy two weeks ago?",
  "What is the plan for today?",
  "What shall we do this weekend?",
  "What shall we do on Sunday?",
  "What did I do on Sundays?",
  "What happened?",
  "Tell me something.",
  "",
  "What happened last week? ".repeat(100),
])("%o asks for something else", (question) => {
  expect(asked(question)).toEqual([]);
});

test("a time as seen from now says nothing where something else is asked for; one of the calendar does", () => {
  expect(questionTimes("Which wine did I buy last week?", now).spans).toEqual([]);
  expect(questionTimes("Which wine did I buy in June?", now).spans).toHaveLength(1);
  expect(questionTimes("Which wine did I buy two years ago?", now).spans).toEqual([]);
});

test.each([
  ["Which wine did I buy two weeks ago?", "2026-11-09 to 2026-11-16"],
  ["Which wine did I buy ten days ago?", "2026-11-16 to 2026-11-17"],
  ["Which wine did I buy on Saturday two weeks ago?", "2026-11-14 to 2026-11-15"],
])("%s names a time as a date does", (question, expected) => {
  const { spans, areAskedAlone } = questionTimes(question, now);
  expect(areAskedAlone).toBe(false);
  expect(spans.map(({ start, end }) => `${dateOf(start)} to ${dateOf(end)}`)).toEqual([expected]);
});

test("who only tells of such a time asks for no memory of it", () => {
  expect(questionTimes("I took up sailing two weeks ago. Which shoes suit me?", now).spans).toEqual([]);
});

test("takes any text: every span is a day at least", () => {
  const questions = anyQuestion(
    ..."last week a few 999 years ago today did past in 1999 night on the Sunday before".split(" "),
  );
  fc.assert(
    fc.property(questions, (question) => {
      for (const { start, end } of questionTimes(question, now).spans)
        expect(end - start).toBeGreaterThanOrEqual(86_400_000);
    }),
    { numRuns: 1_000 },
  );
});

describe("in a time zone", () => {
  const spansIn = (question: string, at: number, timeZone: string): readonly string[] =>
    questionTimes(question, at, timeZone).spans.map(
      ({ start, end }) =>
        `${new Date(start).toISOString().slice(0, 16)} to ${new Date(end).toISOString().slice(0, 16)}`,
    );

  test.each([
    // It is Friday there already.
    ["What happened yesterday?", "Pacific/Auckland", "2026-11-25T11:00 to 2026-11-26T11:00"],
    ["What happened yesterday?", "America/Los_Angeles", "2026-11-25T08:00 to 2026-11-26T08:00"],
    ["What happened yesterday?", "Asia/Kolkata", "2026-11-24T18:30 to 2026-11-25T18:30"],
    // Summer time begins in it.
    ["What did we do in March 2026?", "Europe/Berlin", "2026-02-28T23:00 to 2026-03-31T22:00"],
    ["Which wine did I buy on 29 March 2026?", "Europe/Berlin", "2026-03-28T23:00 to 2026-03-29T22:00"],
    ["What happened yesterday?", "UTC", "2026-11-25T00:00 to 2026-11-26T00:00"],
  ])("%s means the day of %s", (question, timeZone, expected) => {
    expect(spansIn(question, now, timeZone)).toEqual([expected]);
  });

  test("the year is that of the zone's calendar", () => {
    const newYear = Date.UTC(2027, 0, 1, 2);
    expect(spansIn("What was new this year?", newYear, "America/New_York")).toEqual([
      "2026-01-01T05:00 to 2027-01-01T05:00",
    ]);
    expect(spansIn("What was new this year?", newYear, "UTC")).toEqual(["2027-01-01T00:00 to 2028-01-01T00:00"]);
  });

  test("any question names the same times in every zone, each about as long as in UTC", () => {
    const questions = anyQuestion(
      ..."last week 3 may 2023 in june a few 999 years ago today did past in 0007 9998-12-31".split(" "),
    );
    const zones = fc.constantFrom("Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin", "America/St_Johns");
    const instants = fc.oneof(
      fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2100, 0) }),
      fc.integer({ min: -8.6e15, max: 8.6e15 }),
    );
    fc.assert(
      fc.property(questions, zones, instants, (question, timeZone, at) => {
        const there = questionTimes(question, at, timeZone);
        const here = questionTimes(question, at);
        expect([there.spans.length, there.areAskedAlone]).toEqual([here.spans.length, here.areAskedAlone]);
        for (const { start, end } of there.spans) expect(end - start).toBeGreaterThanOrEqual(23 * 3_600_000);
      }),
      { numRuns: 500 },
    );
  });
});
