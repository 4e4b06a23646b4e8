import type { TurnState } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { approxTokenCounter, newTurnState, turnStateSummary } from "../../src/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { anyTurnState } from "./any-turn-state.ts";
import { goldenCases } from "./golden.ts";

test.each(goldenCases<{ readonly state: TurnState }, { readonly text: string }>("turn-state-summary"))(
  "golden case $name",
  ({ in: { state }, out }) => {
    expect(turnStateSummary(state, approxTokenCounter)).toBe(out.text);
  },
);

test("lines are dropped from the end until 500 tokens are left", () => {
  const lines = ["Session: s1", "Status: in_progress", "Task: ", "Current subtask: deploy"];
  const rest = lines.join("\n").length;
  const state = (length: number): TurnState => ({
    ...newTurnState({ sessionId: "s1", createdAt: 1, taskDescription: "x".repeat(length) }),
    currentSubtask: "deploy",
  });
  expect(turnStateSummary(state(2_000 - rest), approxTokenCounter)).toHaveLength(2_000);
  expect(turnStateSummary(state(2_001 - rest), approxTokenCounter)).not.toContain("deploy");
  expect(turnStateSummary(state(4_000), approxTokenCounter)).toBe(lines.slice(0, 2).join("\n"));
});

test("no value begins a line, and 500 tokens are never exceeded", () => {
  const labels = /^(?:Session|Turn|Status|Task|Current subtask|Decision|Files modified): ./;
  fc.assert(
    fc.property(anyTurnState, fc.nat({ max: 2_100 }), (state, length) => {
      const text = turnStateSummary({ ...state, currentSubtask: "y".repeat(length) }, approxTokenCounter);
      for (const line of text.split(/[\r\n]/)) expect(line).toMatch(labels);
      expect(approxTokenCounter.count(text)).toBeLessThanOrEqual(500);
    }),
    { numRuns: propertyRuns(300) },
  );
});
