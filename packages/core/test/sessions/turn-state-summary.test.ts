import type { TurnState } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { approxTokenCounter, markBlocked, newTurnState, turnStateSummary } from "../../src/index.ts";
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

test("a blocked task says what it waits for, as long as it is blocked", () => {
  const begun = newTurnState({ sessionId: "s1", createdAt: 1, taskDescription: "Ship login" });
  const blocked = markBlocked(markBlocked(begun, "CI is down", 2), "No key for\nthe mail server", 3);
  const shown = "Session: s1\nStatus: blocked\nBlocked by: No key for the mail server\nTask: Ship login";
  expect(turnStateSummary(blocked, approxTokenCounter)).toBe(shown);
  expect(turnStateSummary({ ...blocked, progress: "in_progress" }, approxTokenCounter)).not.toContain("Blocked by");
});

test("no value begins a line, and 500 tokens are never exceeded", () => {
  const labels = /^(?:Session|Turn|Status|Blocked by|Task|Current subtask|Decision|Files modified): ./;
  fc.assert(
    fc.property(anyTurnState, fc.nat({ max: 2_100 }), (state, length) => {
      const text = turnStateSummary({ ...state, currentSubtask: "y".repeat(length) }, approxTokenCounter);
      for (const line of text.split(/[\r\n]/)) expect(line).toMatch(labels);
      expect(approxTokenCounter.count(text)).toBeLessThanOrEqual(500);
    }),
    { numRuns: propertyRuns(300) },
  );
});
