// What the scenario has to have: without it a client may differ where nobody looks.
import { expect, test } from "vitest";
import { methods } from "../src/contract.ts";
import { scenarioFile } from "../src/replay-programs.ts";
import { readSteps } from "../src/scenario-step.ts";

const steps = readSteps(scenarioFile);

test("every RPC of the contract has a step", () => {
  const called = new Set(steps.map(({ call }) => call));
  expect([...methods.keys()].filter((call) => !called.has(call))).toEqual([]);
});

test("no step calls what the contract does not have, and each has a name of its own", () => {
  expect(steps.filter(({ call }) => !methods.has(call))).toEqual([]);
  expect(new Set(steps.map(({ step }) => step)).size).toBe(steps.length);
});
