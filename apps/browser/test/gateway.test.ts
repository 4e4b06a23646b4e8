import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, startGateway } from "../src/gateway/index.ts";
import { redirectTo } from "../src/gateway/open-in-browser.ts";

const apiKey = "loci_local_secret";
const folder = mkdtempSync(join(tmpdir(), "loci-gateway-"));
let gateway: Gateway;
let usedLinks = 0;
let now = 0;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  for (const name of ["index.html", "index.html.br", "page.js", "page.js.br"]) writeFileSync(join(folder, name), name);
  gateway = await startGateway({
    // Nobody is there: what is refused here never gets so far.
    locateServer: () => Promise.resolve({ address: "127.0.0.1:1", apiKey }),
    pageFolder: folder,
    onUsedLink: () => usedLinks++,
    now: () => now,
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Not by `fetch`, which sends the `Host` and `Origin` that it wants. */
function call(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { method = "POST", body = "{}" }: { method?: string; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: "127.0.0.1",
        port: gateway.port,
        path,
        method,
        headers: { "content-type": "application/json", ...headers },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
      },
    );
    sent.on("error", reject);
    sent.end(method === "GET" ? undefined : body);
  });
}

async function newSession(): Promise<string> {
  const { body } = await call("/session", {}, { body: JSON.stringify({ token: tokenOf(gateway.createLink()) }) });
  return (JSON.parse(body) as { session: string }).session;
}

function tokenOf(link: string): string {
  return link.split("#t=")[1] ?? "";
}

const getMemory = "/api/loci.v1.MemoryService/GetMemory";

describe("what the gateway refuses", () => {
  test.each([
    ["another host", { host: "loci.example" }, 421],
    ["the right host at another port", { host: "127.0.0.1:80" }, 421],
    ["another origin", { origin: "https://evil.example" }, 403],
    ["no origin, as frames in a sandbox have it", { origin: "null" }, 403],
    ["another port of this machine", { origin: "http://127.0.0.1:9" }, 403],
    ["a page of another site", { "sec-fetch-site": "cross-site" }, 403],
    ["a page of another port", { "sec-fetch-site": "same-site" }, 403],
  ])("%s", async (_, headers, status) => {
    const authorization = `Bearer ${await newSession()}`;
    const answers = [await call(getMemory, { authorization, ...headers }), await call("/session", headers)];
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
  });

  test.each([
    ["no session", {}],
    ["a session that never was", { authorization: `Bearer ${"a".repeat(43)}` }],
    ["the key of the server", { authorization: `Bearer ${apiKey}` }],
    ["a cookie", { cookie: `session=${"a".repeat(43)}` }],
  ])("%s", async (_, headers) => {
    expect(await call(getMemory, headers)).toMatchObject({ status: 401 });
  });

  test("a session that nobody used for half an hour", async () => {
    const authorization = `Bearer ${await newSession()}`;
    now += 30 * 60_000;
    expect(await call(getMemory, { authorization })).toMatchObject({ status: 401 });
  });

  test("a link that was used, and the terminal is told", async () => {
    const body = JSON.stringify({ token: tokenOf(gateway.createLink()) });
    const [first, second] = [await call("/session", {}, { body }), await call("/session", {}, { body })];
    expect([first.status, second.status, usedLinks]).toEqual([200, 401, 1]);
  });

  test.each(["", "[]", "null", '{"token":1}', `{"token":"${"a".repeat(2_000)}"}`, "{"])(
    "a link like %j",
    async (body) => {
      expect(await call("/session", {}, { body })).toMatchObject({ status: 401 });
    },
  );

  test("methods that the page does not need, reading by GET, and paths out of its folder", async () => {
    const authorization = `Bearer ${await newSession()}`;
    const paths = [
      "MemoryService/ExportMemories",
      "MaintenanceService/StartMaintenance",
      "SessionService/ListSessions",
    ];
    for (const path of paths)
      expect(await call(`/api/loci.v1.${path}`, { authorization })).toMatchObject({ status: 404 });
    expect(await call(getMemory, { authorization }, { method: "GET" })).toMatchObject({ status: 405 });
    for (const path of ["/../package.json", "/%2e%2e/package.json", "/index.html", "//page.js", "/page.js.br"])
      expect(await call(path, {}, { method: "GET" })).toMatchObject({ status: 404 });
  });

  test("a body of more than 256 KiB", async () => {
    const authorization = `Bearer ${await newSession()}`;
    const body = JSON.stringify({ id: "a".repeat(256 * 1024) });
    expect(await call(getMemory, { authorization }, { body })).toMatchObject({
      body: expect.stringContaining("resource_exhausted") as string,
    });
  });
});

test("every answer carries the rules of the page and is kept nowhere", async () => {
  const answers = [
    await call("/", {}, { method: "GET" }),
    await call("/page.js", {}, { method: "GET" }),
    await call("/nothing", {}, { method: "GET" }),
    await call("/session"),
    await call(getMemory, { authorization: `Bearer ${await newSession()}` }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 401, 503]);
  for (const { headers, body } of answers) {
    expect(headers).toMatchObject({
      "content-security-policy": expect.stringMatching(/default-src 'none'.*trusted-types 'none'/) as string,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["set-cookie"]).toBeUndefined();
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(JSON.stringify(headers) + body).not.toContain(apiKey);
  }
});

test("who follows a link from a file gets the page and nothing else", async () => {
  const fromFile = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  expect(await call("/", fromFile, { method: "GET" })).toMatchObject({ status: 200 });
  expect(await call("/page.js", fromFile, { method: "GET" })).toMatchObject({ status: 403 });
  expect(await call("/session", fromFile)).toMatchObject({ status: 403 });
  const inFrame = { ...fromFile, "sec-fetch-dest": "iframe" };
  expect(await call("/", inFrame, { method: "GET" })).toMatchObject({ status: 403 });
  expect(redirectTo(gateway.createLink())).toMatch(/content="0;url=http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]{43}"/);
});

test("with --read-only nothing that changes something gets to the server", async () => {
  await using looking = await startGateway({
    locateServer: () => Promise.resolve({ address: "127.0.0.1:1" }),
    pageFolder: folder,
    readOnly: true,
  });
  const address = `http://127.0.0.1:${looking.port}`;
  const send = (path: string, body: unknown, session = "") =>
    fetch(address + path, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${session}` },
      body: JSON.stringify(body),
    });
  const opened = await send("/session", { token: tokenOf(looking.createLink()) });
  const { session, readOnly } = (await opened.json()) as { session: string; readOnly: boolean };
  expect(readOnly).toBe(true);
  const writes = ["MemoryService/DeleteMemory", "MemoryService/UpdateMemory", "CaptureService/UndoCapture"];
  for (const method of writes) {
    const refused = await send(`/api/loci.v1.${method}`, { id: "a" }, session);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("--read-only")]);
  }
});

test("a page that was not built is said", async () => {
  const locateServer = () => Promise.resolve({ address: "127.0.0.1:1" });
  await expect(startGateway({ locateServer, pageFolder: join(folder, "none") })).rejects.toMatchObject({
    reason: "FILE_NOT_FOUND",
    advice: expect.stringContaining("nx build") as string,
  });
});
