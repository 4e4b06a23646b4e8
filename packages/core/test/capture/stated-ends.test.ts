import { expect, test } from "vitest";
import { statedEnd } from "../../src/capture/extract/stated-ends.ts";
import { capture, turnsOf } from "./captured.ts";

const at = Date.parse("2026-01-27T13:00:00Z");
const dayOf = (said: string): string | undefined => {
  const end = statedEnd(said, at);
  return end === undefined ? undefined : new Date(end).toISOString().slice(0, 10);
};

test.each([
  ["no running for six weeks", "2026-03-11"],
  ["We have to cook in the utility room on two hotplates for the next 3 weeks.", "2026-02-18"],
  ["I'm taking antibiotics for a week", "2026-02-04"],
  ["physio every Monday at 17:00 until mid March", "2026-03-21"],
  ["I'm on parental leave till the end of May", "2026-06-02"],
  ["the road is closed until 13 February", "2026-02-14"],
  ["My mother is with us until Friday.", "2026-01-31"],
])("%j is over behind its time, %s", (said, day) => expect(dayOf(said)).toBe(day));

test.each([
  "I have lived here for six years",
  "I had physio for six weeks",
  "we're in Lisbon for a week in October",
  "he'd be at it for three days",
  "merchants can replay it for three days",
  "it has to be applied for 14 days before",
  "he was vegan last year too, for nine days",
  "the reviewer is Pernille, she's on leave until the 23rd",
  "3,400 until June, from July I get 3,550",
  "I work till half 3 every day but Sunday",
  "in two weeks she comes for a month",
  "from May on I work in York for two months",
  "I worked there until March",
  "she does not start until March",
  "not until Friday",
  "I fast for two days at a time",
  "bake it for an hour",
  "open until 6",
])("%j does not say when it is over", (said) => expect(dayOf(said)).toBeUndefined());

test("what is captured of it ends then", () => {
  const [rule] = capture(turnsOf("user: Please, no running for six weeks."));
  expect(rule).toMatchObject({ state: "active", validTo: Date.parse("2026-03-25T10:00:00Z") + 43 * 86_400_000 });
});
