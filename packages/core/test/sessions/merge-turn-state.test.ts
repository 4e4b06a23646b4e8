import { type FreshTurnState, LociError, maxTurnStateBytes, type TurnState } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeTurnState, newTurnState } from "../../src/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { anyFreshState, anyTurnState } from "./any-turn-state.ts";
import { goldenCases } from "./golden.ts";

interface GoldenMerge {
  readonly loaded: TurnState;
  readonly fresh: FreshTurnState;
  readonly maxActions: number;
}

test.each(goldenCases<GoldenMerge, object>("turn-state-merge"))(
  "golden case $name",
  ({ in: { loaded, fresh, maxActions }, out }) => {
    let merged: object;
    try {
      merged = mergeTurnState(loaded, fresh, maxActions);
    } catch (error) {
      if (!LociError.is(error)) throw error;
      merged = { error: error.reason };
    }
    expect(merged).toEqual(out);
  },
);

test("is the same each time, keeps what is unknown, and stays within its limits", () => {
  fc.assert(
    fc.property(anyTurnState, anyFreshState, fc.nat({ max: 8 }), (loaded, fresh, maxActions) => {
      const [before, freshBefore] = [structuredClone(loaded), structuredClone(fresh)];
      const merged = mergeTurnState(loaded, fresh, maxActions);
      expect(JSON.stringify(mergeTurnState(loaded, fresh, maxActions))).toBe(JSON.stringify(merged));
      expect([loaded, fresh]).toEqual([before, freshBefore]);
      expect(merged["ownField"]).toEqual(fresh["ownField"]);
      expect(merged["keptField"]).toEqual(loaded["keptField"]);
      expect([merged["baseTurn"], merged["turns"]]).toEqual([undefined, undefined]);
      expect(merged.actions.length).toBeLessThanOrEqual(maxActions);
      expect(merged.decisions.length).toBeLessThanOrEqual(50);
      expect(JSON.stringify(merged).length).toBeLessThanOrEqual(maxTurnStateBytes);
      const facts = new Set(merged.verifiedFacts.map(({ key, value }) => `${key}=${JSON.stringify(value)}`));
      for (const { key, value } of [...loaded.verifiedFacts, ...fresh.verifiedFacts])
        expect(facts).toContain(`${key}=${JSON.stringify(value)}`);
    }),
    { numRuns: propertyRuns(300) },
  );
});

test("fields of an action are kept with it", () => {
  const loaded = {
    ...newTurnState({ sessionId: "s1", createdAt: 1 }),
    actions: [{ type: "run", time: 1, tool: "npm" }],
  };
  const fresh = { ...newTurnState({ sessionId: "s1", createdAt: 1 }), baseTurn: 0, turns: 1 };
  expect(mergeTurnState(loaded, fresh).actions).toEqual([{ type: "run", time: 1, tool: "npm" }]);
});

test("refuses what is too large together", () => {
  const half = (letter: string): string => letter.repeat(maxTurnStateBytes * 0.6);
  const loaded = { ...newTurnState({ sessionId: "s1", createdAt: 1 }), filesRead: [half("a")] };
  const fresh = { ...newTurnState({ sessionId: "s1", createdAt: 1 }), filesRead: [half("b")], baseTurn: 0, turns: 1 };
  expect(() => mergeTurnState(loaded, fresh)).toThrow(expect.objectContaining({ reason: "TEXT_TOO_LARGE" }));
});

test.each([
  ["baseTurn", { baseTurn: -1 }],
  ["turns", { turns: 0.5 }],
])("refuses a %s that is no count", (_, change) => {
  const state = newTurnState({ sessionId: "s1", createdAt: 1 });
  const fresh = { ...state, baseTurn: 0, turns: 1, ...change };
  expect(() => mergeTurnState(state, fresh)).toThrow(expect.objectContaining({ reason: "INVALID_NUMBER" }));
});
