import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startGateway } from "@loci/browser";
import { connectLoci, delegatedToken } from "@loci/client";
import type { Role } from "@loci/loci";
import {
  configurationOf,
  createApiKey,
  loadSettings,
  printApiKey,
  type RunningServer,
  type ServerConfiguration,
  startServer,
} from "@loci/server";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildMissingPage } from "./built-page.ts";
import { type BesideServer, startBeside } from "../src/serving/beside-server.ts";

const fixture = (name: string): string => join(import.meta.dirname, "../../server/test/fixtures/tls", name);
const ca = readFileSync(fixture("authority.crt"));
const everything: readonly Role[] = ["read", "write", "approve", "admin"];
const made = {
  ann: createApiKey({ id: "ann", tenant: "acme", roles: everything, scopes: ["user:ann"] }),
  ops: createApiKey({ id: "ops", tenant: "acme", roles: everything, scopes: ["*"] }),
  other: createApiKey({ id: "other", tenant: "other", roles: everything, scopes: ["*"] }),
};
const { key } = made.ann;

const folder = mkdtempSync(join(tmpdir(), "loci-beside-"));
const file = join(folder, "loci.toml");

/** Everything on every address of this machine, as in production. */
function writeConfiguration(keys: readonly (keyof typeof made)[], changes = ""): ServerConfiguration {
  writeFileSync(
    file,
    `data_directory = "data"
[listen]
address = "0.0.0.0"
port = 0
[tls]
certificate_file = ${JSON.stringify(fixture("server.crt"))}
private_key_file = ${JSON.stringify(fixture("server.key"))}
[browser]
listen = "0.0.0.0:0"
names = ["localhost", "memory.example"]
${changes}
[mcp]
listen = "0.0.0.0:0"
names = ["localhost"]
scopes = ["user:ann"]
${keys.map((name) => printApiKey(made[name].entry)).join("\n")}`,
  );
  return configurationOf(loadSettings({ file, environment: {} }));
}

let server: RunningServer;
let beside: BesideServer;
let browser: URL;

beforeAll(async () => {
  buildMissingPage();
  const configuration = writeConfiguration(["ann", "ops", "other"]);
  server = await startServer(configuration, { writeLog: () => undefined, keyFile: file });
  beside = await startBeside(configuration, server, "1.2.3");
  browser = new URL(beside.browserUrl ?? "");
}, 60_000);
afterAll(async () => {
  await beside[Symbol.asyncDispose]();
  await server.close(0);
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface Asked {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: URL;
}

/** Not by `fetch`, which sends the `Host` and `Origin` that it wants. */
function ask(path: string, { method = "POST", body = "{}", headers = {}, url = browser }: Asked = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = { ca, method, headers: { "content-type": "application/json", ...headers }, servername: "localhost" };
  const sent = requestTls(new URL(path, url), options, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => (text += part));
    response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
  });
  sent.on("error", reject);
  sent.end(method === "POST" ? body : undefined);
  return promise;
}

async function signIn(bearer: string, url = browser): Promise<string> {
  const { status, body } = await ask("/session", { body: JSON.stringify({ key: bearer }), url });
  expect([status, body]).toEqual([200, expect.stringContaining("session")]);
  return (JSON.parse(body) as { session: string }).session;
}

const memories = "/api/loci.v1.MemoryService";
const call = (method: string, session: string, body: object = {}, url = browser): Promise<Answer> =>
  ask(`${memories}/${method}`, { headers: { authorization: `Bearer ${session}` }, body: JSON.stringify(body), url });

const loci = (apiKey: string) =>
  connectLoci({
    address: server.localAddress,
    apiKey,
    tls: { pinned: readFileSync(fixture("server.crt")) },
  });

describe("the memory browser beside a server", () => {
  test("a key is exchanged for a session that may do what the key may, and no more", async () => {
    await using own = loci(key);
    await using all = loci(made.ops.key);
    const memory = await own.memories.remember({ text: "The kiln is fired on Tuesdays.", scope: "user:ann" });
    const secret = await all.memories.remember({ text: "The safe is behind the kiln.", scope: "user:bob" });
    const session = await signIn(key);
    expect(await call("GetMemory", session, { id: memory.id })).toMatchObject({
      status: 200,
      body: expect.stringContaining("The kiln is fired") as string,
    });
    const refused = await call("GetMemory", session, { id: secret.id });
    expect([refused.status, refused.body]).toEqual([404, expect.not.stringContaining("safe")]);
    // Another tenant has another store.
    expect((await call("GetMemory", await signIn(made.other.key), { id: memory.id })).status).toBe(404);
    expect((await call("GetMemory", await signIn(made.ops.key), { id: secret.id })).status).toBe(200);
    const { body } = await call("UpdateMemory", session, {
      memory: { id: memory.id, text: "The kiln is fired on Fridays.", etag: memory.etag },
      updateMask: "text",
    });
    expect(body).toContain("Fridays");
  });

  test("a session is worth nothing to the server, and the key is in no answer", async () => {
    const { body, headers } = await ask("/session", { body: JSON.stringify({ key }) });
    expect(body + JSON.stringify(headers)).not.toContain(key);
    const { session } = JSON.parse(body) as { session: string };
    await using stolen = loci(session);
    await expect(stolen.memories.list({ scopes: ["user:ann"] })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    const caller = await ask("/api/loci.v1.StatusService/GetCaller", {
      headers: { authorization: `Bearer ${session}` },
    });
    // The page has no use for it, so the session does not have it.
    expect((JSON.parse(caller.body) as { caller: { roles: string[] } }).caller.roles).toEqual([
      "read",
      "write",
      "approve",
    ]);
  });

  test("a delegated token is taken as it is", async () => {
    const token = delegatedToken({ apiKey: key, scopes: ["user:ann"], roles: ["read"], expiresInSeconds: 60 });
    const session = await signIn(token);
    const list = await call("ListMemories", session, { scopes: [{ kind: "SCOPE_KIND_USER", id: "ann" }] });
    expect([list.status, list.body]).toEqual([200, expect.stringContaining("kiln")]);
    expect((await call("DeleteMemory", session, { id: "01a221e0-38ad-72ad-b347-4726ebce0f00" })).status).toBe(403);
  });

  test.each([
    ["nothing", ""],
    ["a key that is none", "loci_ann_short"],
    ["a key of nobody", createApiKey({ id: "ann", tenant: "acme", roles: ["read"], scopes: ["*"] }).key],
    ["another header", "a\r\nx-evil: 1"],
    ["what is far too long", "a".repeat(20_000)],
  ])("%s opens no session, and does not come back", async (_, bearer) => {
    const { status, body } = await ask("/session", { body: JSON.stringify({ key: bearer }) });
    expect(status).toBe(401);
    expect(body).not.toContain(bearer || "nobody");
  });

  test("what is over is told so, and one that nobody signed is not", async () => {
    const now = Date.now() - 3_600_000;
    const token = delegatedToken({ apiKey: key, scopes: ["user:ann"], roles: ["read"], expiresInSeconds: 60, now });
    const told = await ask("/session", { body: JSON.stringify({ key: token }) });
    expect([told.status, told.body]).toEqual([401, expect.stringContaining("The delegated token expired at")]);
    const forged = `${token.slice(0, -4)}AAAA`;
    const { body } = await ask("/session", { body: JSON.stringify({ key: forged }) });
    expect(body).toContain("does not know this key");
  });

  test("a link opens nothing here", async () => {
    expect((await ask("/session", { body: JSON.stringify({ token: "a".repeat(43) }) })).status).toBe(401);
    expect(JSON.parse((await ask("/session", { method: "GET" })).body)).toEqual({ signIn: "key" });
  });

  test.each([
    ["another host", { host: "evil.example" }, 421],
    ["an address of the machine that nobody was told", { host: "127.0.0.1" }, 421],
    ["another origin", { origin: "https://evil.example" }, 403],
    ["the same name without TLS", { origin: "http://memory.example", host: "memory.example" }, 403],
    ["no origin, as frames in a sandbox have it", { origin: "null" }, 403],
    ["a page of another site", { "sec-fetch-site": "cross-site" }, 403],
    ["a page of another port", { "sec-fetch-site": "same-site" }, 403],
  ])("%s is refused, with a session and without", async (_, headers, status) => {
    const authorization = `Bearer ${await signIn(key)}`;
    const answers = [
      await ask(`${memories}/ListMemories`, { headers: { authorization, ...headers } }),
      await ask("/session", { headers, body: JSON.stringify({ key }) }),
      await ask("/", { headers, method: "GET" }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
  });

  test("the names that people were told are its own, with whatever port a proxy has", async () => {
    for (const host of ["memory.example", "memory.example:8443", `localhost:${browser.port}`]) {
      const headers = { host, origin: `https://${host}`, "sec-fetch-site": "same-origin" };
      expect((await ask("/session", { headers, body: JSON.stringify({ key }) })).status).toBe(200);
    }
  });

  test.each([
    ["no session", {}],
    ["a session that never was", { authorization: `Bearer ${"a".repeat(43)}` }],
    ["the key itself", { authorization: `Bearer ${key}` }],
    ["a cookie", { cookie: `session=${"a".repeat(43)}` }],
  ])("%s calls nothing", async (_, headers) => {
    expect((await ask(`${memories}/ListMemories`, { headers })).status).toBe(401);
  });

  test("who leaves has no session any more", async () => {
    const session = await signIn(key);
    expect((await call("ListMemoryScopes", session)).status).toBe(200);
    expect((await ask("/session", { method: "DELETE", headers: { authorization: `Bearer ${session}` } })).status).toBe(
      200,
    );
    expect((await call("ListMemoryScopes", session)).status).toBe(401);
  });

  test("the rules of the page come with every answer, and methods that it does not need do not exist", async () => {
    const authorization = `Bearer ${await signIn(key)}`;
    const answers = [
      await ask("/", { method: "GET" }),
      await ask("/session", { method: "GET" }),
      await ask("/session"),
      await ask("/api/loci.v1.MemoryService/ExportMemories", { headers: { authorization } }),
      await ask(`${memories}/ListMemories`, { method: "GET", headers: { authorization } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 405]);
    for (const { headers } of answers) {
      expect(headers["content-security-policy"]).toMatch(/default-src 'none'.*trusted-types 'none'/);
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["set-cookie"]).toBeUndefined();
    }
  });

  test("without TLS it does not answer", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    requestPlain({ host: "127.0.0.1", port: browser.port, path: "/" }, resolve).on("error", resolve).end();
    expect(await promise).toBeInstanceOf(Error);
  });

  test("who comes with a wrong key disturbs nobody who is in", async () => {
    const session = await signIn(made.ops.key);
    const wrong = createApiKey({ id: "ann", tenant: "acme", roles: ["read"], scopes: ["*"] }).key;
    const statuses = new Set<number>();
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () => call("ListMemoryScopes", session)),
        ask("/session", { body: JSON.stringify({ key: wrong }) }),
      ]);
      expect(answers.pop()?.status).toBe(401);
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([200]);
  });

  test("sessions of one key do not pile up", async () => {
    const first = await signIn(made.other.key);
    const others: string[] = [];
    for (let count = 0; count < 16; count++) others.push(await signIn(made.other.key));
    expect((await call("ListMemoryScopes", first)).status).toBe(401);
    expect((await call("ListMemoryScopes", others.at(-1) ?? "")).status).toBe(200);
  });

  test("where only looking is wanted nothing can be changed", async () => {
    const configuration = writeConfiguration(["ann", "ops", "other"], 'access = "look"');
    await using looking = await startBeside({ ...configuration, mcp: undefined }, server, "1.2.3");
    const url = new URL(looking.browserUrl ?? "");
    const session = await signIn(key, url);
    expect((await call("ListMemoryScopes", session, {}, url)).status).toBe(200);
    const refused = await call("DeleteMemory", session, { id: "a" }, url);
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining("browser.access")]);
  });

  test("a session ends with its key", async () => {
    const session = await signIn(key);
    expect((await call("ListMemoryScopes", session)).status).toBe(200);
    writeConfiguration(["ops", "other"]);
    server.reload();
    const ended = await call("ListMemoryScopes", session);
    expect([ended.status, ended.body]).toEqual([401, expect.stringContaining("session is over")]);
    writeConfiguration(["ann", "ops", "other"]);
    server.reload();
    // It does not come back with the key.
    expect((await call("ListMemoryScopes", session)).status).toBe(401);
    expect((await call("ListMemoryScopes", await signIn(key))).status).toBe(200);
  });
});

describe("MCP beside a server", () => {
  /** It listens on every address, and is shown by the first of its names. */
  const url = (): URL => new URL(beside.mcpUrl ?? "");

  test("callers work with what their key opens, over TLS", async () => {
    const transport = new StreamableHTTPClientTransport(url(), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: trusting,
    });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(transport);
    const { structuredContent } = await client.callTool({
      name: "recall",
      arguments: { query: "When is the kiln fired?" },
    });
    expect(JSON.stringify(structuredContent)).toContain("kiln");
    expect(JSON.stringify(structuredContent)).not.toContain("safe");
    await client.close();
  });

  test("who sends no key, or comes by another name, is refused, and told the setting", async () => {
    expect((await ask("/mcp", { url: url() })).status).toBe(401);
    const foreign = await ask("/mcp", {
      url: url(),
      headers: { authorization: `Bearer ${key}`, host: "evil.example" },
    });
    expect([foreign.status, foreign.body]).toEqual([403, expect.stringContaining("mcp.names")]);
  });

  /** `fetch` trusts no authority of ours: it goes through `ask`. */
  async function trusting(at: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const request = new Request(at, init);
    const headers = Object.fromEntries(request.headers);
    const { method } = request;
    const body = await request.text();
    const answer = await ask(new URL(request.url).pathname, { url: url(), method, headers, body });
    const type = String(answer.headers["content-type"] ?? "");
    return new Response(answer.body === "" ? null : answer.body, {
      status: answer.status,
      headers: type === "" ? {} : { "content-type": type },
    });
  }
});

describe("what is configured", () => {
  const tls = `[tls]\ncertificate_file = "a"\nprivate_key_file = "b"\n`;
  const keys = printApiKey(made.ann.entry);
  test.each([
    ["off loopback without TLS", `[browser]\nlisten = "0.0.0.0:1"\nnames = ["a.example"]\n${keys}`, "browser.listen"],
    ["off loopback without keys", `${tls}[mcp]\nlisten = "192.0.2.1:1"\n`, "mcp.listen"],
    ["on every address without a name", `${tls}[browser]\nlisten = "[::]:1"\n${keys}`, "browser.names"],
    [
      "beside certificates of clients",
      `${tls}client_ca_file = "c"\n[mcp]\nlisten = "127.0.0.1:1"\n${keys}`,
      "mcp.listen",
    ],
    ["at no place", `[browser]\nlisten = "5626"\n`, "browser.listen"],
    ["at no port there is", `[browser]\nlisten = "127.0.0.1:70000"\n`, "browser.listen"],
    ["by a name that is none", `[mcp]\nlisten = "127.0.0.1:1"\nnames = ["https://a.example/"]\n`, "mcp.names"],
    ["for scopes that are none", `[mcp]\nscopes = ["Everything!"]\n`, "mcp.scopes"],
  ])("is refused %s", (_, text, field) => {
    const place = join(folder, "refused.toml");
    writeFileSync(place, text);
    const load = () => configurationOf(loadSettings({ file: place, environment: {} }));
    expect(load).toThrow(expect.objectContaining({ reason: "INVALID_CONFIGURATION", field }) as Error);
  });

  test("comes from variables, too", () => {
    const environment = {
      LOCI_BROWSER_LISTEN: "[::1]:5626",
      LOCI_MCP_ALLOWED_ORIGINS: "http://localhost:6274",
      LOCI_MCP_NAMES: "a.example, b.example",
      LOCI_MCP_LISTEN: "127.0.0.1:0",
    };
    const { browser, mcp } = configurationOf(loadSettings({ environment }));
    expect(browser).toEqual({ address: "::1", port: 5626, names: [], access: "change" });
    expect(mcp).toEqual({
      address: "127.0.0.1",
      port: 0,
      names: ["a.example", "b.example"],
      allowedOrigins: ["http://localhost:6274"],
      scopes: ["global"],
    });
  });

  test("a place that is taken leaves nothing behind", async () => {
    const taken = Number(new URL(beside.mcpUrl ?? "").port);
    const place = { address: "127.0.0.1", port: 0, names: [], access: "change" } as const;
    const mcp = { address: "127.0.0.1", port: taken, names: [], scopes: ["global"] };
    const { workers: _, ...rest } = writeConfiguration(["ann", "ops", "other"]);
    const starting = startBeside({ ...rest, workers: 1, browser: place, mcp }, server, "1");
    await expect(starting).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION", field: "mcp.listen" });
  });
});

test("the gateway sends no key to who shows another certificate", async () => {
  const locate = (name: string) => async () => ({
    address: server.localAddress,
    tls: { pinned: readFileSync(fixture(name)) },
  });
  const statuses: number[] = [];
  for (const name of ["server.crt", "stranger.crt"]) {
    await using gateway = await startGateway({ locateServer: locate(name), signIn: "key" });
    const answer = await fetch(`${gateway.url}/session`, { method: "POST", body: JSON.stringify({ key }) });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([200, 503]);
});

test("a client that trusts one certificate trusts no other", async () => {
  await using stranger = connectLoci({
    address: server.localAddress,
    apiKey: key,
    tls: { pinned: readFileSync(fixture("stranger.crt")) },
    connectTimeoutMilliseconds: 2_000,
  });
  await expect(stranger.memories.list({ scopes: ["user:ann"] })).rejects.toMatchObject({
    reason: "SERVER_UNAVAILABLE",
  });
  const both = () => connectLoci({ address: server.localAddress, tls: { ca, pinned: ca } });
  expect(both).toThrow(expect.objectContaining({ reason: "INVALID_CONFIGURATION" }) as Error);
});
