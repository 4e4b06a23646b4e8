import { expect, test } from "vitest";
import {
  type GetMemoriesRequest,
  type GetMemoriesResult,
  heldInstead,
  type MemoryId,
  type RecallHit,
} from "../src/index.ts";

type Marked = Parameters<typeof heldInstead>[1][number];

function hit(id: string, ...replacedBy: readonly string[]): Marked {
  const outdated = { since: 0, isInPart: true, replacedBy: replacedBy as MemoryId[] };
  return { memory: { id } as RecallHit["memory"], ...(replacedBy.length === 0 ? {} : { outdated }) };
}

function reading(): { readonly asked: unknown[]; getMany(request: GetMemoriesRequest): Promise<GetMemoriesResult> } {
  const asked: unknown[] = [];
  return {
    asked,
    async getMany(...given) {
      asked.push(given);
      // One of them is gone by now.
      const memories = given[0].ids.slice(1).map((id) => ({ id })) as unknown as GetMemoriesResult["memories"];
      return { memories, cut: [], missing: given[0].ids.slice(0, 1), unread: [] };
    },
  };
}

test("what holds instead and is no hit is read in one call, each once", async () => {
  const memories = reading();
  const options = { deadline: 1 };
  const read = await heldInstead(memories, [hit("a", "b", "x"), hit("b"), hit("c", "y", "x")], 600, options);
  expect([...read.keys()]).toEqual(["y"]);
  expect(memories.asked).toEqual([[{ ids: ["x", "y"], textBytes: 600 }, options]]);
});

test("nothing is asked for where all that holds was found, or nothing is outdated", async () => {
  const memories = reading();
  expect((await heldInstead(memories, [hit("a", "b"), hit("b"), hit("c")], 600)).size).toBe(0);
  expect(memories.asked).toEqual([]);
});

test("no more is asked for than one call reads", async () => {
  const memories = reading();
  const many = Array.from({ length: 600 }, (_, number) => `r${number}`);
  await heldInstead(memories, [hit("a", ...many)], 600);
  expect(memories.asked).toEqual([[{ ids: many.slice(0, 500), textBytes: 600 }, undefined]]);
});
