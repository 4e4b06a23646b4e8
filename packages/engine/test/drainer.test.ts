import { type Instant, LociError } from "@loci/domain";
import { openMemoryTextIndex } from "@loci/store-memory";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { everything, TestEngine } from "./support/test-engine.ts";

const scope = "user:alice";
const { tenant } = everything;

test("an index that fails is tried again, and nothing is lost", async () => {
  const textIndex = openMemoryTextIndex();
  const apply = textIndex.apply.bind(textIndex);
  let failures = 3;
  textIndex.apply = async (...call) => {
    if (failures-- > 0) throw new LociError("STORE_UNAVAILABLE", { message: "The index was told to fail." });
    return apply(...call);
  };
  await using opened = await TestEngine.open({ textIndex });
  await opened.loci.memories.rememberMany([
    { text: "The theme is Solarized.", scope },
    { text: "Lunch is at noon.", scope },
  ]);
  await opened.loci.settled();
  expect(opened.problems).toHaveLength(3);
  expect(await textIndex.checkpoint(tenant)).toBe(2);
  const { hits } = await opened.loci.recall({ query: "theme", scopes: [scope] });
  expect(hits).toHaveLength(1);
});

describe("an index that fails for ever", () => {
  let opened: TestEngine;
  let later = 0;
  beforeEach(async () => {
    const textIndex = openMemoryTextIndex();
    textIndex.apply = () =>
      Promise.reject(new LociError("DISK_FULL", { message: "The disk is full.", advice: "Make room." }));
    opened = await TestEngine.open({ textIndex });
    later = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + later);
    await opened.loci.memories.remember({ text: "The theme is Solarized.", scope });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await opened[Symbol.asyncDispose]();
  });

  test("is not tried more often because somebody waits for it", async () => {
    const end = AbortSignal.timeout(1_500);
    await expect(opened.loci.settled({ signal: end })).rejects.toMatchObject({ reason: "CANCELLED" });
    expect(opened.problems.length).toBeGreaterThan(2);
    expect(opened.problems.length).toBeLessThan(10);
  });

  test("ends the waiting with its reason, of verification too", async () => {
    const waiting = [opened.loci.settled(), opened.as({ roles: ["read", "write", "admin"] }).maintenance.verify()];
    const failed = Promise.allSettled(waiting);
    await expect.poll(() => opened.problems.length).toBeGreaterThan(2);
    later = 20_000;
    const told = expect.objectContaining({
      reason: "DISK_FULL",
      message: expect.stringContaining("text:memory has not caught up with what is stored") as string,
      advice: expect.stringContaining("What was written is stored") as string,
    }) as LociError;
    expect(await failed).toEqual([
      { status: "rejected", reason: told },
      { status: "rejected", reason: told },
    ]);
  });
});

test("indexes that were lost are built again when the engine opens", async () => {
  await using opened = await TestEngine.open();
  const inputs = Array.from({ length: 600 }, (_, index) => ({ text: `Fact number ${index}.`, scope }) as const);
  const memories = await opened.loci.memories.rememberMany(inputs);
  const [first] = memories;
  if (first !== undefined) await opened.loci.memories.forget(first.id);
  await opened.loci.settled();
  await opened.reopen();
  await opened.indexesCaughtUp();
  expect(await opened.vectors.count(tenant)).toBe(599);
  const refs: string[] = [];
  for await (const { ref } of opened.textIndex.refs(tenant)) refs.push(ref);
  expect(refs.toSorted()).toEqual(memories.slice(1).map(({ id }) => id as string));
});

test("what the indexes hold is acknowledged in the ledger", async () => {
  await using opened = await TestEngine.open();
  await opened.loci.memories.remember({ text: "The theme is Solarized.", scope });
  await opened.loci.settled();
  const behind = async (): Promise<number> => (await opened.ledger.pending("text:memory")).length;
  await expect.poll(behind).toBe(0);
});

test("recall waits for indexes that are far behind, and then says so", async () => {
  await using opened = await TestEngine.open();
  await opened.engine.drainers.pause();
  for (let batch = 0; batch < 3; batch++)
    await opened.loci.memories.rememberMany(
      Array.from({ length: 700 }, (_, index) => ({ text: `Fact ${batch} number ${index}.`, scope }) as const),
    );
  const question = { query: "fact number 5", scopes: [scope] } as const;
  const behind = await opened.loci.recall(question, { deadline: Date.now() + 30_000 });
  expect(behind.degraded).toEqual(["INDEX_BEHIND"]);
  expect(behind.hits.length).toBeGreaterThan(0);
  opened.engine.drainers.resume();
  expect((await opened.loci.recall(question)).degraded).toEqual([]);
});

test("where the best candidates cannot be recalled, the next best are found", async () => {
  await using opened = await TestEngine.open();
  const now: Instant = opened.now;
  // The more often a text says it, the better it ranks: the best 800 of 1,000 are gone.
  const inputs = Array.from({ length: 1_000 }, (_, index) => ({
    text: `deploy${" deploy".repeat(index % 7)} of orchard ${index} ${index < 800 ? "deploy ".repeat(10) : "went well"}`,
    scope: scope as "user:alice",
    createdAt: now - 1_000 + index,
    ...(index < 400 ? { expiresAt: now } : {}),
  }));
  const memories = await opened.loci.memories.rememberMany(inputs);
  await opened.loci.settled();
  await opened.engine.drainers.pause();
  for (const { id } of memories.slice(400, 800)) await opened.loci.memories.forget(id);
  const request = { query: "deploy", scopes: [scope], evaluationTime: now, limit: 15, maxTokens: 10_000 } as const;
  const paused = await opened.loci.recall(request);
  expect(paused.hits).toHaveLength(15);
  const living = new Set(memories.slice(800).map(({ id }) => id));
  expect(paused.hits.every(({ memory }) => living.has(memory.id))).toBe(true);
  opened.engine.drainers.resume();
  await opened.loci.settled();
  const settled = await opened.loci.recall(request);
  expect(settled.hits).toEqual(paused.hits);
});
