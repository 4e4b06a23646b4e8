import { LociError } from "@loci/domain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const scope = "user:alice";
const question = { query: "When does the deploy start?", scopes: [scope] } as const;

let opened: TestEngine;
beforeEach(async () => {
  opened = await TestEngine.open();
  await opened.loci.memories.rememberMany(
    ["The deploy starts on Tuesday.", "The theme is light.", "The orchard survey is over."].map((text) => ({
      text,
      scope,
    })),
  );
  await opened.indexesCaughtUp();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await opened[Symbol.asyncDispose]();
});

function down(): Promise<never> {
  return Promise.reject(new LociError("STORE_UNAVAILABLE", { message: "The store is down.", advice: "Wait." }));
}

test("with one index down the other one answers, and says so", async () => {
  const whole = await opened.loci.recall(question);
  expect(whole.degraded).toEqual([]);
  for (const method of ["search", "checkpoint"] as const) {
    const spy = vi.spyOn(opened.vectors, method).mockImplementation(down);
    const found = await opened.loci.recall(question);
    expect(found.degraded).toEqual(["VECTOR_INDEX_UNAVAILABLE"]);
    // Its vector is in the ledger, so what words find scores as ever.
    expect(found.hits[0]).toEqual(whole.hits[0]);
    spy.mockRestore();
  }
  for (const method of ["search", "statistics", "frequencies"] as const) {
    const spy = vi.spyOn(opened.textIndex, method).mockImplementation(down);
    const found = await opened.loci.recall(question);
    expect(found.hits[0]?.memory.id).toBe(whole.hits[0]?.memory.id);
    expect(found.degraded).toEqual(spy.mock.calls.length > 0 ? ["TEXT_INDEX_UNAVAILABLE"] : []);
    spy.mockRestore();
  }
  const context = await opened.loci.assemble({ query: question.query, recall: { scopes: [scope] } });
  expect(context.warnings.map(({ reason }) => reason)).not.toContain("RECALL_DEGRADED");
});

test("what was written a moment ago is found with one index down", async () => {
  await opened.engine.drainers.pause();
  await opened.loci.memories.remember({ text: "The music starts at lunch.", scope });
  const ask = { query: "When does the music start?", scopes: [scope] } as const;
  for (const index of [opened.vectors, opened.textIndex]) {
    const spy = vi.spyOn(index, "search").mockImplementation(down);
    expect((await opened.loci.recall(ask)).hits[0]?.text).toBe("The music starts at lunch.");
    spy.mockRestore();
  }
  opened.engine.drainers.resume();
});

test("with both down it is an error, and what the caller did wrong stays one", async () => {
  const vectors = vi.spyOn(opened.vectors, "search").mockImplementation(down);
  const text = vi.spyOn(opened.textIndex, "search").mockImplementation(down);
  await expect(opened.loci.recall(question)).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
  text.mockRestore();
  vectors.mockRejectedValue(new LociError("INVALID_FILTER", { message: "No.", field: "where", advice: "Mend it." }));
  await expect(opened.loci.recall(question)).rejects.toMatchObject({ reason: "INVALID_FILTER" });
  vectors.mockRestore();
  const controller = new AbortController();
  vi.spyOn(opened.vectors, "search").mockImplementation(() => {
    controller.abort();
    return down();
  });
  await expect(opened.loci.recall(question, { signal: controller.signal })).rejects.toMatchObject({
    reason: "STORE_UNAVAILABLE",
  });
});
