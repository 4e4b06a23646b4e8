import { setImmediate } from "node:timers/promises";
import type { TextSearch } from "@loci/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { everything, TestEngine } from "./support/test-engine.ts";

const scope = "user:alice";
const question = { query: "kiln with ash glaze", scopes: [scope], recordUsage: "none" } as const;

let opened: TestEngine;

beforeEach(async () => {
  opened = await TestEngine.open();
  const texts = Array.from({ length: 12 }, (_, number) => `Kiln ${number} is fired with ash glaze.`);
  await opened.loci.memories.rememberMany(texts.map((text) => ({ text, scope })));
  await opened.loci.settled();
  // From then on it is known where the indexes stood.
  await opened.loci.recall(question);
});
afterEach(() => opened[Symbol.asyncDispose]());

async function scores(): Promise<readonly unknown[]> {
  const { hits } = await opened.loci.recall(question);
  return hits.map(({ memory, score }) => [memory.text, score]);
}

test("indexes that have seen everything are searched before they have said where they stand", async () => {
  const { textIndex } = opened;
  const expected = await scores();
  const order: string[] = [];
  const { search } = textIndex;
  vi.spyOn(textIndex, "search").mockImplementation((...given) => {
    order.push("searched");
    return search.apply(textIndex, given);
  });
  const { statistics } = textIndex;
  vi.spyOn(textIndex, "statistics").mockImplementation(async (...given) => {
    await setImmediate();
    order.push("told");
    return statistics.apply(textIndex, given);
  });
  expect(await scores()).toEqual(expected);
  expect(order.at(-1)).toBe("told");
});

test("what indexes found that went back meanwhile is given up", async () => {
  const { textIndex, vectors, engine } = opened;
  const expected = await scores();
  await engine.drainers.pause();
  const wasRanked: boolean[] = [];
  const { search } = textIndex;
  vi.spyOn(textIndex, "search").mockImplementation((request: TextSearch, ...given) => {
    wasRanked.push(request.statistics !== undefined);
    return search.call(textIndex, request, ...given);
  });
  for (const index of [textIndex, vectors]) await index.reset?.(everything.tenant);
  expect(await scores()).toEqual(expected);
  // First by what they held themselves, then by what they will hold.
  expect(wasRanked).toContain(false);
  expect(wasRanked.at(-1)).toBe(true);
});
