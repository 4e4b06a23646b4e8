import { afterEach, beforeEach, expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

let opened: TestEngine;

beforeEach(async () => {
  opened = await TestEngine.open();
});
afterEach(() => opened[Symbol.asyncDispose]());

/** Keeps an index from taking anything up until it is let go. */
function held(index: { apply: (...given: never[]) => Promise<unknown> }): () => void {
  const { apply } = index;
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(index, {
    apply: async (...given: never[]) => {
      await promise;
      return apply.apply(index, given);
    },
  });
  return resolve;
}

test("scores before the indexes have caught up are those afterwards: of new, changed and forgotten memories", async () => {
  const { memories } = opened.loci;
  const scope = "user:a";
  const texts = Array.from(
    { length: 24 },
    (_, number) => `Kiln ${number} is fired on day ${number % 7} with ash glaze.`,
  );
  const kept = await memories.rememberMany(texts.map((text) => ({ text, scope })));
  await opened.loci.settled();
  const letGo = [held(opened.textIndex), held(opened.vectors)];
  for (const { id, etag } of kept.slice(0, 8)) await memories.update(id, { text: `Oven ${id} is cold.` }, { etag });
  for (const { id, etag } of kept.slice(8, 12)) await memories.forget(id, { etag });
  await memories.rememberMany(
    ["The kiln in the yard smokes.", "Glaze is in the shed."].map((text) => ({ text, scope })),
  );
  const scores = async (): Promise<readonly unknown[]> => {
    const { hits } = await opened.loci.recall({ query: "kiln with ash glaze", scopes: [scope], recordUsage: "none" });
    return hits.map(({ memory, score }) => [memory.text, score]);
  };
  const before = await scores();
  for (const release of letGo) release();
  await opened.indexesCaughtUp();
  expect(before.length).toBeGreaterThan(5);
  expect(before).toEqual(await scores());
});
