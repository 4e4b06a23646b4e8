import { openLocalEmbedder } from "@loci/embedding";
import { expect, test } from "vitest";
import { readToldChanges, toldRight } from "../src/capture/told-changes.ts";

/** Shares of the memories, a little below what was measured when the rules were made. */
const least = { stays: 0.87, closed: 0.6 };

test("a memory ends where something is over, and not where it is denied, supposed or of somebody else", async () => {
  const embedder = await openLocalEmbedder();
  for (const expected of ["stays", "closed"] as const) {
    const changes = readToldChanges().filter((each) => each.expected === expected);
    const kinds = Object.values(await toldRight(changes, embedder));
    const right = kinds.reduce((sum, each) => sum + each.right, 0);
    expect(right / changes.length).toBeGreaterThanOrEqual(least[expected]);
  }
  await embedder.close();
});
