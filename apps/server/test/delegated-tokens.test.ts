import { createPrivateKey, hkdfSync, sign } from "node:crypto";
import { connectLoci, delegatedToken, type DelegatedTokenOptions } from "@loci/client";
import { hasRole, LociError, permitsScope, type Principal, type Role, roles, type Scope } from "@loci/loci";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { proto } from "@loci/api";
import { type ApiKeyEntry, createApiKey, printApiKey } from "../src/index.ts";
import { Authenticator } from "../src/security/authenticator.ts";
import type { Credential } from "../src/security/credential.ts";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokenFor } from "../../../docs/examples/delegated-tokens.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { failureOf, scopeOf, startTestServer, testKey, type TestServer, until } from "./test-server.ts";

const now = Date.UTC(2026, 5, 1);
const key = testKey({ id: "agents", scopes: ["user:*", "global"], roles: ["read", "write"] });
const tokenOf = (options: Partial<DelegatedTokenOptions> = {}): string =>
  delegatedToken({ apiKey: key.key, scopes: ["user:ann"], roles: ["read"], expiresInSeconds: 900, now, ...options });

/** A token of the key with these claims, made as any library of JSON Web Tokens would. */
function signedByHand(claims: Readonly<Record<string, number>>): string {
  const seed = Buffer.from(hkdfSync("sha256", key.key, "", "loci delegated token 1", 32));
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const text = [
    { alg: "EdDSA", typ: "loci-token+jwt", kid: "agents" },
    { scopes: ["user:ann"], roles: ["read"], iat: now / 1_000, exp: now / 1_000 + 900, ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return [...text, sign(null, Buffer.from(text.join(".")), privateKey).toString("base64url")].join(".");
}

describe("a token", () => {
  let time = now;
  const authenticator = (entry: ApiKeyEntry = key.entry): Authenticator => new Authenticator([entry], () => time);
  const reasonFor = (token: string, entry?: ApiKeyEntry): string => {
    try {
      authenticator(entry).authenticate(`Bearer ${token}`);
      return "taken";
    } catch (error) {
      return (error as LociError).reason;
    }
  };

  test("opens what it names, in its key's tenant and name", () => {
    time = now;
    const { principal, owner, expiresAt } = authenticator().authenticate(`Bearer ${tokenOf()}`);
    const own = { tenant: "acme", subject: "api-key:agents" };
    expect(principal).toEqual({ ...own, scopePatterns: ["user:ann"], roles: ["read"] });
    expect(owner).toEqual({ ...own, scopePatterns: ["user:*", "global"], roles: ["read", "write"] });
    expect(expiresAt).toBe(now + 900_000);
  });

  test("is one principal for as long as it is remembered", () => {
    time = now;
    const known = authenticator();
    const [first, second] = [known.authenticate(`Bearer ${tokenOf()}`), known.authenticate(`Bearer ${tokenOf()}`)];
    expect(second.principal).toBe(first.principal);
    expect(known.authenticate(`Bearer ${key.key}`).principal).toBe(first.owner);
  });

  test("is over at its last second, however often it was taken before", () => {
    const known = authenticator();
    time = now + 899_999;
    expect(known.authenticate(`Bearer ${tokenOf()}`)).toBeDefined();
    time = now + 900_000;
    expect(() => known.authenticate(`Bearer ${tokenOf()}`)).toThrow("expired at 2026-06-01T00:15:00.000Z");
  });

  test("is over with its key", () => {
    time = now;
    const expiresAt = now + 1_000;
    const known = authenticator({ ...key.entry, expiresAt });
    expect(known.authenticate(`Bearer ${tokenOf()}`).expiresAt).toBe(expiresAt);
    time = expiresAt;
    // Another token of it would be no better.
    expect(() => known.authenticate(`Bearer ${tokenOf()}`)).toThrow("The API key of the delegated token expired at");
  });

  test("may come from a clock that is up to a minute ahead", () => {
    time = now - 60_000;
    expect(reasonFor(tokenOf())).toBe("taken");
    time--;
    expect(reasonFor(tokenOf())).toBe("CREDENTIAL_INVALID");
  });

  test("that says more than its maker's rules allow is refused, though the key has signed it", () => {
    time = now;
    expect(reasonFor(signedByHand({}))).toBe("taken");
    expect(reasonFor(signedByHand({ exp: now / 1_000 + 86_401 }))).toBe("CREDENTIAL_INVALID");
    expect(reasonFor(signedByHand({ iat: now / 1_000 - 86_000, exp: now / 1_000 + 500 }))).toBe("CREDENTIAL_INVALID");
    expect(reasonFor(signedByHand({ nbf: 0 }))).toBe("CREDENTIAL_INVALID");
  });

  test("of a key whose entry has no token key is refused", () => {
    time = now;
    expect(reasonFor(tokenOf(), { ...key.entry, tokenKey: undefined })).toBe("CREDENTIAL_INVALID");
    expect(reasonFor(tokenOf(), { ...key.entry, tokenKey: testKey().entry.tokenKey })).toBe("CREDENTIAL_INVALID");
  });

  test("is forgotten when its key's entry changes, whatever was known of it", () => {
    time = now;
    const known = authenticator();
    expect(known.authenticate(`Bearer ${tokenOf()}`)).toBeDefined();
    known.replace([{ ...key.entry, scopes: ["user:bob"] }]);
    expect(() => known.authenticate(`Bearer ${tokenOf()}`)).toThrow("names a scope that its API key does not have");
    known.replace([]);
    expect(() => known.authenticate(`Bearer ${tokenOf()}`)).toThrow("none of an API key of this server");
  });

  test("does not fill the memory: the one verified longest ago is verified again", () => {
    time = now;
    const known = new Authenticator([key.entry], () => time, 20);
    const take = (user: number): Principal =>
      known.authenticate(`Bearer ${tokenOf({ scopes: [`user:${user}`] })}`).principal;
    const first = take(0);
    for (let user = 1; user < 20; user++) take(user);
    expect(take(0)).toBe(first);
    take(20);
    expect(take(0)).not.toBe(first);
  });
});

test("a token never reaches more than its key", () => {
  const kinds = ["user", "agent", "team"] as const;
  const scope = fc.oneof(
    fc.record({ kind: fc.constantFrom(...kinds), id: fc.constantFrom("a", "b", "a:b", "ab") }),
    fc.constant<Scope>({ kind: "global" }),
  );
  const pattern = fc.oneof(
    fc.constant("*"),
    fc.constant("global"),
    fc.constantFrom(...kinds).map((kind) => `${kind}:*`),
    fc.tuple(fc.constantFrom(...kinds), fc.constantFrom("a", "b", "a:b", "ab")).map((parts) => parts.join(":")),
  );
  const rights = fc.record({
    scopes: fc.uniqueArray(pattern, { minLength: 1, maxLength: 4 }),
    roles: fc.uniqueArray(fc.constantFrom(...roles), { minLength: 1 }),
  });
  const made = createApiKey({ tenant: "acme", scopes: ["*"], roles });
  let opened = 0;
  /** What it is taken for, or that it is refused for the one reason there is. */
  const taken = (authenticator: Authenticator, token: string): Credential | undefined => {
    try {
      return authenticator.authenticate(`Bearer ${token}`);
    } catch (error) {
      if (LociError.is(error) && error.reason === "CREDENTIAL_INVALID") return undefined;
      throw error;
    }
  };
  fc.assert(
    fc.property(rights, rights, scope, fc.constantFrom<Role>(...roles), (own, asked, touched, role) => {
      const authenticator = new Authenticator([{ ...made.entry, ...own }], () => now);
      const token = delegatedToken({ apiKey: made.key, ...asked, expiresInSeconds: 60, now });
      const credential = taken(authenticator, token);
      if (credential === undefined) return true;
      opened++;
      const { principal, owner } = credential;
      const reaches = (who: Principal): boolean => permitsScope(who, touched) && hasRole(who, role);
      return reaches(owner) || !reaches(principal);
    }),
    { numRuns: 2_000 },
  );
  expect(opened).toBeGreaterThan(50);
});

describe("over the wire", () => {
  const start = (options: { clock?: () => number; keyFile?: string } = {}): Promise<TestServer> =>
    startTestServer({
      openEngine: engineWith(gatedEmbedder()),
      configuration: { apiKeys: [key.entry], logLevel: "debug" },
      keyFileInterval: 3_600_000,
      ...options,
    });
  const watch = (server: TestServer, token: string): { ended: Promise<LociError>; seen: unknown[] } => {
    const seen: unknown[] = [];
    const loci = connectLoci({ address: server.address, apiKey: token });
    const read = async (): Promise<void> => {
      for await (const change of loci.memories.watch({ scopes: ["user:ann"], since: "beginning" })) seen.push(change);
    };
    const ended = async (): Promise<LociError> => {
      const failure = await failureOf(read());
      await loci.close();
      return failure;
    };
    return { ended: ended(), seen };
  };

  test("serves each user their own, from one key", async () => {
    await using server = await start();
    const make = (user: string): ReturnType<TestServer["client"]> =>
      server.client(tokenOf({ scopes: [`user:${user}`], roles: ["read", "write"], now: Date.now() }));
    const [ann, bob] = [make("ann"), make("bob")];
    await Promise.all([ann.remember("Ann likes tea.", "user:ann"), bob.remember("Bob likes coffee.", "user:bob")]);
    expect(await ann.texts("user:ann")).toEqual(["Ann likes tea."]);
    expect((await failureOf(ann.texts("user:bob"))).reason).toBe("SCOPE_NOT_PERMITTED");
    expect((await failureOf(bob.remember("Anything.", "global"))).reason).toBe("SCOPE_NOT_PERMITTED");
  });

  test("a watch ends when its token does, with the reason", async () => {
    let passed = 0;
    await using server = await start({ clock: () => now + passed });
    const { ended, seen } = watch(server, tokenOf({ expiresInSeconds: 1 }));
    await until(() => seen.length > 0);
    passed = 1_000;
    expect(await ended).toMatchObject({ code: "UNAUTHENTICATED", reason: "CREDENTIAL_EXPIRED" });
    expect(server.log()).toContainEqual(
      expect.objectContaining({ method: "loci.v1.MemoryService/WatchMemories", reason: "CREDENTIAL_EXPIRED" }),
    );
  });

  test.each([
    ["revoked", []],
    ["narrowed", [{ ...key.entry, scopes: ["user:bob"] }]],
    ["given fewer roles", [{ ...key.entry, roles: ["write" as const] }]],
  ])("a watch ends at once when the key of its token is %s", async (_how, entries) => {
    const folder = mkdtempSync(join(tmpdir(), "loci-tokens-"));
    const keyFile = join(folder, "loci.toml");
    writeFileSync(keyFile, printApiKey(key.entry));
    await using server = await start({ keyFile });
    const token = tokenOf({ now: Date.now() });
    const { ended, seen } = watch(server, token);
    await until(() => seen.length > 0);
    writeFileSync(keyFile, entries.map(printApiKey).join("\n"));
    server.reload();
    expect(await ended).toMatchObject({ code: "UNAUTHENTICATED", reason: "CREDENTIAL_INVALID" });
    expect((await failureOf(server.client(token).texts("user:ann"))).reason).toBe("CREDENTIAL_INVALID");
    rmSync(folder, { recursive: true });
  });

  test("no part of a token stands in the log or in an error", async () => {
    await using server = await start();
    const good = tokenOf({ now: Date.now() });
    const wrong = [
      tokenOf({ now: 0 }),
      tokenOf({ scopes: ["*"], now: Date.now() }),
      tokenOf({ now: Date.now() + 3_600_000 }),
      `${good}x`,
      good.replace(".", ".."),
    ];
    const errors = await Promise.all(wrong.map((token) => failureOf(server.client(token).texts("user:ann"))));
    expect(await server.client(good).texts("user:ann")).toEqual([]);
    const told = server.logText() + errors.map(({ message, advice }) => `${message} ${advice}`).join("\n");
    expect(errors.map(({ code }) => code)).toEqual(wrong.map(() => "UNAUTHENTICATED"));
    const parts = [good, ...wrong].flatMap((token) => token.split(".").slice(1)).filter((part) => part !== "");
    for (const part of parts) expect(told).not.toContain(part.slice(0, 20));
  });

  test("the tokens of a key count as the key: its rate is theirs together", async () => {
    await using server = await startTestServer({
      openEngine: engineWith(gatedEmbedder()),
      configuration: { apiKeys: [key.entry] },
      limits: { callsPerSecond: 1, callBurst: 5 },
    });
    const calls = Array.from({ length: 10 }, (_, user) => {
      const client = server.client(tokenOf({ scopes: [`user:${user}`], now: Date.now() }));
      return client.call("/loci.v1.ContextService/CountTokens", proto.CountTokensRequest.create({ text: "one" }));
    });
    const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThanOrEqual(4);
  });

  test("the key that a server makes for its user has tokens, too", async () => {
    await using server = await startTestServer({ openEngine: engineWith(gatedEmbedder()) });
    const apiKey = server.apiKey!;
    const token = delegatedToken({ apiKey, scopes: ["user:ann"], roles: ["read"], expiresInSeconds: 60 });
    expect(await server.client(token).texts("user:ann")).toEqual([]);
    const request = proto.ListMemoriesRequest.create({ scopes: [scopeOf("global")] });
    const refused = server.client(token).call("/loci.v1.MemoryService/ListMemories", request);
    expect((await failureOf(refused)).reason).toBe("SCOPE_NOT_PERMITTED");
  });
});

test("the guide shows what makes a token for a user, as it is", () => {
  const authenticator = new Authenticator([key.entry], Date.now);
  const { principal } = authenticator.authenticate(`Bearer ${tokenFor("ann", key.key)}`);
  expect(principal).toMatchObject({ scopePatterns: ["user:ann"], roles: ["read", "write"] });
  const documents = join(import.meta.dirname, "../../../docs");
  const example = readFileSync(join(documents, "examples/delegated-tokens.ts"), "utf8");
  expect(readFileSync(join(documents, "guides/keys.md"), "utf8")).toContain(`\`\`\`ts\n${example}\`\`\``);
});
