import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryToProto, type proto } from "@loci/api";
import { LociError, type Memory, type MemoryChange } from "@loci/domain";
import { expect, onTestFinished, test, vi } from "vitest";
import { FixedServer } from "../src/called-server.ts";
import { lociOn } from "../src/connect-loci.ts";
import { openConnection } from "../src/server-connection.ts";
import { client, connected, errorOf } from "./fixture.ts";
import { sampleMemory } from "./sample-memory.ts";
import { type ReceivedCall, startTestServer, untilCancelled } from "./test-server.ts";

const cursor = (number: number): string => `${number}.0123456789abcdef`;
const reached = (number: number): proto.WatchMemoriesResponse => ({ cursor: cursor(number), change: undefined });
const removed = (number: number, id: string): proto.WatchMemoriesResponse => ({
  cursor: cursor(number),
  change: { $case: "removedId", value: id },
});
const unavailable = new LociError("SERVER_UNAVAILABLE", { message: "The server is stopping." });
const id = sampleMemory.id;

async function take(changes: AsyncIterable<MemoryChange>, count: number): Promise<readonly MemoryChange[]> {
  const taken: MemoryChange[] = [];
  for await (const change of changes) if (taken.push(change) === count) break;
  return taken;
}

test("a watch asks for its scopes and place, and gives what it is told", async () => {
  const { loci, server } = await connected(async function* () {
    yield { cursor: cursor(4), change: { $case: "written", value: memoryToProto(sampleMemory) } };
    yield removed(5, id);
    yield reached(5);
  });
  const changes = await take(loci.memories.watch({ scopes: ["user:alice"], since: cursor(3) }), 3);
  expect(changes).toStrictEqual([
    { type: "written", cursor: cursor(4), memory: sampleMemory satisfies Memory },
    { type: "removed", cursor: cursor(5), id },
    { type: "reached", cursor: cursor(5) },
  ]);
  const since = { $case: "cursor", value: cursor(3) };
  expect(server.calls).toMatchObject([
    { method: "watchMemories", request: { scopes: [{ id: "alice" }], allScopes: false, since } },
  ]);
});

test.each([
  [undefined, undefined],
  ["now", undefined],
  ["beginning", { $case: "beginning", value: true }],
])("since %s is sent as %o", async (since, sent) => {
  const { loci, server } = await connected(async function* () {
    yield reached(1);
  });
  await take(loci.memories.watch({ scopes: "*", since }), 1);
  expect(server.calls).toMatchObject([{ request: { since: sent } }]);
});

test("a watch whose server goes away goes on at another behind what was told last", async () => {
  const first = await startTestServer(async function* ({ cancelled }: ReceivedCall) {
    yield reached(6);
    yield removed(7, id);
    await new Promise((resolve) => cancelled.addEventListener("abort", resolve));
  });
  const loci = client({ address: first.address });
  const watch = loci.memories.watch({ scopes: "*" })[Symbol.asyncIterator]();
  expect([(await watch.next()).value, (await watch.next()).value]).toMatchObject([
    { cursor: cursor(6) },
    { cursor: cursor(7) },
  ]);
  const next = watch.next();
  first.stop();
  const second = await startTestServer(
    async function* () {
      yield reached(9);
    },
    { port: first.port },
  );
  expect((await next).value).toEqual({ type: "reached", cursor: cursor(9) });
  expect(second.calls).toMatchObject([{ request: { allScopes: true, since: { value: cursor(7) } } }]);
  await watch.return?.();
  second.stop();
});

test("a stream that does not begin is given up as a call is", async () => {
  const { loci, server } = await connected(() => {
    throw unavailable;
  });
  expect((await errorOf(take(loci.memories.watch({ scopes: "*" }), 1))).message).toBe(unavailable.message);
  expect(server.calls).toHaveLength(7);
});

test("a stream that has begun outlasts a server that is away for longer than a call waits for", async () => {
  const { loci, server } = await connected(async function* () {
    const isBack = server.calls.length > 7;
    if (!isBack && server.calls.length > 1) throw unavailable;
    yield reached(isBack ? 2 : 1);
    if (!isBack) throw unavailable;
  });
  const cursors = (await take(loci.memories.watch({ scopes: "*" }), 2)).map((change) => change.cursor);
  expect(cursors).toEqual([cursor(1), cursor(2)]);
  expect(server.calls.at(-1)).toMatchObject({ request: { since: { value: cursor(1) } } });
});

test("a stream that is lost for too long is given up, and says so; one that comes further is not", async () => {
  const server = await startTestServer(async function* () {
    if (server.calls.length < 9) yield { id: String(server.calls.length).padStart(36, id), line: "{}" };
    throw unavailable;
  });
  onTestFinished(server.stop);
  const loci = lociOn(new FixedServer(openConnection({ address: server.address })), 30_000, {
    resumeMilliseconds: 400,
  });
  onTestFinished(() => loci.close());
  const lines: string[] = [];
  const reading = (async () => {
    for await (const exported of loci.memories.export()) lines.push(exported.line);
  })();
  expect(await errorOf(reading)).toMatchObject({
    reason: "SERVER_UNAVAILABLE",
    message: `The stream was lost, and could not be taken up again within 0.4 s: ${unavailable.message}`,
    advice: expect.stringContaining("begin again") as string,
  });
  expect(lines).toHaveLength(8);
  expect(server.calls.length).toBeGreaterThan(9);
});

test("whoever aborts does not wait for a server that is away", async () => {
  const server = await startTestServer(async function* () {
    yield reached(1);
    throw unavailable;
  });
  onTestFinished(server.stop);
  const loci = client({ address: server.address });
  const control = new AbortController();
  const watch = loci.memories.watch({ scopes: "*" }, { signal: control.signal })[Symbol.asyncIterator]();
  await watch.next();
  server.stop();
  const ended = errorOf(watch.next());
  await sleep(500);
  const aborted = performance.now();
  control.abort();
  expect((await ended).reason).toBe("CANCELLED");
  expect(performance.now() - aborted).toBeLessThan(1_000);
});

test("a stream waits for a server that takes connections and says nothing, when it has begun", async () => {
  const first = await startTestServer(async function* ({ cancelled }: ReceivedCall) {
    yield reached(1);
    await new Promise((resolve) => cancelled.addEventListener("abort", resolve));
  });
  const loci = client({ address: first.address, connectTimeoutMilliseconds: 200 });
  const watch = loci.memories.watch({ scopes: "*" })[Symbol.asyncIterator]();
  await watch.next();
  const next = watch.next();
  first.stop();
  const taken = new Set<Socket>();
  const silent = createServer((socket) => void taken.add(socket));
  await new Promise<void>((resolve) => silent.listen(first.port, resolve));
  await vi.waitUntil(() => taken.size > 0, { timeout: 30_000 });
  // Longer than a connection may take.
  await sleep(600);
  const closed = new Promise((resolve) => silent.close(resolve));
  for (const socket of taken) socket.destroy();
  await closed;
  const second = await startTestServer(
    async function* () {
      yield reached(2);
    },
    { port: first.port },
  );
  onTestFinished(second.stop);
  expect((await next).value).toEqual({ type: "reached", cursor: cursor(2) });
  await watch.return?.();
});

test("an export goes on behind the last memory it has read", async () => {
  const ids = [1, 2, 3].map((last) => `${id.slice(0, -1)}${last}`);
  const { loci, server } = await connected(async function* ({ request }: ReceivedCall) {
    const { afterId } = request as proto.MemoryServiceExportMemoriesRequest;
    const left = ids.filter((one) => one > afterId);
    yield { id: left[0], line: "{}" };
    if (left.length > 1) throw unavailable;
  });
  const read: string[] = [];
  for await (const exported of loci.memories.export()) read.push(exported.id);
  expect(read).toEqual(ids);
  expect(server.calls).toMatchObject(["", ids[0], ids[1]].map((afterId) => ({ request: { afterId } })));
});

test("what the server refuses for good ends the stream with its reason", async () => {
  const { loci, server } = await connected(() => {
    throw new LociError("CURSOR_EXPIRED", { message: "Of another ledger.", field: "since" });
  });
  const error = await errorOf(take(loci.memories.watch({ scopes: "*" }), 1));
  expect(error).toMatchObject({ reason: "CURSOR_EXPIRED", field: "since" });
  expect(server.calls).toHaveLength(1);
});

test.each(["leave", "abort", "close"] as const)("the call ends on the server on %s", async (end) => {
  const { loci, server } = await connected(async function* (call: ReceivedCall) {
    yield reached(1);
    await untilCancelled(call);
  });
  const control = new AbortController();
  const watch = loci.memories.watch({ scopes: "*" }, { signal: control.signal })[Symbol.asyncIterator]();
  await watch.next();
  const waiting = end === "leave" ? undefined : errorOf(watch.next());
  if (end === "leave") await watch.return?.();
  else if (end === "abort") control.abort();
  else void loci.close();
  const reasons = { leave: undefined, abort: "CANCELLED", close: "CLOSED" };
  expect((await waiting)?.reason).toBe(reasons[end]);
  const [call] = server.calls;
  if (call?.cancelled.aborted === false)
    await new Promise((resolve) => call.cancelled.addEventListener("abort", resolve));
  expect(call?.cancelled.aborted).toBe(true);
});

test("what cannot be sent is refused before anything is sent", async () => {
  const { loci, server } = await connected(() => undefined);
  for (const [request, reason] of [
    [{ scopes: [] }, "SCOPE_REQUIRED"],
    [{ scopes: "*", since: 7 }, "INVALID_CURSOR"],
    [{ scopes: "*", from: 1 }, "INVALID_REQUEST"],
  ] as const)
    expect((await errorOf(take(loci.memories.watch(request as never), 1))).reason).toBe(reason);
  expect(server.calls).toEqual([]);
});
