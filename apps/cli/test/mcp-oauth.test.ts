import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OAuthConfiguration, readOAuthFile, type RefusedRequest } from "@loci/mcp/http";
import { createApiKey } from "@loci/server";
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, startHttpServer } from "./mcp-http-server.ts";

const resource = "https://memory.example/mcp";
const keys = await generateKeyPair("ES256");
const strangers = await generateKeyPair("ES256");
const issuing = createServer((_, response) => {
  void exportJWK(keys.publicKey).then((key) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys: [{ ...key, alg: "ES256" }] })),
  );
});
let issuer: string;
let server: HttpServer;
const refused: RefusedRequest[] = [];
beforeAll(async () => {
  await new Promise<void>((resolve) => issuing.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(issuing.address() as AddressInfo).port}`;
  server = await startHttpServer({
    onRefused: (refusal) => refused.push(refusal),
    oauth: ({ acme, other }): OAuthConfiguration => ({
      resource: new URL(resource),
      issuers: [
        {
          issuer,
          keys: new URL(`${issuer}/keys`),
          algorithms: ["ES256"],
          scopes: ["user:{sub}", "project:{projects}"],
          tenantClaim: "org",
          apiKeys: new Map([
            ["acme", acme],
            ["other", other],
          ]),
        },
      ],
    }),
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  issuing.close();
});

interface Issued {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly key?: Parameters<SignJWT["sign"]>[0];
  readonly alg?: string;
}

function payload(claims: Readonly<Record<string, unknown>>): JWTPayload {
  const now = Math.floor(Date.now() / 1_000);
  const good = { iss: issuer, aud: resource, sub: "ann", org: "acme", scope: "openid loci.read loci.write" };
  return { ...good, iat: now, exp: now + 60, ...claims };
}

async function issue({ claims = {}, key = keys.privateKey, alg = "ES256" }: Issued = {}): Promise<string> {
  return new SignJWT(payload(claims)).setProtectedHeader({ alg, typ: "at+jwt" }).sign(key);
}

async function ask(
  token: string,
): Promise<{ readonly status: number; readonly challenge: string; readonly text: string }> {
  const answer = await fetch(server.url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  return { status: answer.status, challenge: answer.headers.get("www-authenticate") ?? "", text: await answer.text() };
}

describe("an access token", () => {
  test("that is not taken is told of to whoever runs the server, with why and nothing of what stands in it", async () => {
    refused.splice(0);
    const canary = "canary-subject";
    await ask(await issue({ claims: { aud: "https://elsewhere.example", sub: canary } }));
    await ask(await issue({ claims: { scope: "openid", sub: canary } }));
    await ask(await issue({ claims: { org: "canary-tenant", sub: canary } }));
    expect(refused.map(({ reason, problem }) => [reason, problem])).toEqual([
      ["CREDENTIAL_INVALID", expect.stringContaining("It is for another server")],
      ["ROLE_REQUIRED", expect.stringContaining("no scope of Loci")],
      ["CREDENTIAL_INVALID", expect.stringContaining("It names no tenant of this server")],
    ]);
    expect(refused.every(({ from }) => from?.startsWith("127.0.0.1:"))).toBe(true);
    expect(JSON.stringify(refused)).not.toContain("canary");
  });

  test("opens the scopes and the tenant that its claims name, and no others", async () => {
    const client = await server.connect(await issue({ claims: { projects: ["kiln", "glaze"] } }));
    const remembered = await client.callTool({ name: "remember", arguments: { text: "Ann fires on Tuesdays." } });
    expect(remembered).toMatchObject({ structuredContent: { scope: "user:ann" } });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "recall")?.inputSchema.properties?.["scopes"]).toMatchObject({
      items: { enum: ["user:ann", "project:kiln", "project:glaze"] },
    });
    const { memories } = await server.loci("acme").memories.list({ scopes: ["user:ann"] });
    expect(memories.map(({ text }) => text)).toEqual(["Ann fires on Tuesdays."]);
    const elsewhere = await server.connect(await issue({ claims: { org: "other" } }));
    const recall = { name: "recall", arguments: {} };
    expect(await elsewhere.callTool(recall)).toMatchObject({ structuredContent: { memories: [] } });
    const bob = await server.connect(await issue({ claims: { sub: "bob" } }));
    expect(await bob.callTool(recall)).toMatchObject({ structuredContent: { memories: [] } });
  });

  test("may do what its scopes say, and no more", async () => {
    const reading = await server.connect(await issue({ claims: { scope: "loci.read" } }));
    const remember = { name: "remember", arguments: { text: "x" } };
    expect(await reading.callTool({ name: "recall", arguments: { query: "x" } })).not.toHaveProperty("isError", true);
    for (const call of [remember, { name: "review", arguments: {} }])
      expect(await reading.callTool(call)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^ROLE_REQUIRED: /) }],
      });
    const listed = await server.connect(await issue({ claims: { scope: undefined, scp: ["loci.write"] } }));
    expect(await listed.callTool(remember)).not.toHaveProperty("isError", true);
  });

  test("without a scope of Loci is refused with the scopes there are", async () => {
    for (const claims of [
      { scope: "openid" },
      { scope: "loci.admin loci.readwrite" },
      { scope: 7 },
      { scope: undefined },
    ]) {
      const { status, challenge } = await ask(await issue({ claims }));
      expect(status).toBe(403);
      expect(challenge).toBe(
        'Bearer realm="loci", error="insufficient_scope", scope="loci.read loci.write loci.approve", resource_metadata="https://memory.example/.well-known/oauth-protected-resource/mcp"',
      );
    }
  });

  test.each<readonly [string, () => Promise<string>]>([
    ["for another server", () => issue({ claims: { aud: "https://other.example/mcp" } })],
    ["for no server", () => issue({ claims: { aud: undefined } })],
    ["of another issuer", () => issue({ claims: { iss: "https://evil.example" } })],
    ["of no issuer", () => issue({ claims: { iss: undefined } })],
    ["that is over", () => issue({ claims: { exp: Math.floor(Date.now() / 1_000) - 60 } })],
    ["that is never over", () => issue({ claims: { exp: undefined } })],
    ["that is not yet good", () => issue({ claims: { nbf: Math.floor(Date.now() / 1_000) + 600 } })],
    ["of nobody", () => issue({ claims: { sub: undefined } })],
    ["of a tenant that is not here", () => issue({ claims: { org: "none" } })],
    ["of no tenant", () => issue({ claims: { org: undefined } })],
    ["of several tenants", () => issue({ claims: { org: ["acme", "other"] } })],
    ["whose subject is no user", () => issue({ claims: { sub: "*" } })],
    ["whose subject would be a pattern of users", () => issue({ claims: { sub: "ann*" } })],
    ["signed by somebody else", () => issue({ key: strangers.privateKey })],
    ["that is not signed", async () => new UnsecuredJWT(payload({})).encode()],
    [
      "signed with the public key as a secret",
      async () => issue({ key: new TextEncoder().encode(await exportSPKI(keys.publicKey)), alg: "HS256" }),
    ],
    [
      "that was changed",
      async () => {
        const [head = "", , signature = ""] = (await issue()).split(".");
        return `${head}.${Buffer.from(JSON.stringify(payload({ sub: "bob" }))).toString("base64url")}.${signature}`;
      },
    ],
    ["that is a text with dots", async () => "a.b.c"],
  ])("%s is refused, and told where to get one", async (_, make) => {
    const { status, challenge, text } = await ask(await make());
    expect([status, challenge]).toEqual([
      401,
      expect.stringMatching(/error="invalid_token".*resource_metadata="https:\/\/memory\.example\/\.well-known\//),
    ]);
    expect(text).not.toContain("recall");
  });

  test("ends when it is over, also for somebody who was known", async () => {
    // Good for two to three seconds by the tolerance of clocks.
    const token = await issue({ claims: { exp: Math.floor(Date.now() / 1_000) - 2 } });
    expect((await ask(token)).status).toBe(200);
    await expect.poll(async () => (await ask(token)).status, { timeout: 10_000, interval: 200 }).toBe(401);
  });

  test("is not said to be wrong while the keys of its issuer do not come", async () => {
    const away = createServer((_, response) => response.writeHead(500).end());
    await new Promise<void>((resolve) => away.listen(0, "127.0.0.1", resolve));
    const at = `http://127.0.0.1:${(away.address() as AddressInfo).port}`;
    const tenant = { tenantClaim: undefined, scopes: ["user:{sub}"], algorithms: ["ES256"] };
    await using another = await startHttpServer({
      oauth: ({ acme }) => ({
        resource: new URL(resource),
        issuers: [
          { ...tenant, issuer: at, keys: new URL(at), apiKeys: new Map([["", acme]]) },
          { ...tenant, issuer, keys: new URL("http://127.0.0.1:1"), apiKeys: new Map([["", acme]]) },
        ],
      }),
    });
    for (const iss of [at, issuer]) {
      const authorization = `Bearer ${await issue({ claims: { iss } })}`;
      expect((await fetch(another.url, { method: "POST", headers: { authorization } })).status).toBe(503);
    }
    away.close();
  });

  test("does not make the server ask its issuer again and again, nor follow it elsewhere, nor keep all that it answers", async () => {
    let asked = 0;
    let sent = 0;
    let elsewhere = 0;
    const answers: Readonly<Record<string, RequestListener>> = {
      "/down": (_, response) => response.writeHead(500).end(),
      "/moved": (_, response) => response.writeHead(302, { location: "/elsewhere" }).end(),
      "/elsewhere": (_, response) => response.end(String(elsewhere++)),
      "/endless": (_, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(" ".repeat(65_536))) sent += 65_536;
        };
        response.on("drain", more);
        more();
      },
    };
    const strange = createServer((asking, response) => {
      asked++;
      answers[asking.url ?? ""]?.(asking, response);
    });
    await new Promise<void>((resolve) => strange.listen(0, "127.0.0.1", resolve));
    const at = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`;
    const names = ["/down", "/moved", "/endless"];
    const tenant = { tenantClaim: undefined, scopes: ["user:{sub}"], algorithms: ["ES256"] };
    await using another = await startHttpServer({
      oauth: ({ acme }) => ({
        resource: new URL(resource),
        issuers: names.map((name) => ({
          ...tenant,
          issuer: name,
          keys: new URL(`${at}${name}`),
          apiKeys: new Map([["", acme]]),
        })),
      }),
    });
    for (const iss of names)
      for (const sub of ["ann", "bob", "cid"]) {
        const authorization = `Bearer ${await issue({ claims: { iss, sub } })}`;
        expect((await fetch(another.url, { method: "POST", headers: { authorization } })).status).toBe(503);
      }
    expect({ asked, elsewhere }).toEqual({ asked: names.length, elsewhere: 0 });
    // What the system keeps of a connection on both sides, besides.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
    strange.closeAllConnections();
    strange.close();
  });

  test("stands beside keys of Loci, which are taken as before", async () => {
    expect((await ask(server.keys.acme)).status).toBe(200);
    expect((await ask("loci_acme_none")).status).toBe(401);
  });
});

test("the server is known by the name that tokens are issued for", async () => {
  const statusUnder = (host: string): Promise<number | undefined> => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    request(server.url, { method: "POST", headers: { host } }, (answer) => resolve(answer.resume().statusCode))
      .on("error", reject)
      .end();
    return promise;
  };
  expect(await statusUnder("memory.example")).toBe(401);
  expect(await statusUnder("other.example")).toBe(403);
});

test("what the server is and who issues tokens for it is said to everybody", async () => {
  for (const path of ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"]) {
    const answer = await fetch(new URL(path, server.url));
    expect(await answer.json()).toEqual({
      resource,
      resource_name: "Loci",
      authorization_servers: [issuer],
      scopes_supported: ["loci.read", "loci.write", "loci.approve"],
      bearer_methods_supported: ["header"],
    });
  }
});

describe("the file of --oauth", () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-oauth-"));
  const file = join(folder, "oauth.toml");
  afterAll(() => rmSync(folder, { recursive: true }));
  const whole = `
resource = "https://memory.example/mcp"
[[issuers]]
issuer = "https://login.example"
jwks_uri = "https://login.example/keys"
tenant_claim = "org"
scopes = ["user:{sub}"]
[[issuers.tenants]]
claim_value = "acme"
api_key_variable = "ACME_KEY"
`;
  const { key } = createApiKey({ id: "acme", tenant: "acme", roles: ["read"], scopes: ["*"] });
  const read = (text: string): OAuthConfiguration => {
    writeFileSync(file, text);
    return readOAuthFile(file, { ACME_KEY: key, NO_API_KEY: "secret of something else" });
  };

  test("is read with the keys that it names", () => {
    expect(read(whole).issuers).toMatchObject([
      { issuer: "https://login.example", tenantClaim: "org", algorithms: ["RS256", "ES256", "EdDSA"] },
    ]);
    expect(read(whole).issuers[0]?.apiKeys.get("acme")).toBe(key);
  });

  const inFile = whole.replace('api_key_variable = "ACME_KEY"', 'api_key_file = "acme.key"');

  test("names files beside it, wherever the program was started", () => {
    writeFileSync(join(folder, "acme.key"), `${key}\n`);
    expect(read(inFile).issuers[0]?.apiKeys.get("acme")).toBe(key);
  });

  test.each([
    [
      "a file of a key that is not there",
      inFile.replace("acme.key", "none.key"),
      /none\.key cannot be read \(ENOENT\)/,
    ],
    ["a variable that is not set", whole.replace("ACME_KEY", "NO_KEY"), /NO_KEY is empty or not set/],
    ["what is no key", whole.replace("ACME_KEY", "NO_API_KEY"), /^(?!.*secret).*NO_API_KEY holds what is no API key/],
  ])("says what is wrong with %s", (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  test.each([
    ["an algorithm that anybody could sign with", whole.replace("tenant_claim", 'algorithms = ["none"]\ntenant_claim')],
    ["a shared secret", whole.replace("tenant_claim", 'algorithms = ["HS256"]\ntenant_claim')],
    ["keys by plain HTTP", whole.replace('"https://login.example/keys"', '"http://login.example/keys"')],
    ["a tenant without the claim", whole.replace('tenant_claim = "org"', "")],
    ["a key that is not there", whole.replace("ACME_KEY", "NO_KEY")],
    ["a setting that is none", `${whole}\npassword = "x"`],
    ["no scopes", whole.replace('scopes = ["user:{sub}"]', "")],
    ["what is no TOML", "resource ="],
  ])("is refused with %s", (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ reason: "INVALID_CONFIGURATION", field: "--oauth" }));
  });
});
