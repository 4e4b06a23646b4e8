import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { delegatedToken } from "@loci/client";
import { expect, test } from "vitest";
import { startHttpServer } from "./mcp-http-server.ts";

const changes = { resourceSubscriptions: ["loci://scope/user/ann"] };

test("who listens with a token that ends is told so, and gets 401 from then on", async () => {
  await using server = await startHttpServer();
  const token = delegatedToken({
    apiKey: server.keys.acme,
    scopes: ["user:ann"],
    roles: ["read"],
    expiresInSeconds: 2,
  });
  const client = await server.connect(token);
  const { closed } = await client.listen(changes);
  const stillOpen = sleep(10_000, "still open", { ref: false });
  expect(await Promise.race([closed, stillOpen])).toBe("graceful");
  await expect(client.callTool({ name: "recall", arguments: { query: "x" } })).rejects.toMatchObject({
    data: { status: 401, text: expect.stringMatching(/The delegated token expired at 20.*Make another one/) },
  });
});

test("what is under way when the server ends is answered, and who listens is told that it ends", async () => {
  const end = new AbortController();
  await using server = await startHttpServer({ signal: end.signal });
  const listener = await server.connect(server.keys.acme);
  const { closed } = await listener.listen(changes);
  const caller = await server.connect(server.keys.writer);
  const messages = Array.from({ length: 200 }, (_, turn) => ({
    role: "user",
    content: `Firing ${turn}: ${"the kiln is hot. ".repeat(200)}`,
  }));
  const isUnderWay = nextRequest("tools/call");
  const call = caller.callTool({ name: "assemble_context", arguments: { query: "Is the kiln hot?", messages } });
  await isUnderWay;
  const began = performance.now();
  end.abort();
  expect(await call).toMatchObject({ structuredContent: { text: expect.stringContaining("Is the kiln hot?") } });
  expect(await closed).toBe("graceful");
  // Nobody is waited for who keeps a connection open.
  expect(performance.now() - began).toBeLessThan(2_000);
});

/** Resolves when a server of this process has begun to answer a request for the method. */
function nextRequest(method: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const channel = "http.server.request.start";
  const onStart = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage };
    if (request.headers["mcp-method"] !== method) return;
    unsubscribe(channel, onStart);
    resolve();
  };
  subscribe(channel, onStart);
  return promise;
}
