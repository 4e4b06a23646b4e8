import { LociError } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Assembly, assembleContext, type AssemblyInput, HistoryCache, TokenCountCache } from "../../src/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { anyLayoutAssembly } from "./any-layout.ts";
import { expectFilled, expectParsesBack, expectWithinBudget } from "./sound-context.ts";

/** What an assembly may refuse: what it may not cut, and given text that would not stay in its place. */
const refusals = [
  "SECTION_OVER_BUDGET",
  "WINDOW_TOO_SMALL",
  "QUERY_TOO_LARGE",
  "KEPT_MESSAGES_TOO_LARGE",
  "RESERVED_DELIMITER",
];

function assembled(input: AssemblyInput): Assembly | undefined {
  try {
    return assembleContext(input);
  } catch (error) {
    if (LociError.is(error) && refusals.includes(error.reason)) return undefined;
    throw error;
  }
}

// One property for all of it: to make up a case takes longer than to check it. Requests that are refused do not count.
test("in any layout a context is within budget in every form, parses back, is filled, and is the same again", () => {
  const counts = new TokenCountCache();
  const conversations = new HistoryCache();
  fc.assert(
    fc.property(anyLayoutAssembly, (input) => {
      const output = assembled(input);
      if (output === undefined) return fc.pre(false);
      expectWithinBudget(input, output);
      expectParsesBack(input, output);
      // Where another counter checks the result, it is this other one that leaves no room.
      if (input.mode === "fill" && input.checkCounter === undefined) expectFilled(input, output);
      // Whatever was kept of other assemblies.
      expect(JSON.stringify(assembleContext({ ...input, counts, conversations }))).toBe(JSON.stringify(output));
    }),
    { numRuns: propertyRuns(500), seed: 20_261_122 },
  );
});
