import { expect, test } from "vitest";
import { capture, outcomes, turnsOf } from "./captured.ts";

test.each([
  "We're currently solving the following issue within our repository.",
  "We have to support the following browsers.",
  "We always use the following format:",
  "Our rules are as follows.",
])("what only comes after it is not remembered without it: %s", (said) => {
  expect(outcomes(capture(turnsOf(`user: ${said}`)))).toEqual(["VAGUE"]);
});

test.each([
  "We use the following: pnpm, vitest and oxlint.",
  "My allergies are as follows: nuts and milk.",
  "I moved to Lisbon the following year.",
  "The following Monday I start at Lumen.",
])("what says it is: %s", (said) => {
  expect(outcomes(capture(turnsOf(`user: ${said}`)))).toEqual([expect.stringMatching(/^ADD /)]);
});
