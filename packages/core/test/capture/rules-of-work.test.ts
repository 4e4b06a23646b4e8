import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

const rulesOf = (...said: readonly string[]): readonly string[] =>
  capture(turnsOf(...said)).flatMap(({ state, category, text }) =>
    state === "active" && category === "procedure" ? text : [],
  );

describe("rules that say when they hold", () => {
  test.each([
    "Run the generator if the schema changes",
    "Update the lock after touching a manifest",
    "Run the linter before every commit",
    "Never merge until the review is done",
    "Stop adding comments that just say what the line does",
    "Dont swallow errors, let them throw",
    "Type hints everywhere, mypy is strict",
    "Tables not lists for anything with numbers",
  ])("%s", (said) => expect(rulesOf(`user: ${said}`)).toEqual([said]));

  test("what the assistant does when it holds is nothing of now", () => {
    expect(rulesOf("user: please don't reformat files you're not changing")).toEqual([
      "Please don't reformat files the assistant is not changing",
    ]);
  });

  test.each([
    "ship it if the tests pass",
    "tell me when you are done",
    "don't send it until Friday",
    "need a shower, dust everywhere",
    "what a day",
  ])("not %s", (said) => expect(rulesOf(`user: ${said}`)).toEqual([]));
});

describe("what an order does with `it` or `them`", () => {
  test("is what was said before it in the turn", () => {
    expect(rulesOf("user: `just check` lints and tests. run it before every commit")).toEqual([
      "`just check` lints and tests: Run it before every commit",
    ]);
  });

  test("is what was said in the turn before, where the assistant only takes note", () => {
    const before = ["user: Tomas reviews the migrations", "assistant: Noted."];
    expect(rulesOf(...before, "user: and name them with the ticket every time")).toEqual([
      "Tomas reviews the migrations: Name them with the ticket every time",
    ]);
  });

  test("is what the assistant said where that tells something", () => {
    const before = ["user: write a changelog", "assistant: I keep the changelog in the docs folder."];
    expect(rulesOf(...before, "user: update it before every release")).toEqual([
      "The assistant keeps the changelog in the docs folder: Update it before every release",
    ]);
  });
});
