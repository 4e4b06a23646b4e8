import { type FreshTurnState, maxTurnStateBytes } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkTurnState,
  isTerminal,
  markBlocked,
  mergeTurnState,
  newTurnState,
  readTurnState,
  recordAction,
  recordDecision,
} from "../../src/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { anyTurnState } from "./any-turn-state.ts";

const state = newTurnState({ sessionId: "s1", createdAt: 1, taskDescription: "Ship it" });

test("a state comes back as it was kept, with fields nobody knows", () => {
  fc.assert(
    fc.property(anyTurnState, (kept) => {
      expect(readTurnState(JSON.stringify(checkTurnState(kept)), "s1")).toEqual(kept);
    }),
    { numRuns: propertyRuns(300) },
  );
});

test("fields that are undefined are absent, and merge as such", () => {
  const checked = checkTurnState({ sessionId: "s1", createdAt: 1, actions: undefined, taskDescription: undefined });
  expect(checked).toMatchObject({ actions: [], taskDescription: "" });
  const fresh = { ...state, taskDescription: undefined, filesRead: undefined, baseTurn: 0, turns: 1 };
  expect(mergeTurnState(state, fresh as unknown as FreshTurnState)).toMatchObject({
    taskDescription: "Ship it",
    filesRead: [],
  });
});

test("fields that are absent are empty", () => {
  const { sessionId, createdAt, ...rest } = checkTurnState({ sessionId: "s1", createdAt: 1 });
  expect([sessionId, createdAt]).toEqual(["s1", 1]);
  expect(rest).toEqual({ ...state, sessionId: undefined, createdAt: undefined, taskDescription: "", progress: null });
});

test("the largest state that is taken is read back, also when fields were filled in", () => {
  const room = maxTurnStateBytes - JSON.stringify(checkTurnState({ sessionId: "s1", createdAt: 1, own: "" })).length;
  const of = (length: number): object => ({ sessionId: "s1", createdAt: 1, own: "x".repeat(length) });
  const kept = JSON.stringify(checkTurnState(of(room)));
  expect(kept).toHaveLength(maxTurnStateBytes);
  expect(readTurnState(kept, "s1")["own"]).toHaveLength(room);
  expect(() => checkTurnState(of(room + 1))).toThrow(expect.objectContaining({ reason: "TEXT_TOO_LARGE" }));
});

describe("a state that was kept is corrupt", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  test.each([
    ["cut off", JSON.stringify(state).slice(0, -1)],
    ["a list", "[]"],
    ["of another session", JSON.stringify({ ...state, sessionId: "s2" })],
    ["without its creation", JSON.stringify({ ...state, createdAt: undefined })],
    ["with an unknown progress", JSON.stringify({ ...state, progress: "done" })],
    ["with a list that is a text", JSON.stringify({ ...state, filesRead: "a.ts" })],
    ["with an action without a time", JSON.stringify({ ...state, actions: [{ type: "run" }] })],
    [
      "with a result over 500 units",
      JSON.stringify({ ...state, actions: [{ type: "run", time: 1, result: "x".repeat(501) }] }),
    ],
    ["with a fact without a value", JSON.stringify({ ...state, verifiedFacts: [{ key: "os" }] })],
    ["nested too deep", JSON.stringify(state).replace("{", `{"own":${deep},`)],
    ["too large", JSON.stringify({ ...state, own: "x".repeat(maxTurnStateBytes) })],
  ])("%s", (_, json) => {
    expect(() => readTurnState(json, "s1")).toThrow(expect.objectContaining({ reason: "TURN_STATE_CORRUPT" }));
  });
});

describe("a state that is to be kept is refused", () => {
  test.each<[string, object, string]>([
    ["with a number that is none", { own: Number.NaN }, "INVALID_REQUEST"],
    ["with an undefined entry", { own: [undefined] }, "INVALID_REQUEST"],
    ["with half a pair", { own: "\ud800" }, "INVALID_REQUEST"],
    ["with a value of a class", { own: new Date(0) }, "INVALID_REQUEST"],
    ["over 256 KiB", { own: "é".repeat(maxTurnStateBytes / 2) }, "TEXT_TOO_LARGE"],
  ])("%s", (_, change, reason) => {
    expect(() => checkTurnState({ ...state, ...change })).toThrow(expect.objectContaining({ reason }));
  });
});

test("a decision is recorded at the turn of the state, and the last 50 stay", () => {
  let changed = { ...state, turnNumber: 3 };
  for (let count = 0; count < 51; count++)
    changed = {
      ...changed,
      ...recordDecision(changed, { decision: `d${count}`, rationale: "quick", alternatives: ["x"] }, 9),
    };
  expect(changed.decisions).toHaveLength(50);
  expect(changed.decisions.at(-1)).toEqual({
    decision: "d50",
    rationale: "quick",
    alternatives: ["x"],
    turn: 3,
    time: 9,
  });
  expect(changed).toMatchObject({ updatedAt: 9 });
});

test("of an action's result 500 units are kept, and no half of a pair", () => {
  const [action] = recordAction(
    state,
    { type: "run", result: "x".repeat(499) + "😀", details: { exit: 1 } },
    9,
  ).actions;
  expect(action).toEqual({ type: "run", result: "x".repeat(499), details: { exit: 1 }, turn: 0, time: 9 });
  expect(recordAction(state, { type: "run", result: "x".repeat(500) }, 9).actions[0]?.result).toHaveLength(500);
});

test("a blocked task is not at its end, a completed one is", () => {
  const blocked = markBlocked(state, "no access", 9);
  expect(blocked).toMatchObject({ progress: "blocked", updatedAt: 9 });
  expect(blocked.actions).toEqual([{ type: "block", result: "no access", turn: 0, time: 9 }]);
  expect(state.progress).toBe("in_progress");
  expect([state, blocked, { ...state, progress: "completed" as const }].map(isTerminal)).toEqual([false, false, true]);
});
