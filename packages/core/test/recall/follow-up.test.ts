import { expect, test } from "vitest";
import { askedTogether } from "../../src/index.ts";
import { isFollowUp } from "../../src/recall/follow-up.ts";

const before = "Until when is the market open on Friday?";

test.each([
  "And on Saturday?",
  "What about production?",
  "how about tom",
  "When is he back?",
  "How should I write to him?",
  "What does he want from me before a meeting?",
  "On flights too?",
  "Until when is there breakfast?",
  "Since when?",
  "Who leads that?",
  "What does she want from Mira?",
  "From where?",
  "Which colour?",
  "Why?",
  "And who cuts them?",
])("%s goes on from what was said", (question) => {
  expect(askedTogether(question, [before])).toBe(`${question}\n${before}`);
});

test.each([
  "Who is Bob?",
  "When is the exam?",
  "Where do I live?",
  "Which database does billing use?",
  "What colour is my car?",
  "What has Melanie done with her family?",
  "Which libraries are used in this project?",
  "Where did Oliver hide his bone once?",
  "Book a table for four in Lisbon.",
  "Thanks!",
  "Yes, please.",
  "",
  `And ${"a long tale of all that happened ".repeat(10)}`,
])("%s says itself what it is about", (question) => {
  expect(askedTogether(question, [before])).toBe(question);
});

test("what a chain of them goes on from is found a few messages back, and its end is enough", () => {
  expect(askedTogether("And on Sunday?", ["And on Saturday?", " ", before])).toBe(`And on Sunday?\n${before}`);
  expect(askedTogether("And on Sunday?", [...Array.from({ length: 6 }, () => "And then?"), before])).toBe(
    "And on Sunday?",
  );
  expect(askedTogether("Why?", [])).toBe("Why?");
  const long = `${"x".repeat(1_000)} we sail`;
  expect(askedTogether("Why?", [long])).toHaveLength(5 + 300);
});

test("a follow-up is one in capitals and with any marks as well", () => {
  expect(isFollowUp("AND SATURDAY???")).toBe(true);
  expect(isFollowUp("…")).toBe(false);
});
