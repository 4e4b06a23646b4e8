import { openLocalEmbedder } from "@loci/embedding";
import { expect, test } from "vitest";
import { readSaidPairs, saidOutcomes } from "../src/capture/said-pairs.ts";

/** Pairs, a little worse than what was measured when the rules were made. */
const bounds = { leastOver: 29, mostEndedWrongly: 5 };

test("a statement ends what it says otherwise, and hardly ever what only has words in common with it", async () => {
  const embedder = await openLocalEmbedder();
  const pairs = readSaidPairs();
  expect(pairs.filter(({ ends }) => ends)).toHaveLength(pairs.length / 2);
  const ended = (await saidOutcomes(pairs, embedder)).filter((outcome) => outcome.ended.length > 0);
  expect(ended.filter(({ pair }) => pair.ends).length).toBeGreaterThanOrEqual(bounds.leastOver);
  expect(ended.filter(({ pair }) => !pair.ends).length).toBeLessThanOrEqual(bounds.mostEndedWrongly);
  await embedder.close();
});
