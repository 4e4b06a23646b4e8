import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ChannelCredentials, credentials } from "@grpc/grpc-js";
import { idOfApiKey } from "@loci/api";
import { describe, expect, test } from "vitest";
import { createApiKey, startServer, type StartServerOptions } from "../src/index.ts";
import { Authenticator } from "../src/security/authenticator.ts";
import { createLocalKey, localPrincipal } from "../src/security/local-key.ts";
import { localAddress } from "../src/security/listen-policy.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { failureOf, startTestServer, TestClient, testConfiguration, testKey, type TestServer } from "./test-server.ts";

const tlsFile = (name: string): string => join(import.meta.dirname, "fixtures/tls", name);
const pem = (name: string): Buffer => readFileSync(tlsFile(name));
const serverFiles = { certificateFile: tlsFile("server.crt"), privateKeyFile: tlsFile("server.key") };
const openEngine: NonNullable<StartServerOptions["openEngine"]> = (options) => engineWith(gatedEmbedder())(options);
const key = testKey();

describe("TLS", () => {
  const startTls = (clientCaFile?: string): Promise<TestServer> =>
    startTestServer({
      openEngine,
      configuration: { tls: { ...serverFiles, clientCaFile }, apiKeys: [key.entry] },
    });
  const attempt = async (server: TestServer, channel: ChannelCredentials): Promise<string> => {
    using client = new TestClient(`localhost:${server.port}`, key.key, channel);
    return await client.texts().then(
      () => "answered",
      (error: { code: string }) => error.code,
    );
  };

  test("serves who trusts its authority, and nobody else", async () => {
    await using server = await startTls();
    expect(await attempt(server, credentials.createSsl(pem("authority.crt")))).toBe("answered");
    expect(await attempt(server, credentials.createSsl(pem("stranger.crt")))).toBe("UNAVAILABLE");
    expect(await attempt(server, credentials.createInsecure())).toBe("UNAVAILABLE");
  });

  test("takes only clients with a certificate of the given authority, if there is one", async () => {
    await using server = await startTls(tlsFile("authority.crt"));
    const ours = credentials.createSsl(pem("authority.crt"), pem("client.key"), pem("client.crt"));
    expect(await attempt(server, ours)).toBe("answered");
    expect(await attempt(server, credentials.createSsl(pem("authority.crt")))).toBe("UNAVAILABLE");
    expect(server.log().filter(({ event }) => event === "call")).toHaveLength(1);
  });

  test.each([
    { ...serverFiles, privateKeyFile: tlsFile("client.key") },
    { ...serverFiles, certificateFile: tlsFile("make.sh") },
    { ...serverFiles, certificateFile: tlsFile("missing.crt") },
    { ...serverFiles, clientCaFile: tlsFile("missing.crt") },
  ])("refuses files that cannot be used: %j", async (tls) => {
    const error = await failureOf(startServer(testConfiguration({ tls }), { openEngine }));
    expect(error.reason).toBe("INVALID_CONFIGURATION");
    expect(error.field).toMatch(/^tls/);
  });
});

describe("listening where others can reach", () => {
  test.each(["0.0.0.0", "::", "192.0.2.1", "example.org", "127.0.0.1.example.org"])(
    "%s takes TLS and keys",
    async (address) => {
      const listen = { address, port: 0 };
      const plaintext = testConfiguration({ listen, apiKeys: [key.entry] });
      expect(await failureOf(startServer(plaintext, { openEngine }))).toMatchObject({
        reason: "INVALID_CONFIGURATION",
        field: "listen.address",
      });
      const withoutKeys = testConfiguration({ listen, tls: serverFiles });
      expect(await failureOf(startServer(withoutKeys, { openEngine }))).toMatchObject({
        reason: "INVALID_CONFIGURATION",
        field: "api_keys",
      });
    },
  );

  test("works with both", async () => {
    await using server = await startTestServer({
      openEngine,
      configuration: { listen: { address: "0.0.0.0", port: 0 }, tls: serverFiles, apiKeys: [key.entry] },
    });
    using client = new TestClient(`localhost:${server.port}`, key.key, credentials.createSsl(pem("authority.crt")));
    expect(await client.texts()).toEqual([]);
  });

  test("a server that listens everywhere is reached from its own machine by loopback", () => {
    expect(localAddress("0.0.0.0", 1)).toBe("127.0.0.1:1");
    expect(localAddress("::", 1)).toBe("[::1]:1");
    expect(localAddress("::1", 1)).toBe("[::1]:1");
  });

  test("a server without keys says at its start whom it serves", async () => {
    await using server = await startTestServer({ openEngine });
    const started = server.log().find(({ event }) => event === "started");
    expect(started).toMatchObject({ tls: "none", callers: expect.stringContaining("server.json") });
  });
});

describe("API keys", () => {
  const options = { tenant: "acme", roles: ["read"], scopes: ["user:*"] } as const;

  test("are random, carry their id, and cannot be got back from their entry", () => {
    const { key, entry } = createApiKey({ ...options, id: "ci-2" });
    expect(key).toMatch(/^loci_ci-2_[A-Za-z0-9_-]{43}$/);
    expect(idOfApiKey(key)).toBe("ci-2");
    expect(entry).toEqual({
      id: "ci-2",
      hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      tokenKey: expect.stringMatching(/^ed25519:[A-Za-z0-9_-]{43}$/),
      ...options,
    });
    expect(new Set(Array.from({ length: 100 }, () => createApiKey(options).key)).size).toBe(100);
    expect(() => createApiKey({ ...options, id: "CI_2" })).toThrow("id of an API key");
  });

  test("say who calls", () => {
    const { key, entry } = createApiKey({ ...options, id: "ci" });
    const authenticator = new Authenticator([entry], Date.now);
    const principal = { tenant: "acme", subject: "api-key:ci", roles: ["read"], scopePatterns: ["user:*"] };
    expect(authenticator.authenticate(`Bearer ${key}`).principal).toEqual(principal);
    expect(authenticator.authenticate(`bearer  ${key}`).principal).toEqual(principal);
    expect(() => authenticator.authenticate(key)).toThrow("not one of this server's");
    expect(() => authenticator.authenticate(`Bearer ${key}, Bearer ${key}`)).toThrow("not one of this server's");
    const named = new Authenticator([{ ...entry, subject: "build" }], Date.now);
    expect(named.authenticate(`Bearer ${key}`).principal.subject).toBe("build");
  });

  test("of a server that was given none is its user's, and each is another", () => {
    const { key, entry } = createLocalKey();
    expect(new Authenticator([entry], Date.now).authenticate(`Bearer ${key}`).principal).toEqual(localPrincipal);
    expect(createLocalKey().key).not.toBe(key);
  });

  test("are needed: without any, nobody is let in", () => {
    for (const authorization of [undefined, "", "Bearer ", `Bearer ${createLocalKey().key}`])
      expect(() => new Authenticator([], Date.now).authenticate(authorization)).toThrow("The ");
  });
});
