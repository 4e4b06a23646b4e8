import { describe, expect, test } from "vitest";
import { handsOver } from "../../src/capture/extract/tasks-at-hand.ts";
import { capture, closed, memory, outcomes, turnsOf } from "./captured.ts";

const list = "1. Go solar, pay the sun.\n2. Solar that simply works.\n3. Your roof. Our solar.";
const letter =
  "Dear Ms Okell, thank you for your visit last week. We have looked at the plates that you asked for, and forty of them can be ready by the end of May if the glaze is the one that you saw.";
const kept = (...lines: readonly string[]): readonly string[] => outcomes(capture(turnsOf(...lines)));

describe("an order that the reply carries out is of that text alone", () => {
  test.each([
    ["how a text is to be", "Write slogans for a solar firm in plain words", list],
    ["what is to be left out", "Please don't mention the price", letter],
    ["how long it is to be", "No more than 4 words each", list],
    ["what must be in it", "must include the word solar", list],
    ["what is asked for, which the reply says again", "Topics: slogans for solar roofs", list],
    ["with code and no words", "Write it with a loop, no comments", "```js\nfor (;;) {}\n```"],
  ])("%s", (_, said, reply) => expect(kept(`user: ${said}`, `assistant: ${reply}`)).not.toContain("ADD procedure"));

  test("a text that is handed over again in other words is none the shorter", () => {
    const first = "Find second hand bikes for every budget, checked by mechanics and ready to ride.";
    const again = "Find second hand bikes for every budget, checked by our mechanics.";
    expect(
      kept("user: A line for our page", `assistant: ${first}`, "user: only one clause", `assistant: ${again}`),
    ).not.toContain("ADD procedure");
  });
});

describe("but it is a rule", () => {
  test.each([
    ["where it says that it always holds", "Always write slogans in plain words", list],
    ["from now on", "From now on no more than 4 words each", list],
    ["where the reply only takes it", "No more than 4 words each", "Four words at most."],
    [
      "where the reply promises it at length",
      "Please don't mention the price",
      `Got it, I'll leave prices out. ${letter}`.slice(0, 200),
    ],
    ["where an agent works", "use pnpm, not npm", undefined],
  ])("%s", (_, said, reply) =>
    expect(kept(`user: ${said}`, ...(reply === undefined ? [] : [`assistant: ${reply}`]))).toContain("ADD procedure"),
  );

  test("and what is told of a thing stays", () => {
    const said = "user: write a rule for the alerts. alerts go to the ops channel, not to mail";
    expect(kept(said, "assistant: ```yaml\n- alert: Suspended\n```")).toContain("ADD procedure");
    expect(kept("user: Commute: no more than 45 minutes", `assistant: ${list}`)).toContain("ADD procedure");
  });

  test("what the user tells of themselves beside it stays", () =>
    expect(kept("user: I'm a nurse on nights. A plan of 12 weeks please", `assistant: ${list}`)).toEqual([
      "ADD fact",
      "TRANSIENT",
    ]));
});

test("what is only asked for by its number is nothing to know, and an answer is", () => {
  expect(kept("user: 12 week half marathon plan please")).toEqual(["TRANSIENT"]);
  expect(kept("assistant: When is the race?", "user: On 15 February, please")).toContain("ADD fact");
});

test.each([
  ["code", "```\nx\n```", true],
  ["a list", list, true],
  ["a letter", letter, true],
  ["an assent", "Understood, I leave it out.", false],
  ["two items", "- one\n- two", false],
])("%s", (_, reply, expected) => expect(handsOver(reply, undefined)).toBe(expected));

test.each([
  ["in talk", "We can't afford to lose progress"],
  ["of a need", "I need results, not proposals"],
  ["of a trade", "I am their clerk, 30 hrs a week since January"],
  ["of going on", "Let's keep this momentum going"],
  ["of thanks", "Thanks again for all your help"],
])("what is no rule, %s", (_, said) => {
  const found = kept(`user: ${said}`);
  expect(found).not.toContain("ADD procedure");
  expect(found).not.toContain("ADD decision");
});

test.each([
  ["Deploy the service to staging.", "Deploying the service to staging now."],
  ["book a table for two", "A table for two, done."],
  ["Add the tests", "Tests added."],
])("%s is done with %s", (said, reply) => expect(kept(`user: ${said}`, `assistant: ${reply}`)).toEqual(["TRANSIENT"]));

test("an order that is said again, and not carried out, is decided", () =>
  expect(kept("user: And leave me in peace on Thursdays", "assistant: Nothing on Thursdays.")).toEqual([
    "ADD decision",
  ]));

test("rows of a table and queries are pasted", () => {
  expect(kept("user: fix these\n01-05,B,80,210\n02-05,B,0,0")).not.toContain("ADD fact");
  expect(kept("user: why is it slow\nselect name, count(*) from students where age > 20")).not.toContain("ADD fact");
});

test("how the assistant is to talk ends nothing that is known", () => {
  const known = memory("m1", "The user asked to stop asking for the plan");
  expect(closed(known, "user: Stop asking and show me the plan", `assistant: ${list}`)).toEqual([]);
  expect(closed(memory("m1", "Remind the user of the gym on Mondays."), "user: stop reminding me of the gym")).toEqual([
    "DELETE",
  ]);
});
