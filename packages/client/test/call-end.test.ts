import { getEventListeners } from "node:events";
import { LociError, type MemoryId } from "@loci/domain";
import { expect, onTestFinished, test } from "vitest";
import { connectLoci } from "../src/index.ts";
import { connected, errorOf } from "./fixture.ts";
import { startTestServer, untilCancelled } from "./test-server.ts";

const id = "0192f0c1-2345-7abc-8def-0123456789ab" as MemoryId;

test("a call that takes longer than the timeout ends, on the server too", async () => {
  const { loci, server } = await connected(
    (call) => (call.method === "countTokens" ? { tokens: 1, tokenizer: "t", estimated: false } : untilCancelled(call)),
    { timeoutMilliseconds: 1_000 },
  );
  // Connected before: a call that has no connection within its time never gets to the server.
  await loci.tokens.count({ text: "text" }, { deadline: Date.now() + 30_000 });
  await expect(loci.memories.get(id)).rejects.toMatchObject({
    reason: "DEADLINE_EXCEEDED",
    message: `${server.address} did not answer within 1 s, as long as this client waits for a call without a deadline.`,
    advice: expect.stringContaining("whether the server there is stopped") as string,
  });
  await expect.poll(() => server.calls[1]?.cancelled.aborted).toBe(true);
});

test("a caller's deadline goes before the timeout, shorter or longer", async () => {
  const { loci } = await connected(
    ({ method }) => new Promise((resolve) => void setTimeout(resolve, method === "getMemory" ? 5_000 : 200, {})),
    { timeoutMilliseconds: 100 },
  );
  await loci.memories.forget(id, undefined, { deadline: Date.now() + 30_000 });
  await expect(loci.memories.get(id, { deadline: Date.now() + 50 })).rejects.toMatchObject({
    reason: "DEADLINE_EXCEEDED",
  });
});

test("a call whose deadline has passed is not made", async () => {
  const { loci, server } = await connected(() => ({}));
  await expect(loci.memories.get(id, { deadline: Date.now() - 1 })).rejects.toMatchObject({
    reason: "DEADLINE_EXCEEDED",
  });
  expect(server.calls).toEqual([]);
});

test("aborting ends the call, on the server too", async () => {
  const { loci, server } = await connected(untilCancelled);
  const controller = new AbortController();
  const call = errorOf(loci.memories.get(id, { signal: controller.signal }));
  await expect.poll(() => server.calls.length).toBe(1);
  controller.abort();
  expect(await call).toMatchObject({ reason: "CANCELLED" });
  await expect.poll(() => server.calls[0]?.cancelled.aborted).toBe(true);
});

test("a LociError as the reason of an abort comes out again", async () => {
  const { loci } = await connected(untilCancelled);
  const reason = new LociError("TOO_MANY_REQUESTS", { message: "slow down" });
  await expect(loci.memories.get(id, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test("aborting ends the pause before a repetition", async () => {
  const controller = new AbortController();
  const { loci, server } = await connected(() => {
    setTimeout(() => controller.abort(), 10);
    const details = { retryAfterMilliseconds: "60000" };
    return Promise.reject(new LociError("TOO_MANY_REQUESTS", { message: "busy", details }));
  });
  const options = { signal: controller.signal, deadline: Date.now() + 600_000 };
  await expect(loci.memories.get(id, options)).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(server.calls).toHaveLength(1);
});

test("a signal that outlives many calls collects no listeners", async () => {
  const { loci } = await connected(() => ({ tokens: 1, tokenizer: "t", estimated: false }));
  const { signal } = new AbortController();
  for (let call = 0; call < 3; call++) await loci.tokens.count({ text: "text" }, { signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("closing lets running calls finish, and refuses later ones", async () => {
  const { loci } = await connected(
    () => new Promise((resolve) => void setTimeout(resolve, 100, { tokens: 1, tokenizer: "t", estimated: false })),
  );
  const counted = loci.tokens.count({ text: "text" });
  await loci.close();
  expect(await counted).toMatchObject({ tokens: 1 });
  await expect(loci.tokens.count({ text: "text" })).rejects.toMatchObject({ reason: "CLOSED" });
  await loci.close();
  await loci[Symbol.asyncDispose]();
});

test("closing drops what takes longer than two seconds", async () => {
  const server = await startTestServer(untilCancelled);
  onTestFinished(server.stop);
  const loci = connectLoci({ address: server.address });
  const call = errorOf(loci.memories.get(id));
  await expect.poll(() => server.calls.length).toBe(1);
  const start = Date.now();
  await loci.close();
  expect(Date.now() - start).toBeLessThan(20_000);
  expect(await call).toMatchObject({ reason: "CLOSED" });
});

test("256 calls at once on one connection", async () => {
  const { loci } = await connected(({ request }) => ({
    tokens: (request as { text: string }).text.length,
    tokenizer: "t",
    estimated: false,
  }));
  const texts = Array.from({ length: 256 }, (_, index) => "x".repeat(index));
  const counted = await Promise.all(texts.map((text) => loci.tokens.count({ text })));
  expect(counted.map(({ tokens }) => tokens)).toEqual(texts.map((text) => text.length));
});

test("messages that are too large, both ways", async () => {
  const { loci } = await connected(() => ({ tokens: 1, tokenizer: "t".repeat(2_000), estimated: false }), {
    maxMessageBytes: 1_000,
  });
  await expect(loci.tokens.count({ text: "x".repeat(2_000) })).rejects.toMatchObject({ reason: "MESSAGE_TOO_LARGE" });
  await expect(loci.tokens.count({ text: "x" })).rejects.toMatchObject({ reason: "MESSAGE_TOO_LARGE" });
});
