import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { request as requestTls } from "node:https";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { delegatedToken } from "@loci/client";
import { LociError } from "@loci/loci";
import { type RefusedRequest, serveMcpHttp } from "@loci/mcp/http";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport2025 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type HttpServer, startHttpServer } from "./mcp-http-server.ts";
import { formOfCaptured, reviewCaptured } from "./reviewed-over-mcp.ts";

let server: HttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const listTools = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

/** What a request gets that is made by hand. */
async function post(
  headers: Readonly<Record<string, string>>,
  { body = listTools, path = "/mcp", method = "POST", url = server.url } = {},
): Promise<{ readonly status: number | undefined; readonly challenge: string | undefined; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof post>>>();
  const sent = request(
    {
      host: url.hostname,
      port: url.port,
      path,
      method,
      headers: {
        authorization: `Bearer ${server.keys.acme}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
    },
    (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => {
        resolve({ status: response.statusCode, challenge: response.headers["www-authenticate"], text });
      });
    },
  );
  sent.on("error", reject);
  sent.end(method === "GET" ? undefined : body);
  return promise;
}

describe("clients", () => {
  test("of 2026 and of 2025 work over HTTP as over standard input", async () => {
    const client = await server.connect(server.keys.acme);
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    await client.callTool({ name: "remember", arguments: { text: "The kiln is fired on Tuesdays." } });
    const old = new Client2025({ name: "old", version: "1" });
    const headers = { authorization: `Bearer ${server.keys.acme}` };
    await old.connect(new Transport2025(server.url, { requestInit: { headers } }));
    const found = { structuredContent: { memories: [{ text: "The kiln is fired on Tuesdays.", scope: "user:ann" }] } };
    const call = { name: "recall", arguments: { query: "When is the kiln fired?" } };
    expect(await old.callTool(call)).toMatchObject(found);
    expect(await client.callTool(call)).toMatchObject(found);
    await old.close();
  });

  test("of another tenant find and read nothing of this one", async () => {
    const memory = await server.loci("acme").memories.remember({ text: "Acme's secret glaze.", scope: "user:ann" });
    const other = await server.connect(server.keys.other);
    const recalled = await other.callTool({ name: "recall", arguments: { query: "secret glaze" } });
    expect(recalled).toMatchObject({ structuredContent: { memories: [] } });
    await expect(other.readResource({ uri: `loci://memory/${memory.id}` })).rejects.toThrow("MEMORY_NOT_FOUND");
  });

  test("work in the scopes that their delegated token names, and in no other", async () => {
    const token = delegatedToken({
      apiKey: server.keys.acme,
      scopes: ["user:bea", "project:kiln", "team:*"],
      roles: ["read", "write"],
      expiresInSeconds: 60,
    });
    const client = await server.connect(token);
    expect(await client.callTool({ name: "remember", arguments: { text: "Bea was here." } })).toMatchObject({
      structuredContent: { scope: "user:bea" },
    });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "recall")?.inputSchema.properties?.["scopes"]).toMatchObject({
      items: { enum: ["user:bea", "project:kiln"] },
    });
    const refused = { name: "remember", arguments: { text: "x", scope: "user:ann" } };
    expect(await client.callTool(refused)).toMatchObject({ isError: true });
  });
});

test("more callers than the server takes connections are served, as they share one", async () => {
  const tokens = Array.from({ length: 100 }, (_, number) =>
    delegatedToken({ apiKey: server.keys.acme, scopes: [`user:${number}`], roles: ["read"], expiresInSeconds: 60 }),
  );
  const answers = tokens.map((token) => post({ authorization: `Bearer ${token}` }));
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("a key that was taken away is refused from the first call on that the server refuses, lists too", async () => {
  await using other = await startHttpServer();
  const client = await other.connect(other.keys.writer);
  await other.revoke("writer");
  const recalled = await client.callTool({ name: "recall", arguments: { query: "anything" } });
  expect(recalled).toMatchObject({ isError: true });
  const { status } = await post({ authorization: `Bearer ${other.keys.writer}` }, { url: other.url });
  expect(status).toBe(401);
});

describe("changes", () => {
  const uri = "loci://scope/user/ann";

  test("are told to those who may read them, and to nobody of another tenant", async () => {
    const heard = { acme: [] as string[], other: [] as string[] };
    for (const key of ["acme", "other"] as const) {
      const client = await server.connect(server.keys[key]);
      client.setNotificationHandler(
        "notifications/resources/updated",
        ({ params }) => void heard[key].push(params.uri),
      );
      await client.listen({ resourceSubscriptions: [uri] });
    }
    const acme = server.loci("acme");
    // The watch may begin a little later than the subscription.
    const told = vi.waitUntil(() => heard.acme.length > 0, { timeout: 30_000 });
    for (let count = 0; count < 5; count++) {
      await acme.memories.remember({ text: `Acme's news ${count}.`, scope: "user:ann" });
      await sleep(200);
    }
    await told;
    expect(new Set(heard.acme)).toEqual(new Set([uri]));
    expect(heard.other).toEqual([]);
  });
});

describe("a person decides", () => {
  test("in a form of the client, over any number of servers, as each call is one for itself", async () => {
    const { id } = await server.loci("acme").memories.remember({ text: "To be forgotten.", scope: "user:ann" });
    const client = await server.connect(server.keys.writer, {
      versionNegotiation: { mode: "auto" },
      capabilities: { elicitation: {} },
    });
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { decision: "forget" } }));
    expect(await client.callTool({ name: "forget", arguments: { id } })).toMatchObject({
      structuredContent: { id, isForgotten: true },
    });
    expect(await client.callTool({ name: "review", arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^ROLE_REQUIRED: /) }],
    });
  });

  test("and nobody with the form of somebody else", async () => {
    const { id } = await server.loci("acme").memories.remember({ text: "It stays.", scope: "user:ann" });
    const how = {
      versionNegotiation: { mode: "auto" },
      capabilities: { elicitation: {} },
      inputRequired: { autoFulfill: false },
    } as const;
    const call = { name: "forget", arguments: { id } };
    const asked = await (await server.connect(server.keys.writer, how)).callTool(call, { allowInputRequired: true });
    const { requestState } = asked as unknown as { requestState: string };
    const inputResponses = { decision: { action: "accept", content: { decision: "forget" } } };
    for (const key of ["acme", "other"] as const) {
      const other = await server.connect(server.keys[key], how);
      await expect(other.callTool({ ...call, inputResponses, requestState } as typeof call)).rejects.toThrow(
        /requestState/,
      );
    }
    expect(await server.loci("acme").memories.get(id)).toMatchObject({ state: "active" });
  });

  test("about what was captured, where the model is shown only what is remembered", async () => {
    await using kiln = await startHttpServer();
    const how = { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: {} } } as const;
    const forms = await reviewCaptured(kiln.loci("acme"), await kiln.connect(kiln.keys.acme, how));
    expect(forms).toEqual([expect.stringMatching(formOfCaptured)]);
    const call = { name: "view_captures", arguments: {} };
    const writers = await (await kiln.connect(kiln.keys.writer)).callTool(call);
    expect(writers.structuredContent).toMatchObject({ captures: [{ session: "monday" }] });
    expect(writers.structuredContent).not.toHaveProperty("waiting");
    const other = await (await kiln.connect(kiln.keys.other)).callTool(call);
    expect(other.structuredContent).toMatchObject({ captures: [], waiting: [] });
  });

  test("by a command, where a client of 2025 cannot be asked", async () => {
    const { id } = await server.loci("acme").memories.remember({ text: "It stays.", scope: "user:ann" });
    const old = new Client2025({ name: "old", version: "1" }, { capabilities: { elicitation: {} } });
    const headers = { authorization: `Bearer ${server.keys.acme}` };
    await old.connect(new Transport2025(server.url, { requestInit: { headers } }));
    expect(await old.callTool({ name: "forget", arguments: { id } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`loci memories forget ${id}`) }],
    });
    await old.close();
  });
});

describe("requests are refused", () => {
  test.each([
    ["without a credential", { authorization: "" }, 401],
    ["with another kind of credential", { authorization: "Basic YTpi" }, 401],
    ["with a key that is none", { authorization: "Bearer loci_acme_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }, 401],
    ["with a token that is none", { authorization: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ." }, 401],
    ["under the name of another host", { host: "evil.example" }, 403],
    ["under a name that only begins alike", { host: "localhost.evil.example:80" }, 403],
    ["from a page of another site", { origin: "https://evil.example" }, 403],
    ["from a page without a site", { origin: "null" }, 403],
    ["with something else than JSON", { "content-type": "text/plain" }, 415],
  ])("%s", async (_, headers, status) => {
    const refused = await post(headers);
    expect(refused.status).toBe(status);
    expect(refused.text).not.toContain("recall");
    expect(refused.challenge?.startsWith('Bearer realm="loci"') ?? false).toBe(status === 401);
  });

  test("at another path, and with another method", async () => {
    expect((await post({}, { path: "/" })).status).toBe(404);
    expect((await post({}, { path: "/mcp/../admin" })).status).toBe(404);
    expect((await post({}, { method: "GET" })).status).toBe(405);
  });

  test("and none of the above when it is as it should be", async () => {
    const { port } = server.url;
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect((await post({ host, origin: `http://localhost:${port}` })).status).toBe(200);
  });

  test("whose token is over", async () => {
    const options = { apiKey: server.keys.acme, scopes: ["user:ann"], roles: ["read"], expiresInSeconds: 1 } as const;
    const token = delegatedToken({ ...options, now: Date.now() - 5_000 });
    const refused = await post({ authorization: `Bearer ${token}` });
    expect(refused).toMatchObject({ status: 401, challenge: expect.stringContaining('error="invalid_token"') });
    expect(refused.text).toContain("expired at");
  });

  test("that are too large, said or not, and the connection goes on to be served", async () => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "ping",
      params: { filler: "x".repeat(5 * 1024 * 1024) },
    });
    expect((await post({ "content-length": String(body.length) }, { body })).status).toBe(413);
    expect((await post({ "transfer-encoding": "chunked" }, { body })).status).toBe(413);
    expect((await post({})).status).toBe(200);
  });

  test("that are too large, and whoever still sends is not cut off before the answer is read", async () => {
    const socket = connectSocket(Number(server.url.port), "127.0.0.1");
    const problems: string[] = [];
    let answers = "";
    socket.on("error", ({ message }) => problems.push(message)).on("close", () => problems.push("closed"));
    socket.on("data", (data: Buffer) => (answers += data.toString()));
    const head = `POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.keys.acme}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n`;
    const part = Buffer.alloc(1024 * 1024, " ");
    socket.write(`${head}content-length: ${20 * part.length}\r\n\r\n`);
    for (let sent = 0; sent < 20; sent++) {
      socket.write(part);
      if (sent === 5) await vi.waitUntil(() => answers.includes("4194304 bytes"));
      await sleep(5);
    }
    // The connection goes on.
    socket.write(`${head}content-length: ${listTools.length}\r\n\r\n${listTools}`);
    await vi.waitUntil(() => answers.includes("HTTP/1.1 200"));
    expect(answers).toMatch(/^HTTP\/1\.1 413 /);
    expect(problems).toEqual([]);
    socket.destroy();
  });

  test("that have more parts than any tool takes, before they are read", async () => {
    const call = (given: string): { readonly body: string } => ({
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":${given}}}`,
    });
    for (const given of [
      `{"query":"x","scopes":[${'"",'.repeat(20_000)}""]}`,
      `{"query":"x","scopes":[${"{},".repeat(20_000)}{}]}`,
      `{"query":${"[".repeat(200)}${"]".repeat(200)}}`,
    ])
      expect(await post({}, call(given))).toMatchObject({ status: 413, text: expect.stringContaining("20000 values") });
    // What looks like parts in a text is none.
    const text = JSON.stringify(`${'",['.repeat(30_000)}\\`);
    expect((await post({}, call(`{"query":${text}}`))).status).toBe(200);
  });

  test("that are no JSON, or no message", async () => {
    for (const body of ["", "{", "[]", "7", '{"jsonrpc":"1.0"}', "\u0000"]) {
      const { status, text } = await post({}, { body });
      expect({ body, status: String(status), isError: text.includes('"error"') }).toEqual({
        body,
        status: expect.stringMatching(/^4/),
        isError: true,
      });
    }
  });
});

describe("a client in a browser", () => {
  const page = "http://inspector.example:6274";
  const asked = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
  let open: HttpServer;
  beforeAll(async () => {
    open = await startHttpServer({ allowedOrigins: [page] });
  });
  afterAll(() => open[Symbol.asyncDispose]());

  async function fetchAs(
    origin: string,
    { method, key = "", url = open.url }: { readonly method: string; readonly key?: string; readonly url?: URL },
  ): Promise<{ readonly status: number; readonly headers: Readonly<Record<string, string>> }> {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof fetchAs>>>();
    // Pages may not say where they are from: browsers do.
    const credential = key === "" ? {} : { authorization: `Bearer ${key}` };
    const types = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const sent = request(
      url,
      { method, headers: { origin, ...types, ...(method === "OPTIONS" ? asked : credential) } },
      (response) => {
        response
          .resume()
          .on("end", () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers as Record<string, string> }),
          );
      },
    );
    sent.on("error", reject).end(method === "POST" ? listTools : undefined);
    return promise;
  }

  test("of a page that was allowed is told what it may send, and may read the answers, refusals too", async () => {
    const preflight = await fetchAs(page, { method: "OPTIONS" });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": page,
        "access-control-allow-headers": expect.stringContaining("authorization") as string,
        "access-control-allow-methods": "GET, POST",
        vary: "origin",
      },
    });
    const readable = {
      "access-control-allow-origin": page,
      "access-control-expose-headers": expect.stringContaining("www-authenticate") as string,
    };
    expect(await fetchAs(page, { method: "POST", key: open.keys.acme })).toMatchObject({
      status: 200,
      headers: readable,
    });
    expect(await fetchAs(page, { method: "POST" })).toMatchObject({ status: 401, headers: readable });
  });

  test.each(["http://inspector.example", "https://inspector.example:6274", "http://evil.example:6274", "null"])(
    "of another page is refused: %s",
    async (origin) => {
      for (const method of ["OPTIONS", "POST"]) {
        const { status, headers } = await fetchAs(origin, { method, key: open.keys.acme });
        expect(status).toBe(403);
        expect(headers).not.toHaveProperty("access-control-allow-origin");
      }
    },
  );

  test("under another name than the server's is refused, whatever page it is of", async () => {
    const url = new URL(open.url);
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const headers = { host: "evil.example", origin: page, ...asked };
    request(url, { method: "OPTIONS", headers }, ({ statusCode }) => resolve(statusCode)).end();
    expect(await promise).toBe(403);
  });

  test("is let in by nobody who has not said so", async () => {
    const { status, headers } = await fetchAs(page, { method: "OPTIONS", url: server.url });
    expect(status).toBe(403);
    expect(headers).not.toHaveProperty("access-control-allow-origin");
    expect(headers).not.toHaveProperty("vary");
  });

  test.each(["*", "inspector.example", "http://inspector.example/", "file:///page.html", "null"])(
    "cannot be allowed as %s, which is no origin",
    async (origin) => {
      await expect(startHttpServer({ allowedOrigins: [origin] })).rejects.toMatchObject({
        reason: "INVALID_CONFIGURATION",
        field: "--allow-origin",
      });
    },
  );
});

test("who is not let in is told of, with why and from where, and nothing that they sent", async () => {
  const refused: RefusedRequest[] = [];
  await using other = await startHttpServer({ onRefused: (refusal) => refused.push(refusal) });
  const { url } = other;
  const wrong = `loci_acme_${"A".repeat(43)}`;
  await post({ authorization: "" }, { url });
  expect(refused).toEqual([]);
  await post({ authorization: `Bearer ${wrong}` }, { url });
  await post({ host: "evil.example" }, { url });
  const from = expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string;
  expect(refused).toEqual([
    { reason: "CREDENTIAL_INVALID", problem: expect.any(String) as string, from },
    { reason: "FOREIGN_REQUEST", problem: expect.any(String) as string, from },
  ]);
  expect(JSON.stringify(refused)).not.toMatch(/AAAA|evil/);
});

test("who runs it hears what failed unexpectedly; the caller is only told that something did", async () => {
  const failures: unknown[] = [];
  const failure = new TypeError("the address of the server is no text");
  await using broken = await startHttpServer({
    locateServer: () => Promise.reject(failure),
    onUnexpected: (error) => failures.push(error),
  });
  const { status, text } = await post({}, { url: broken.url });
  expect([status, text]).toEqual([500, expect.stringContaining("unexpectedly")]);
  expect(text).not.toContain("address");
  expect(failures).toEqual([failure]);
});

test("a caller who goes in the middle of a request is no failure that anybody hears of", async () => {
  const failures: unknown[] = [];
  await using other = await startHttpServer({ onUnexpected: (error) => failures.push(error) });
  const leaving = connectSocket(Number(other.url.port), "127.0.0.1");
  leaving.write(
    `POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${other.keys.acme}\r\ncontent-length: 1000\r\n\r\n{`,
  );
  // The caller is known from here on, and the rest of the body is waited for.
  expect((await post({ authorization: `Bearer ${other.keys.acme}` }, { url: other.url })).status).toBe(200);
  leaving.destroy();
  expect((await post({ authorization: `Bearer ${other.keys.acme}` }, { url: other.url })).status).toBe(200);
  expect(failures).toEqual([]);
});

test("a caller who sends slowly keeps nobody waiting, and is let in only by the head of the request", async () => {
  const slow = connectSocket(Number(server.url.port), "127.0.0.1");
  slow.write(`POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer nobody\r\ncontent-length: 1000\r\n\r\n{`);
  const { promise, resolve } = Promise.withResolvers<string>();
  slow.once("data", (data: Buffer) => resolve(data.toString()));
  expect(await promise).toMatch(/^HTTP\/1.1 401 /);
  slow.destroy();
  expect((await post({})).status).toBe(200);
});

test("who sends requests but for their last byte has no more kept than half of what there is, and others are served", async () => {
  const size = 4 * 1024 * 1024;
  const refused: string[] = [];
  const sockets = Array.from({ length: 24 }, () => {
    const socket = connectSocket(Number(server.url.port), "127.0.0.1");
    socket.on("error", () => undefined).on("data", (data: Buffer) => refused.push(data.toString().slice(0, 12)));
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.keys.writer}\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(size - 1, " "));
    return socket;
  });
  // 16 of them take the half.
  await expect.poll(() => refused.length, { timeout: 20_000 }).toBe(8);
  expect(new Set(refused)).toEqual(new Set(["HTTP/1.1 429"]));
  expect((await post({})).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await post({ authorization: `Bearer ${server.keys.writer}` })).status).toBe(200);
});

test("it is served by HTTPS, under the names that were said", async () => {
  const file = (name: string): string => join(import.meta.dirname, "../../server/test/fixtures/tls", name);
  const tls = { certificateFile: file("server.crt"), keyFile: file("server.key") };
  await using secure = await startHttpServer({ tls, names: ["memory.example"] });
  const ask = (host: string): Promise<number | undefined> => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    requestTls(
      secure.url,
      { ca: readFileSync(file("authority.crt")), method: "POST", headers: { host }, servername: "localhost" },
      (response) => resolve(response.resume().statusCode),
    )
      .on("error", reject)
      .end("{}");
    return promise;
  };
  expect(secure.url.protocol).toBe("https:");
  expect(await ask("memory.example")).toBe(401);
  expect(await ask("other.example")).toBe(403);
});

test.each([
  ["on every address without TLS", { address: "0.0.0.0", port: 0 }, "--http"],
  ["on a network's address without TLS", { address: "192.0.2.1", port: 0 }, "--http"],
  [
    "on every address without a name",
    { address: "::", port: 0, tls: { certificateFile: "a", keyFile: "b" } },
    "--http-name",
  ],
  [
    "with files that are not there",
    { address: "127.0.0.1", port: 0, tls: { certificateFile: "a", keyFile: "b" } },
    "--http-certificate",
  ],
])("it is not served %s", async (_, place, field) => {
  const serving = serveMcpHttp({
    ...place,
    scopes: ["global"],
    locateServer: () => Promise.reject(new LociError("CLOSED", { message: "Nobody is asked." })),
    version: "1",
    signal: AbortSignal.abort(),
  });
  await expect(serving).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION", field });
});

test("while somebody guesses keys on many connections, a credential that was never seen is let in when its turn comes", async () => {
  const end = new AbortController();
  const refused: (number | undefined)[] = [];
  const guessers = Array.from({ length: 100 }, async () => {
    while (!end.signal.aborted) {
      const guess = `loci_acme_${randomBytes(32).toString("base64url")}`;
      refused.push((await post({ authorization: `Bearer ${guess}` })).status);
    }
  });
  await vi.waitUntil(() => refused.length > 100, { timeout: 20_000 });
  for (const seconds of [61, 62, 63]) {
    const token = delegatedToken({
      apiKey: server.keys.acme,
      scopes: ["user:ann"],
      roles: ["read"],
      expiresInSeconds: seconds,
    });
    expect((await post({ authorization: `Bearer ${token}` })).status).toBe(200);
  }
  end.abort();
  await Promise.all(guessers);
  expect(new Set(refused)).toEqual(new Set([401]));
});
