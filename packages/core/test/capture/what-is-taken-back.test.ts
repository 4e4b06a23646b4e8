import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

describe("what a user says", () => {
  test("of one thing the last word counts", () => {
    const turns = turnsOf(
      "user: the price is 6 euros for students",
      "assistant: Noted.",
      "user: actually make it 7 euros",
    );
    expect(capture(turns).map(({ reason, text }) => [reason, text.includes("7")])).toEqual([
      ["RETRACTED", false],
      [null, true],
    ]);
  });

  test.each([
    ["I prefer tea over coffee. No wait, I prefer coffee.", ["The user prefers coffee."]],
    [
      "I prefer tea over coffee. No wait, I prefer coffee too.",
      ["The user prefers tea over coffee.", "The user prefers coffee too."],
    ],
    ["I live in Oslo. The cardiology ward is nicer. dunno. forget it", ["The user lives in Oslo."]],
    ["I work at Bosch. Wait no, I work at Siemens, since May.", ["The user works at Siemens, since May."]],
    [
      "My favourite colour is green. Correction: my favourite colour is blue.",
      ["The user's favourite colour is blue."],
    ],
    [
      "We run on Monday and Saturday. Not Fridays, that's pub night. Actually Sunday instead of Saturday.",
      [
        "The team runs on Monday and Saturday: Not Fridays, that's pub night.",
        "The team runs on Monday and Saturday: Sunday instead of Saturday.",
      ],
    ],
    ["Physio said max three runs a week.", ["Physio said max three runs a week."]],
    ["My son is six. No wait, my daughter is six.", ["The user's daughter is six."]],
    ["I live in Oslo. No wait, I meant I live in Bergen.", ["The user lives in Bergen."]],
    ["I work at Siemens now; I left Bosch in May.", ["The user works at Siemens now", "The user left Bosch in May."]],
    ["My doctor said I have type 2 diabetes.", ["The user's doctor said the user has type 2 diabetes."]],
    ["My friend says I have a nice voice.", []],
    ["My wife and I are getting divorced.", ["The user's wife and the user are getting divorced."]],
    ["We live on the fourth floor.", ["The family lives on the fourth floor."]],
    ["I like tea. Actually I like milk.", ["The user likes tea.", "The user likes milk."]],
  ])("%s", (said, kept) =>
    expect(capture(turnsOf(`user: ${said}`)).flatMap(({ reason, text }) => (reason === null ? [text] : []))).toEqual(
      kept,
    ),
  );

  test("what is to be kept nowhere stands nowhere", () => {
    const turns = turnsOf("user: our key lies under the blue pot. better not write that anywhere");
    expect(JSON.stringify(capture(turns))).not.toContain("blue");
  });
});

test("all that a joke said is taken back", () => {
  const turns = turnsOf(
    "user: I've won the lottery and we're moving to Monaco!",
    "assistant: Really?",
    "user: April fool!",
  );
  expect(capture(turns).map(({ state }) => state)).not.toContain("active");
});
