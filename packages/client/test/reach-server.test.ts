import { createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectLoci } from "../src/index.ts";
import { client, connected, errorOf } from "./fixture.ts";

const count = { tokens: 1, tokenizer: "o200k_base", estimated: false };

/** Takes connections and says nothing, as a process does that is stopped. @returns its address */
async function startSilent(): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const notReached = {
  reason: "SERVER_UNAVAILABLE",
  message: expect.stringMatching(/^No connection to 127\.0\.0\.1:\d+ came about within 0\.2 s\.$/) as string,
};

test("a server that says nothing is given up after the time for a connection, by calls and streams", async () => {
  const loci = client({ address: await startSilent(), connectTimeoutMilliseconds: 200 });
  const start = performance.now();
  expect(await errorOf(loci.tokens.count({ text: "text" }))).toMatchObject(notReached);
  const watched = loci.memories.watch({ scopes: ["global"] })[Symbol.asyncIterator]();
  expect(await errorOf(watched.next())).toMatchObject(notReached);
  expect(performance.now() - start).toBeLessThan(10_000);
});

test("the deadline and the signal of a call end it before", async () => {
  const loci = client({ address: await startSilent(), connectTimeoutMilliseconds: 60_000 });
  const late = loci.tokens.count({ text: "text" }, { deadline: Date.now() + 100 });
  expect(await errorOf(late)).toMatchObject({ reason: "DEADLINE_EXCEEDED" });
  const ending = new AbortController();
  const ended = loci.tokens.count({ text: "text" }, { signal: ending.signal });
  setTimeout(() => ending.abort(), 100);
  const start = performance.now();
  expect(await errorOf(ended)).toMatchObject({ reason: "CANCELLED" });
  expect(performance.now() - start).toBeLessThan(10_000);
});

test("a connection may take 5 s when nothing is said", async () => {
  const loci = client({ address: await startSilent() });
  const start = performance.now();
  expect(await errorOf(loci.tokens.count({ text: "text" }))).toMatchObject({
    reason: "SERVER_UNAVAILABLE",
    message: expect.stringMatching(/^No connection to .* came about within 5 s\.$/) as string,
  });
  expect(performance.now() - start).toBeGreaterThan(4_900);
  expect(performance.now() - start).toBeLessThan(15_000);
}, 30_000);

test("a server that answers, and one that refuses, are told as ever", async () => {
  const { loci } = await connected(() => count, { connectTimeoutMilliseconds: 20_000 });
  expect(await loci.tokens.count({ text: "text" })).toEqual(count);
  const refused = client({ address: "127.0.0.1:1", connectTimeoutMilliseconds: 20_000 });
  expect(await errorOf(refused.tokens.count({ text: "text" }))).toMatchObject({
    reason: "SERVER_UNAVAILABLE",
    message: expect.stringContaining("ECONNREFUSED") as string,
  });
});

test.each(["connection", "call"])(
  "a server that ends the %s with an error, as after too many calls given up, is asked again and then unavailable",
  async (what) => {
    let sessions = 0;
    const server = createHttp2Server().on("stream", (stream) => {
      sessions++;
      stream.on("error", () => undefined);
      // What Node does to a caller that has reset too many calls.
      if (what === "connection") stream.session?.goaway(2);
      else stream.close(2);
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const loci = client({ address: `127.0.0.1:${(server.address() as AddressInfo).port}` });
    expect(await errorOf(loci.tokens.count({ text: "text" }))).toMatchObject({
      reason: "SERVER_UNAVAILABLE",
      message: expect.stringContaining("The connection was dropped.") as string,
    });
    expect(sessions).toBe(7);
  },
);

test("a time that is none is refused", () => {
  expect(() => connectLoci({ address: "127.0.0.1:1", connectTimeoutMilliseconds: 0 })).toThrow(
    "connectTimeoutMilliseconds must be a whole number",
  );
});
