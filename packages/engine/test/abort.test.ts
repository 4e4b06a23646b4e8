import type { CallOptions, Loci } from "@loci/domain";
import { expect, test } from "vitest";
import { everything, TestEngine } from "./support/test-engine.ts";

const scope = "user:alice";

const writes: Readonly<Record<string, (loci: Loci, options: CallOptions) => Promise<unknown>>> = {
  remember: (loci, options) => loci.memories.remember({ text: "New.", scope }, options),
  rememberMany: (loci, options) => loci.memories.rememberMany([{ text: "New.", scope }], options),
  rememberConversation: (loci, options) =>
    loci.memories.rememberConversation({ scope, turns: [{ id: "1", speaker: "A", content: "B", at: 0 }] }, options),
};

for (const [name, write] of Object.entries(writes)) {
  test(`${name} writes nothing once it was aborted`, async () => {
    await using opened = await TestEngine.open({ embeddingTimeLimit: 60_000 });
    opened.embedder.state = "hangs";
    const controller = new AbortController();
    const writing = write(opened.loci, { signal: controller.signal });
    await expect.poll(() => opened.embedder.calls.length).toBe(1);
    controller.abort();
    await expect(writing).rejects.toMatchObject({ reason: "CANCELLED" });
    await expect(write(opened.loci, { deadline: Date.now() + 30 })).rejects.toMatchObject({
      reason: "DEADLINE_EXCEEDED",
    });
    opened.embedder.state = "works";
    await opened.loci.settled();
    expect(await opened.ledger.head(everything.tenant)).toBe(0);
  });
}

test("an append that makes memories writes nothing once it was aborted", async () => {
  await using opened = await TestEngine.open({ embeddingTimeLimit: 60_000 });
  const key = { scope, id: "s" } as const;
  await opened.loci.sessions.create({ ...key, rememberTurns: true });
  opened.embedder.state = "hangs";
  const controller = new AbortController();
  const request = { expectedLast: 0, turns: [{ role: "user", content: "New." }] } as const;
  const writing = opened.loci.sessions.append(key, request, { signal: controller.signal });
  await expect.poll(() => opened.embedder.calls.length).toBe(1);
  controller.abort();
  await expect(writing).rejects.toMatchObject({ reason: "CANCELLED" });
  opened.embedder.state = "works";
  expect((await opened.loci.sessions.get(key)).lastTurn).toBe(0);
  expect((await opened.loci.memories.list({ scopes: [scope] })).memories).toEqual([]);
});

test("a call aborted at any moment has either written everything or nothing", async () => {
  await using opened = await TestEngine.open();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, async (_, index) => {
      const controller = new AbortController();
      const writing = opened.loci.memories.remember({ text: `Fact ${index}.`, scope }, { signal: controller.signal });
      setTimeout(() => controller.abort(), index / 10);
      return writing;
    }),
  );
  const written = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.text] : []));
  const { memories } = await opened.loci.memories.list({ scopes: [scope], pageSize: 100 });
  expect(memories.map(({ text }) => text).toSorted()).toEqual(written.toSorted());
});

test.each([
  ["a short text", "My password: hunter2hunter2."],
  ["a long text", `My password: hunter2hunter2. ${"It goes on, 4111 1111 1111 1112. ".repeat(1_500)}`],
])("a call that ends when its write is done has been carried out: %s", async (_name, text) => {
  await using opened = await TestEngine.open();
  const controller = new AbortController();
  opened.ledger.onCommitted(() => controller.abort());
  const stored = await opened.loci.memories.remember({ text, scope }, { signal: controller.signal });
  expect(stored.warnings).toMatchObject([{ reason: "HOLDS_SECRET" }]);
});

test("closing ends calls that do not end by themselves", { timeout: 30_000 }, async () => {
  await using opened = await TestEngine.open({ embeddingTimeLimit: 60_000 });
  opened.embedder.state = "hangs";
  const writing = opened.loci.memories.remember({ text: "New.", scope });
  const [outcome] = await Promise.allSettled([writing, opened.engine.close()]);
  expect(outcome).toMatchObject({ status: "rejected", reason: { reason: "CLOSED" } });
});

test("closing waits for calls that end, and records usage", async () => {
  await using opened = await TestEngine.open();
  const { id } = await opened.loci.memories.remember({ text: "The first.", scope });
  await opened.loci.memories.markUsed([id]);
  const writing = opened.loci.memories.remember({ text: "The last.", scope });
  await opened.engine.close();
  expect((await writing).version).toBe(1);
  await opened.reopen();
  expect((await opened.loci.memories.get(id)).usage.accessCount).toBe(1);
});
