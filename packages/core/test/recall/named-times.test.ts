import fc from "fast-check";
import { expect, test } from "vitest";
import { namedTimes, type TimeSpan } from "../../src/index.ts";
import { closenessTo } from "../../src/recall/named-times.ts";
import { anyQuestion } from "./any-question.ts";

const now = Date.UTC(2023, 6, 1);
const day = 86_400_000;

function spans(question: string): readonly string[] {
  return spansOf(question).map(({ start, end }) => [start, end].map(dateOf).join(" to "));
}

function spansOf(question: string): readonly TimeSpan[] {
  return namedTimes(question, now).map(({ span }) => span);
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

test.each([
  ["Who had dinner with Maria on May 3, 2023?", ["2023-05-03 to 2023-05-04"]],
  ["the 7th of July 2022, then 4 June", ["2022-07-07 to 2022-07-08", "2023-06-04 to 2023-06-05"]],
  ["the log of 2023-02-28", ["2023-02-28 to 2023-03-01"]],
  ["What did we decide in June?", ["2023-06-01 to 2023-07-01"]],
  ["and in september", ["2022-09-01 to 2022-10-01"]],
  ["since December 2021", ["2021-12-01 to 2022-01-01"]],
  ["Dec. 24 at noon", ["2022-12-24 to 2022-12-25"]],
  ["in May, in march", ["2023-05-01 to 2023-06-01", "2023-03-01 to 2023-04-01"]],
  ["July 1 5:30 pm", ["2023-07-01 to 2023-07-02"]],
])("%o names %o", (question, expected) => {
  expect(spans(question)).toEqual(expected);
});

test.each([
  "May I march on?",
  "it may, and Mar and Jan agree",
  "31 April 2023, 2023-13-01, 2023-02-30, 99 May",
  "mayor, marching, augustus",
  "",
  `${"x".repeat(2_000)} in June`,
])("%o names no time", (question) => {
  expect(spans(question)).toEqual([]);
});

test("closeness is 1 within a time, falls to 0 in the week after it, and is 0 before", () => {
  const times = spansOf("on 3 May 2023");
  const start = Date.UTC(2023, 4, 3);
  expect([start - 1, start, start + day - 1].map((at) => closenessTo(times, at))).toEqual([0, 1, 1]);
  expect(closenessTo(times, start + day + 3.5 * day)).toBe(0.5);
  expect(closenessTo(times, start + 8 * day)).toBe(0);
  expect(closenessTo(times, start + 80 * day)).toBe(0);
});

test("takes any text and time: every span is a day or a month that is not empty", () => {
  const questions = anyQuestion(..."may March in 3 31st 2023 2023-02-03 sept of , . : İ".split(" "));
  fc.assert(
    fc.property(questions, (question) => {
      for (const { start, end } of spansOf(question)) {
        expect(end - start).toBeGreaterThanOrEqual(day);
        expect(end - start).toBeLessThanOrEqual(31 * day);
      }
    }),
    { numRuns: 1_000 },
  );
});
