import { expect, test } from "vitest";
import { everything, TestEngine } from "./support/test-engine.ts";

const scope = "user:alice";

test("a memory is stored without a vector while the embedder fails, and gets one later", async () => {
  await using opened = await TestEngine.open();
  opened.embedder.state = "fails";
  const memory = await opened.loci.memories.remember({ text: "The theme is Solarized.", scope });
  expect(memory.embedding).toBe("pending");
  const question = { query: "Which theme?", scopes: [scope] } as const;
  const degraded = await opened.loci.recall(question);
  expect(degraded.degraded).toEqual(["EMBEDDING_UNAVAILABLE"]);
  expect(degraded.hits.map((hit) => [hit.memory.id, hit.parts.cosine])).toEqual([[memory.id, undefined]]);

  opened.embedder.state = "works";
  await expect.poll(async () => (await opened.loci.memories.get(memory.id)).embedding).toBe("ready");
  await opened.loci.settled();
  expect((await opened.loci.memories.get(memory.id)).version).toBe(1);
  const found = await opened.loci.recall(question);
  expect(found.degraded).toEqual([]);
  expect(found.hits[0]?.parts.cosine).toBeGreaterThan(0);
});

test("a memory left pending is repaired by the next engine", async () => {
  await using opened = await TestEngine.open();
  opened.embedder.state = "fails";
  const { id } = await opened.loci.memories.remember({ text: "The theme is Solarized.", scope });
  await opened.close();
  opened.embedder.state = "works";
  await opened.reopen();
  await expect.poll(async () => (await opened.loci.memories.get(id)).embedding).toBe("ready");
});

test("indexes learn of a vector that an equal text brought", async () => {
  await using opened = await TestEngine.open();
  opened.embedder.state = "fails";
  const first = await opened.loci.memories.remember({ text: "solarized", scope });
  await opened.loci.settled();
  opened.embedder.state = "works";
  await opened.loci.memories.remember({ text: "solarized", scope: "global" });
  const [vector] = await opened.embedder.embed(everything.tenant, ["solarized"], { kind: "query" });
  if (vector === undefined) throw new Error("No vector.");
  const search = { tenant: everything.tenant, scopes: [first.scope], vectors: [vector], limit: 5 } as const;
  await expect.poll(async () => (await opened.vectors.search(search)).length).toBe(1);
});

test("an embedder that hangs costs the time limit, not the memory", async () => {
  await using opened = await TestEngine.open({ embeddingTimeLimit: 50 });
  opened.embedder.state = "hangs";
  const memory = await opened.loci.memories.remember({ text: "The theme is Solarized.", scope });
  expect(memory.embedding).toBe("pending");
  const { degraded, hits } = await opened.loci.recall({ query: "Which theme?", scopes: [scope] });
  expect(degraded).toEqual(["EMBEDDING_UNAVAILABLE"]);
  expect(hits).toHaveLength(1);
});

test("a new version with the same text needs no embedder, even while it fails", async () => {
  await using opened = await TestEngine.open();
  const memory = await opened.loci.memories.remember({ text: "The theme is Solarized.", scope });
  opened.embedder.calls = [];
  opened.embedder.state = "fails";
  const tagged = await opened.loci.memories.update(memory.id, { tags: ["theme"] }, { etag: memory.etag });
  expect(tagged.embedding).toBe("ready");
  expect(opened.embedder.calls).toEqual([]);
  const reworded = await opened.loci.memories.update(memory.id, { text: "It is Nord now." }, { etag: tagged.etag });
  expect(reworded.embedding).toBe("pending");
  expect(new Set(opened.embedder.calls.flatMap(({ texts }) => texts))).toEqual(new Set(["It is Nord now."]));
});
