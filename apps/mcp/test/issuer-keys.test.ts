import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AccessTokens } from "../src/oauth/access-tokens.ts";
import type { IssuerNews } from "../src/oauth/issuer-keys.ts";

const minute = 60_000;
const apiKey = `loci_acme_${"A".repeat(43)}`;
type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

const isDown: RequestListener = (_, response) => response.writeHead(503).end();
const hangs: RequestListener = () => undefined;
const published =
  (...keys: readonly JWK[]): RequestListener =>
  (_, response) =>
    response.end(JSON.stringify({ keys }));

let answer: RequestListener;
let asked = 0;
const issuing = createServer((request, response) => {
  asked++;
  answer(request, response);
});
let news: IssuerNews[];
let tokens: AccessTokens;

beforeEach(async () => {
  await new Promise<void>((resolve) => issuing.listen(0, "127.0.0.1", resolve));
  const keys = new URL(`http://127.0.0.1:${(issuing.address() as AddressInfo).port}/keys`);
  const scopes = ["user:{sub}"];
  const apiKeys = new Map([["", apiKey]]);
  const issuer = {
    issuer: "https://login",
    keys,
    algorithms: ["ES256", "RS256"],
    scopes,
    tenantClaim: undefined,
    apiKeys,
  };
  news = [];
  asked = 0;
  tokens = new AccessTokens({ resource: new URL("https://memory.example"), issuers: [issuer] }, (_, one) =>
    news.push(one),
  );
  // Times pass only as a test says; connections have their own.
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.now() });
});
afterEach(async () => {
  vi.useRealTimers();
  issuing.closeAllConnections();
  await new Promise((resolve) => issuing.close(resolve));
});

async function passes(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

async function shown(keys: Keys, named: Partial<JWK>): Promise<JWK> {
  return { ...(await exportJWK(keys.publicKey)), ...named };
}

async function issue(
  keys: Keys,
  { kid, claims = {} }: { readonly kid?: string; readonly claims?: object } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const good = { iss: "https://login", aud: "https://memory.example/", sub: "ann", scope: "loci.read" };
  return new SignJWT({ ...good, exp: now + 600, ...claims })
    .setProtectedHeader({ alg: "ES256", ...(kid === undefined ? {} : { kid }) })
    .sign(keys.privateKey);
}

/** The scope that a token opens, or why it opens none. */
async function opened(token: string): Promise<string> {
  return tokens.admit(token).then(
    ({ scopes = [] }) => scopes.join(" "),
    (error: { readonly reason: string; readonly message: string }) => `${error.reason}: ${error.message}`,
  );
}

test("keys that came count for an hour while their issuer does not answer, and no longer", async () => {
  const one = await generateKeyPair("ES256");
  answer = published(await shown(one, { kid: "one" }));
  expect(await opened(await issue(one, { kid: "one" }))).toBe("user:ann");
  answer = isDown;
  for (const passing of [11, 20, 28]) {
    await passes(passing * minute);
    expect(await opened(await issue(one, { kid: "one" }))).toBe("user:ann");
  }
  await passes(2 * minute);
  expect(await opened(await issue(one, { kid: "one" }))).toMatch(/^SERVER_UNAVAILABLE: .* did not come/);
  answer = published(await shown(one, { kid: "one" }));
  await passes(3_000);
  expect(await opened(await issue(one, { kid: "one" }))).toBe("user:ann");
  // Once each, however often it was asked.
  expect(news).toEqual([{ came: false, problem: "It answers with 503." }, { came: true }]);
});

test("nobody waits a second time for an issuer that does not answer while its keys are known", async () => {
  const one = await generateKeyPair("ES256");
  answer = published(await shown(one, { kid: "one" }));
  await opened(await issue(one, { kid: "one" }));
  answer = isDown;
  await passes(11 * minute);
  await opened(await issue(one, { kid: "one" }));
  answer = hangs;
  await passes(minute);
  const before = asked;
  // Less than an answer may take to come.
  const late = sleep(2_000, "is waited for");
  expect(await Promise.race([issue(one, { kid: "one" }).then(opened), late])).toBe("user:ann");
  await expect.poll(() => asked).toBe(before + 1);
});

test("a key that was taken back opens nothing after ten minutes", async () => {
  const [one, two] = [await generateKeyPair("ES256"), await generateKeyPair("ES256")];
  answer = published(await shown(one, { kid: "one" }));
  expect(await opened(await issue(one, { kid: "one" }))).toBe("user:ann");
  answer = published(await shown(two, { kid: "two" }));
  await passes(11 * minute);
  expect(await opened(await issue(one, { kid: "one" }))).toMatch(/^CREDENTIAL_INVALID: .* does not publish/);
});

test("a token of a new key is told to try again, and is good within seconds", async () => {
  const [one, two] = [await generateKeyPair("ES256"), await generateKeyPair("ES256")];
  answer = published(await shown(one, { kid: "one" }));
  await opened(await issue(one, { kid: "one" }));
  answer = published(await shown(one, { kid: "one" }), await shown(two, { kid: "two" }));
  const token = await issue(two, { kid: "two" });
  // To say that it is wrong would have its holder sign in again.
  expect(await opened(token)).toMatch(/^SERVER_UNAVAILABLE: .* had not published/);
  expect(asked).toBe(1);
  await passes(5_000);
  expect(await opened(token)).toBe("user:ann");
});

test("keys without names, with the same name, and beside ones that nobody can use", async () => {
  const [one, two, stranger] = [
    await generateKeyPair("ES256"),
    await generateKeyPair("ES256"),
    await generateKeyPair("ES256"),
  ];
  const odd: readonly JWK[] = [
    { kty: "XYZ", kid: "weird" },
    { kty: "oct", k: "AAAA", kid: "shared" },
    { kty: "RSA", n: "!!", e: "AQAB", kid: "broken" },
    { kty: "EC", crv: "secp256k1", x: "aa", y: "bb" },
  ];
  answer = published(...odd, await shown(one, {}), await shown(two, {}));
  for (const keys of [one, two]) expect(await opened(await issue(keys))).toBe("user:ann");
  expect(await opened(await issue(stranger))).toMatch(/^CREDENTIAL_INVALID: .* none of its issuer's/);
  answer = published(...odd, await shown(one, { kid: "same" }), await shown(two, { kid: "same" }));
  await passes(11 * minute);
  for (const keys of [one, two]) expect(await opened(await issue(keys, { kid: "same" }))).toBe("user:ann");
  expect(news).toEqual([]);
});

test.each<readonly [string, RequestListener]>([
  [
    "It answers with 302, and it is not followed elsewhere.",
    (_, response) => response.writeHead(302, { location: "/x" }).end(),
  ],
  ["It answers with what is no set of keys (JWKS).", (_, response) => response.end("<html>")],
  ["It answers with what is no set of keys (JWKS).", (_, response) => response.end('{"keys":{}}')],
  ["It cannot be reached (UND_ERR_SOCKET).", (request) => request.socket.destroy()],
])("%s", async (problem, strange) => {
  answer = strange;
  expect(await opened(await issue(await generateKeyPair("ES256")))).toMatch(/^SERVER_UNAVAILABLE/);
  expect(news).toEqual([{ came: false, problem }]);
});

test("a token is told what is wrong with it", async () => {
  const one = await generateKeyPair("ES256");
  answer = published(await shown(one, {}));
  const told = async (claims: object): Promise<string> => opened(await issue(one, { claims }));
  expect(await told({ aud: "https://other.example" })).toMatch(/its aud is not https:\/\/memory\.example\/\./);
  expect(await told({ nbf: Math.floor(Date.now() / 1_000) + 60 })).toMatch(/not good yet/);
  expect(await told({ sub: undefined })).toMatch(/It has no sub/);
  // As people enter an address without a path at their issuer.
  expect(await told({ aud: "https://memory.example" })).toBe("user:ann");
});
