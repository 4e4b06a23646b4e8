import { connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectServer, type ConnectServerOptions } from "../src/index.ts";
import { errorOf } from "./fixture.ts";
import { startTestServer, type Handler } from "./test-server.ts";

const count = { tokens: 1, tokenizer: "o200k_base", estimated: false };

/** A server, and how many connections it was called on. */
async function counted(handler: Handler): Promise<{ readonly address: string; readonly connections: Socket[] }> {
  const server = await startTestServer(handler);
  const connections: Socket[] = [];
  const proxy = createServer((socket) => {
    connections.push(socket);
    const onward = connect(server.port, "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on("error", () => undefined);
  });
  const port = await new Promise<number>((resolve) =>
    proxy.listen(0, "127.0.0.1", () => resolve((proxy.address() as { port: number }).port)),
  );
  onTestFinished(() => {
    proxy.close();
    for (const socket of connections) socket.destroy();
    server.stop();
  });
  return { address: `127.0.0.1:${port}`, connections };
}

test("many callers share a connection, and each call goes out with its own key", async () => {
  const seen: (string | undefined)[] = [];
  const { address, connections } = await counted(({ authorization }) => {
    seen.push(authorization);
    return count;
  });
  await using server = connectServer({ address });
  const keys = Array.from({ length: 50 }, (_, number) => `loci_key_${number}`);
  await Promise.all(keys.map((key) => server.for(key).tokens.count({ text: "text" })));
  expect(seen).toHaveLength(keys.length);
  expect(new Set(seen)).toEqual(new Set(keys.map((key) => `Bearer ${key}`)));
  expect(connections).toHaveLength(1);
});

test("one caller who closes ends their own calls, and the others go on", async () => {
  const started = Promise.withResolvers<void>();
  const { address, connections } = await counted(({ authorization, cancelled }) => {
    if (authorization !== "Bearer slow") return count;
    started.resolve();
    return new Promise((_, reject) => cancelled.addEventListener("abort", () => reject(new Error("cancelled"))));
  });
  await using server = connectServer({ address });
  const [slow, other] = [server.for("slow"), server.for("other")];
  const end = new AbortController();
  const waiting = errorOf(slow.tokens.count({ text: "text" }, { signal: end.signal }));
  await started.promise;
  end.abort();
  expect((await waiting).reason).toBe("CANCELLED");
  await slow.close();
  expect((await errorOf(slow.tokens.count({ text: "text" }))).reason).toBe("CLOSED");
  expect(await other.tokens.count({ text: "text" })).toEqual(count);
  expect(connections.map(({ closed, readableEnded }) => closed || readableEnded)).toEqual([false]);
});

test("after the connection is closed nothing is called any more, and what is under way is answered", async () => {
  const started = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<unknown>();
  const { address, connections } = await counted(() => {
    started.resolve();
    return answer.promise;
  });
  const server = connectServer({ address });
  const loci = server.for("key");
  const waiting = loci.tokens.count({ text: "text" });
  await started.promise;
  const closed = server.close();
  expect((await errorOf(loci.tokens.count({ text: "text" }))).reason).toBe("CLOSED");
  answer.resolve(count);
  expect(await waiting).toEqual(count);
  await closed;
  await expect.poll(() => connections[0]?.readableEnded).toBe(true);
});

test("a key in the options is refused, as it would be everybody's", () => {
  const options = { address: "127.0.0.1:1", apiKey: "loci_secret" } as ConnectServerOptions;
  expect(() => connectServer(options)).toThrow(expect.objectContaining({ reason: "INVALID_CONFIGURATION" }));
});
