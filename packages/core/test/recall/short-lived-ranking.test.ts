import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { rankCandidates, type RankingInput } from "../../src/index.ts";
import { rankingOf } from "./candidates.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options?: { readonly type: "minor" }) => void;

const rankings = 60;
const length = 40_000;

/** What is given to a ranking is as large as what it makes in a store of many memories. */
function rankMuch(): void {
  const input = rankingOf("kraken", [
    { id: 1, text: "A kraken sleeps.", cosine: 0.9 },
    { id: 2, text: "The kraken woke.", cosine: 0.8 },
  ]);
  const seen = Array.from({ length }, (_, index) => index + 0.5);
  const given: RankingInput & { readonly seen: readonly number[] } = { ...input, seen };
  expect(rankCandidates(given).hits).toHaveLength(2);
}

// A generator function that each ranking makes anew keeps what it sees until everything is collected.
test("collecting what is young lets go of all that a ranking has seen", () => {
  rankMuch();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let ranking = 0; ranking < rankings; ranking++) {
    rankMuch();
    collect({ type: "minor" });
  }
  collect({ type: "minor" });
  expect(process.memoryUsage().heapUsed - before).toBeLessThan((rankings * length * 8) / 2);
});
