import { describe, expect, test } from "vitest";
import { comingDay } from "../../src/capture/extract/coming-days.ts";
import { captured, texts } from "./captured-plans.ts";

/** A Wednesday. */
const at = Date.parse("2026-03-25T10:00:00Z");

describe("a day to come", () => {
  test.each([
    ["tomorrow", "2026-03-26"],
    ["the day after tomorrow", "2026-03-27"],
    ["on Friday", "2026-03-27"],
    ["on Wednesday", "2026-04-01"],
    ["next Tuesday", "2026-03-31"],
    ["on the 28th", "2026-03-28"],
    ["on the 12th", "2026-04-12"],
    ["on the 31st of the month", "2026-03-31"],
    ["on 3 May", "2026-05-03"],
    ["June 13th at noon", "2026-06-13"],
    ["on 4 January", "2027-01-04"],
    ["2026-05-01", "2026-05-01"],
    ["on Monday after I come back, the 6th", "2026-04-06"],
    ["from the 12th to the 19th", "2026-04-19"],
  ])("%s is %s", (text, date) => {
    expect(comingDay(text, at)?.date).toBe(date);
  });

  test.each([
    "on Fridays",
    "last Friday",
    "on the 12th floor",
    "in May",
    "12 March",
    "31 June",
    "3 times",
    "at 4",
    "3 May 1984",
  ])("%s is none", (text) => {
    expect(comingDay(text, at)).toBeUndefined();
  });

  test("on the 31st, said in April, is in May", () => {
    expect(comingDay("the 31st", Date.parse("2026-04-02T10:00:00Z"))?.date).toBe("2026-05-31");
  });
});

describe("what is planned for a day is so until that day", () => {
  test.each([
    ["my flight is on Friday", "The user's flight is on Friday (2026-03-27)", "2026-03-28"],
    ["the viva is on the 12th", "The viva is on the 12th (2026-04-12)", "2026-04-13"],
    ["I'm flying to Oslo next Tuesday", "The user is flying to Oslo next Tuesday (2026-03-31)", "2026-04-01"],
    ["dentist tomorrow at 9", "Dentist tomorrow (2026-03-26) at 9", "2026-03-27"],
    ["I have an interview on Thursday at 10", "The user has an interview on Thursday (2026-03-26) at 10", "2026-03-27"],
    ["my interview is on 13 June", "The user's interview is on 13 June", "2026-06-14"],
    ["my flight is on Friday, not Thursday", "The user's flight is on Friday (2026-03-27), not Thursday", "2026-03-28"],
    ["my birthday party is on 3 May", "The user's birthday party is on 3 May", "2026-05-04"],
    [
      "my exam moved from the 12th to Friday",
      "The user's exam moved from the 12th to Friday (2026-03-27)",
      "2026-03-28",
    ],
  ])("%s", (said, text, until) => {
    expect(captured(said)).toEqual([{ text, until: `${until}T12:00` }]);
  });

  test.each([
    ["stays so behind it", "I'm starting my new job on Monday"],
    ["stays so behind it", "we're upgrading to Postgres 17 on Friday"],
    ["may come late", "the baby is due on 11 August"],
    ["may come again", "my choir is on Friday"],
    ["may come again", "our meeting is on Friday now"],
    ["is so each year", "my birthday is on 3 May"],
    ["is so each year", "my mum's birthday is tomorrow"],
    ["is so each year", "our wedding anniversary is on 12 June"],
    ["is long over", "my birthday is on 3 May 1984"],
    ["says more than the day", "the demo is on the 19th, they are our biggest lead"],
  ])("and what %s does not end: %s", (_, said) => {
    expect(captured(said).map(({ until }) => until)).toEqual([undefined]);
  });

  test.each([
    "I'm hungry",
    "running late, see you tomorrow",
    "I'll check it on Monday",
    "I can't tomorrow",
    "would my flight be on Friday?",
    "what if my flight is on Friday",
  ])("%s is no plan", (said) => {
    expect(captured(said)).toEqual([]);
  });
});

describe("how something went is told of the day that has passed", () => {
  test.each([
    ["my flight on Monday was delayed four hours", "The user's flight on Monday (2026-03-23) was delayed four hours"],
    ["my dentist appointment on Tuesday went well", "The user's dentist appointment on Tuesday (2026-03-24) went well"],
    ["our demo on Friday for Norvik failed badly", "The team's demo on Friday (2026-03-20) for Norvik failed badly"],
  ])("%s", (said, text) => {
    expect(captured(said)).toEqual([{ text, until: undefined }]);
  });

  test.each([
    ["my flight on Friday got cancelled", "The user's flight on Friday (2026-03-27) got cancelled"],
    [
      "my interview on Friday was just booked for two",
      "The user's interview on Friday (2026-03-27) was just booked for two",
    ],
    ["my exam is on Friday, it was announced today", "The user's exam is on Friday (2026-03-27)"],
  ])("what becomes of a plan is not: %s", (said, text) => {
    expect(texts(said)).toEqual([text]);
  });
});

describe("of a plan that moves the last day counts", () => {
  test.each([
    [
      "my flight to Porto is on Friday",
      "it moved to Saturday",
      "The user's flight to Porto: It moved to Saturday (2026-03-28)",
    ],
    [
      "my flight to Porto is on Friday",
      "flight moved to saturday!!",
      "The user's flight to Porto: Flight moved to saturday (2026-03-28)!!",
    ],
    ["the exam is on Friday", "sorry, I meant Thursday", "The exam: The user meant Thursday (2026-03-26)"],
    [
      "the demo for Norvik is on the 19th at 2pm",
      "ah, the Norvik thing, it moved to the 20th",
      "The demo for Norvik at 2pm: The Norvik thing, it moved to the 20th (2026-04-20)",
    ],
  ])("%s … %s", (told, moved, text) => {
    expect(texts(told, moved)).toEqual([text]);
  });

  test("whatever else is said beside it", () => {
    expect(texts("the panel is tomorrow at 3", "ok new: the panel got pushed to Friday, her train was late")).toEqual([
      "The panel at 3: New: the panel got pushed to Friday (2026-03-27), her train was late",
    ]);
  });

  test("and it is named as it was at first when it moves again", () => {
    expect(texts("my flight to Porto is on Friday", "it moved to Saturday", "the flight is on Sunday now")).toEqual([
      "The user's flight to Porto: The flight is on Sunday (2026-03-29) now",
    ]);
  });

  test.each([
    ["dinner with Ana is on Friday", "lunch with Ben moved to Saturday"],
    ["my flight to Porto is on Friday", "my dentist in Porto is on Monday"],
    ["my flight to Porto is on Friday", "the flight to Oslo moved to Saturday"],
    ["the physics exam is on Friday", "the chemistry exam moved to Monday"],
  ])("%s, %s: another one stays", (told, other) => {
    expect(texts(told, other)).toHaveLength(2);
  });
});
