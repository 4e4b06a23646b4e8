import { expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

test("finds a memory at once, and the same after the indexes have caught up", async () => {
  await using opened = await TestEngine.open();
  const { loci, engine } = opened;
  await engine.drainers.pause();
  const memory = await loci.memories.remember({ text: "The theme is Solarized.", scope: "user:alice" });
  const request = { query: "Which theme?", scopes: ["user:alice"], evaluationTime: opened.now } as const;
  const before = await loci.recall(request);
  expect(before.hits.map((hit) => hit.memory.id)).toEqual([memory.id]);
  engine.drainers.resume();
  await loci.settled();
  const { timings: _, ...after } = await loci.recall(request);
  const { timings: __, ...first } = before;
  expect(after).toEqual(first);
  expect(opened.problems).toEqual([]);
});
