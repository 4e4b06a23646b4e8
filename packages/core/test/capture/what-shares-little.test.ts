import { expect, test } from "vitest";
import { slotValueOf } from "../../src/capture/extract/slots.ts";
import { capture, closed, decided, memory, turnsOf } from "./captured.ts";

// What stands although something that was said later has a word, a number or a name in common with it.
test.each([
  ["Please always give prices in pounds, not euros.", "user: The bee course costs 120 pounds each."],
  ["The user can't eat spicy food.", "user: I have to say, the salmon was mild and lovely."],
  ["Ida is eight now!", "user: My inhaler, Ida doesn't have one."],
  ["Budget is 14,000 pounds", "user: We rented a cottage in Grasmere. 540 pounds."],
  ["I have put aside 620 pounds for it", "user: My old Corsa needs a new clutch and the garage says 780 pounds."],
  ["Ida is in year 2, her teacher is Mrs Adeyemi.", "user: Mrs Adeyemi's twins come too. It's 3 pm."],
  ["Four days a week, Fridays off.", "user: I run twice a week now, Tuesdays and Sundays."],
  ["They start on 23 February instead of the 16th.", "user: He is a research librarian, he starts on 1 May."],
])("%j is not over by %j", (text, said) => {
  expect(closed(memory("m", text), said)).toEqual([]);
});

test.each([
  ["Budget is 14,000 pounds", "user: The budget is 15,000 pounds now."],
  ["I have put aside 620 pounds", "user: I have put aside 780 pounds now."],
  ["Please give prices in euros.", "user: From now on give prices in pounds instead of euros."],
])("%j is over by %j", (text, said) => {
  expect(closed(memory("m", text), said)).toEqual(["UPDATE"]);
});

test("on which days something is done is more than that it is done", () => {
  expect(decided(memory("m", "The user should swim."), "user: I swim on Tuesdays.")).toEqual([]);
});

test.each([
  "Which day: Sundays.",
  "One more: the user has an interview in York",
  "Big news: Tomasz got the job",
  "Lucy the physio is great.",
  "Two of the kids are vegan, Poppy and Raj.",
  "The party is not ten kids",
])("%j fills no slot", (text) => expect(slotValueOf(text)).toBeUndefined());

test.each([
  ["Her exam went well. Next one is in July.", "Her exam went well: Next one is in July."],
  [
    "The vet is called Dr Weller. Next check on 21 April at 10.",
    "The vet is called Dr Weller. Next check on 21 April at 10.",
  ],
  [
    "I work as a planner at Fennimore. Four days a week, Fridays off.",
    "The user works as a planner at Fennimore: Four days a week, Fridays off.",
  ],
  [
    "We signed up for a course on bees. Costs 120 pounds each.",
    "The team signed up for a course on bees: Costs 120 pounds each.",
  ],
  [
    "I said no to Gillian! I'm glad. She's giving it to Femi, he starts on 2 February.",
    "Gillian is giving it to Femi, he starts on 2 February.",
  ],
])("what says nothing by itself is told with what it goes on from: %s", (said, text) => {
  expect(capture(turnsOf(`user: ${said}`)).map((each) => each.text)).toContain(text);
});
