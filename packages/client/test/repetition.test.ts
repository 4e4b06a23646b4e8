import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { proto } from "@loci/api";
import { LociError, type MemoryId } from "@loci/domain";
import { expect, onTestFinished, test, vi } from "vitest";
import { client, connected, errorOf } from "./fixture.ts";
import { startTestServer, type TestServer, untilCancelled } from "./test-server.ts";

const unavailable = new LociError("STORE_UNAVAILABLE", { message: "The ledger is busy." });
const id = "0192f0c1-2345-7abc-8def-0123456789ab" as MemoryId;

const count = { tokens: 1, tokenizer: "o200k_base", estimated: false };

function failing(times: number, error: LociError = unavailable): () => unknown {
  let left = times;
  return () => (left-- > 0 ? Promise.reject(error) : count);
}

/** Passes bytes on to a server, until it drops all connections as a machine does that loses its power. */
async function startProxy(port: number): Promise<{ readonly address: string; drop(): void }> {
  const sockets: Socket[] = [];
  const proxy = createServer((inner) => {
    const outer = connect(port, "127.0.0.1");
    sockets.push(inner, outer);
    for (const socket of [inner, outer]) socket.on("error", () => undefined);
    inner.pipe(outer).pipe(inner);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    drop();
    proxy.close();
  });
  return { address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, drop };
}

function requestIds(server: TestServer): string[] {
  return server.calls.map(({ request }) => (request as { requestId: string }).requestId);
}

test("a read is repeated while the server is unavailable", async () => {
  const { loci, server } = await connected(failing(2));
  await loci.tokens.count({ text: "text" });
  expect(server.calls).toHaveLength(3);
});

test("a write is repeated with one idempotency key, another one for each call", async () => {
  const { loci, server } = await connected(failing(2));
  await loci.memories.forget(id);
  await loci.memories.forget(id);
  const [first, second, third, other] = requestIds(server);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect([second, third]).toEqual([first, first]);
  expect(other).not.toBe(first);
});

test("a call that the server asks to come back later has not begun, and is made again then, whatever it is", async () => {
  const later = (retryAfterMilliseconds: string): LociError =>
    new LociError("TOO_MANY_REQUESTS", { message: "Too many.", details: { retryAfterMilliseconds } });
  const { loci, server } = await connected(failing(1, later("200")));
  const start = performance.now();
  await loci.memories.markUsed([id]);
  expect(performance.now() - start).toBeGreaterThan(190);
  expect(server.calls).toHaveLength(2);

  // Not when that would be too late, nor when nothing is said of when.
  const late = await connected(failing(1, later("60000")));
  await errorOf(late.loci.memories.markUsed([id], { deadline: Date.now() + 30_000 }));
  const busy = await connected(failing(1, new LociError("TOO_MANY_REQUESTS", { message: "Busy." })));
  await errorOf(busy.loci.tokens.count({ text: "text" }));
  expect([late.server.calls.length, busy.server.calls.length]).toEqual([1, 1]);
});

test("a server that wants to be left alone for longer than a timer runs is left alone", async () => {
  const asked = new LociError("TOO_MANY_REQUESTS", {
    message: "Too many.",
    details: { retryAfterMilliseconds: String(2 ** 33) },
  });
  const { loci, server } = await connected(failing(1, asked));
  const end = new AbortController();
  const inYears = Date.now() + 10 * 365 * 86_400_000;
  const waiting = errorOf(loci.memories.markUsed([id], { deadline: inYears, signal: end.signal }));
  await expect.poll(() => server.calls.length).toBe(1);
  // Beyond the pause between two attempts.
  await sleep(400);
  expect(server.calls).toHaveLength(1);
  end.abort();
  expect(await waiting).toMatchObject({ code: "CANCELLED" });
});

test("a caller's own idempotency key is kept", async () => {
  const { loci, server } = await connected(failing(1));
  await loci.memories.forget(id, undefined, { requestId: "mine" });
  expect(requestIds(server)).toEqual(["mine", "mine"]);
});

test("a write whose answer was lost because the server stopped is repeated with the same key", async () => {
  const first = await startTestServer(untilCancelled);
  onTestFinished(first.stop);
  const loci = client({ address: first.address });
  const forgotten = loci.memories.forget(id);
  forgotten.catch(() => undefined);
  await expect.poll(() => first.calls.length).toBe(1);
  first.stop();
  const second = await startTestServer(() => ({}), { port: first.port });
  onTestFinished(second.stop);
  await forgotten;
  expect(requestIds(second)).toEqual(requestIds(first));
});

test("a write whose answer was lost with the connection is repeated with the same key", async () => {
  let isFirst = true;
  const server = await startTestServer((call) => {
    const answer = isFirst ? untilCancelled(call) : {};
    isFirst = false;
    return answer;
  });
  onTestFinished(server.stop);
  const proxy = await startProxy(server.port);
  const loci = client({ address: proxy.address });
  const forgotten = loci.memories.forget(id);
  forgotten.catch(() => undefined);
  await expect.poll(() => server.calls.length).toBe(1);
  proxy.drop();
  await forgotten;
  const [first, second] = requestIds(server);
  expect(second).toBe(first);
});

test("a server that comes up a little later is found", async () => {
  const probe = await startTestServer(() => ({}));
  probe.stop();
  const loci = client({ address: probe.address });
  const counted = loci.tokens.count({ text: "text" });
  const server = await startTestServer(() => count, {
    port: probe.port,
  });
  onTestFinished(server.stop);
  expect(await counted).toMatchObject({ tokens: 1 });
});

test("what must not happen twice and has no key is not repeated", async () => {
  const { loci, server } = await connected(failing(1));
  await expect(loci.memories.markUsed([id])).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
  expect(server.calls).toHaveLength(1);
});

test("what a model call used is sent again with the same key, so that it is counted once", async () => {
  let failures = 1;
  const { loci, server } = await connected(() =>
    failures-- > 0 ? Promise.reject(unavailable) : { totals: proto.ModelUsageTotals.create() },
  );
  const call = { model: "gpt-5", inputTokens: 1, outputTokens: 1 };
  await loci.budget.record(call);
  await loci.budget.record(call, { requestId: "mine" });
  const [first, second, own] = requestIds(server);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect([second, own]).toEqual([first, "mine"]);
});

test.each(["INVALID_TEXT", "VERSION_CONFLICT", "TOO_MANY_REQUESTS", "INTERNAL"] as const)(
  "%s is not repeated",
  async (reason) => {
    const { loci, server } = await connected(failing(1, new LociError(reason, { message: "no" })));
    await expect(loci.memories.get(id)).rejects.toMatchObject({ reason });
    expect(server.calls).toHaveLength(1);
  },
);

test("repeating ends, with the server's own error, where no call was answered before", async () => {
  const { loci, server } = await connected(failing(100));
  await expect(loci.tokens.count({ text: "text" })).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
  expect(server.calls).toHaveLength(7);
});

test("a call is sent as often as the client says", async () => {
  const { loci, server } = await connected(failing(100), { maxAttempts: 2 });
  await expect(loci.tokens.count({ text: "text" })).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
  expect(server.calls).toHaveLength(2);
});

test("a server that is killed, and back after more than seven attempts, is not noticed", async () => {
  // The shortest pauses there are: the eighth attempt comes after 3.5 seconds.
  vi.spyOn(Math, "random").mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const { loci, server } = await connected(() => count);
  await loci.tokens.count({ text: "text" });
  server.stop();
  const asked = loci.tokens.count({ text: "text" });
  await sleep(3_000);
  const back = await startTestServer(() => count, { port: Number(server.address.split(":").at(-1)) });
  onTestFinished(back.stop);
  expect(await asked).toEqual(count);
  expect(back.calls).toHaveLength(1);
});

test("repeating ends before the deadline", async () => {
  // Only what the clock shows is the test's: nothing is late because the machine is busy.
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const deadline = Date.now() + 60_000;
  const { loci, server } = await connected(() => {
    if (server.calls.length === 2) vi.setSystemTime(deadline - 10);
    return Promise.reject(unavailable);
  });
  await expect(loci.tokens.count({ text: "text" }, { deadline })).rejects.toMatchObject({
    reason: "STORE_UNAVAILABLE",
  });
  expect(server.calls).toHaveLength(2);
});

test("a server that is not there: where it was tried and what to check", async () => {
  const { address, stop } = await startTestServer(() => ({}));
  stop();
  const loci = client({ address });
  const error = await errorOf(loci.memories.get(id));
  expect(error).toMatchObject({ code: "UNAVAILABLE", reason: "SERVER_UNAVAILABLE", resource: address });
  expect(error.message).toContain(address);
  expect(error.message).toContain("ECONNREFUSED");
  expect(error.advice).toContain("loci serve");
});
