import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

const work = ["user: run the tests", "assistant: ", "tool: 12 passed", "assistant: Twelve pass."];
const factsOf = (said: string, before: readonly string[] = work): readonly string[] =>
  capture(turnsOf(...before, `user: ${said}`, "assistant: Next I look at the routes.")).flatMap(({ state, text }) =>
    state === "active" ? text : [],
  );

describe("where an assistant works with tools", () => {
  test.each([
    "The tests run with make unit",
    "Mypy is strict",
    "Prod runs only through dagster",
    "Lidl sends utf-16 files",
    "Retailers resend up to a week late",
    "Everything else in the db is utc",
    "Priya takes over the admin app",
    "The types are generated from the schema",
    "Conventional commits, scope is the package name",
  ])("how things work is kept: %s", (said) => expect(factsOf(said.toLowerCase())).toEqual([said]));

  test.each([
    "the endpoint returns an error for long stays",
    "the worker crashes on large files",
    "the branch is merged",
    "lena wants to deploy it separately",
    "the migration waits for a review",
    "the new file comes from the bucket",
    "the old one is in the bucket",
    "it maps them",
    "marek says dbt is a cult",
    "their dashboard is nicer",
    "the path still points at the old binary",
    "pandas is fine for stuff like that",
    "then the label changes and legal has a fit",
    "the button does not work on phones",
  ])("what is in trouble, passing or only pointed to is not: %s", (said) => expect(factsOf(said)).toEqual([]));
});

test("the question of the assistant that it corrects is no part of it", () => {
  const asked = [...work.slice(0, 3), "assistant: The browsers are missing. Shall I install them?"];
  expect(factsOf("no, the tests run with make unit", asked)).toEqual(["The tests run with make unit"]);
});

test("where it only answers, what things do may be of anybody", () => {
  expect(factsOf("lidl sends parcels late", ["user: hi", "assistant: Hello."])).toEqual([]);
});

test("what a program prints is no fact because the assistant says it again", () => {
  const report = "user: Script completed successfully, no errors.\n\n(Open file: a.py)\nbox:~$";
  const reply = "assistant: The script completed successfully.";
  expect(capture(turnsOf("user: run it", report, reply)).filter(({ state }) => state === "active")).toEqual([]);
});
