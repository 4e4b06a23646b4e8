import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { connectLoci, delegatedToken, type Loci } from "@loci/client";
import { describe, expect, test } from "vitest";
import {
  type ApiKeyEntry,
  type ClientCertificateEntry,
  loadConfiguration,
  loadSettings,
  printApiKey,
  printSettings,
} from "../src/index.ts";
import { ca, clientFile, tls } from "./certificate-files.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { failureOf, startTestServer, TestClient, testKey, type TestServer, until } from "./test-server.ts";

const agents: ClientCertificateEntry = {
  name: "DNS:agents.example",
  tenant: "acme",
  roles: ["read", "write"],
  scopes: ["user:*"],
};
/** The same in a configuration file. */
const agentsTable =
  '[[client_certificates]]\nname = "DNS:agents.example"\ntenant = "acme"\nroles = ["read", "write"]\nscopes = ["user:*"]\n';
const tlsTable = `[tls]
certificate_file = ${JSON.stringify(tls.certificateFile)}
private_key_file = ${JSON.stringify(tls.privateKeyFile)}
client_ca_file = ${JSON.stringify(tls.clientCaFile)}
`;
// openssl x509 -in agents.crt -noout -fingerprint -sha256
const fingerprint =
  "SHA256:6A:A3:27:2A:76:08:46:6F:61:74:FC:E5:2E:CD:A1:E6:89:5D:A6:C7:15:99:8C:97:98:93:5B:55:AD:3C:37:18";
const key = testKey({ id: "ci", scopes: ["global"] });

function start(
  clientCertificates: readonly ClientCertificateEntry[],
  { apiKeys = [], ...options }: { apiKeys?: readonly ApiKeyEntry[]; clock?: () => number; keyFile?: string } = {},
): Promise<TestServer> {
  return startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { tls, apiKeys, clientCertificates },
    keyFileInterval: 3_600_000,
    ...options,
  });
}

/** A client with the certificate of that name, or none. */
function clientOf(server: TestServer, name?: string, apiKey?: string): TestClient {
  const own =
    name === undefined ? undefined : (["key", "crt"] as const).map((end) => readFileSync(clientFile(`${name}.${end}`)));
  return new TestClient(`localhost:${server.port}`, apiKey, credentials.createSsl(ca, own?.[0], own?.[1]));
}

function lociOf(server: TestServer, name: string): Loci {
  const [certificate, key] = ["crt", "key"].map((end) => readFileSync(clientFile(`${name}.${end}`)));
  return connectLoci({ address: `localhost:${server.port}`, tls: { ca, certificate, key } });
}

async function outcomeOf(client: TestClient, scope = "user:ann"): Promise<string> {
  using used = client;
  return await used.texts(scope).then(
    () => "answered",
    (error: { readonly code: string; readonly reason: string }) =>
      error.code === "UNAVAILABLE" ? error.code : error.reason,
  );
}

describe("a certificate", () => {
  test.each(["DNS:agents.example", "URI:spiffe://acme/agents", "CN:agents", fingerprint])(
    "opens by %s what that is bound to, with no other credential",
    async (name) => {
      await using server = await start([{ ...agents, name }]);
      await using loci = lociOf(server, "agents");
      await loci.memories.remember({ text: "Ann likes tea.", scope: "user:ann" });
      const { memories } = await loci.memories.list({ scopes: ["user:ann"] });
      expect(memories.map(({ text }) => text)).toEqual(["Ann likes tea."]);
      expect(await outcomeOf(clientOf(server, "agents"), "global")).toBe("SCOPE_NOT_PERMITTED");
      expect(server.log()).toContainEqual(expect.objectContaining({ tenant: "acme", subject: `certificate:${name}` }));
    },
  );

  test("is needed, from the authority, and valid", async () => {
    await using server = await start([agents], { apiKeys: [key.entry] });
    expect(await outcomeOf(clientOf(server, undefined, key.key), "global")).toBe("UNAVAILABLE");
    for (const refused of ["stranger", "expired"])
      expect(await outcomeOf(clientOf(server, refused))).toBe("UNAVAILABLE");
    expect(await outcomeOf(clientOf(server, "agents"))).toBe("answered");
    // Nothing of the others has got as far as a call.
    expect(server.log().filter(({ event }) => event === "call")).toHaveLength(1);
  });

  test("opens nothing by names that are not bound, also when one holds another's text", async () => {
    await using server = await start([agents, { ...agents, name: "URI:spiffe://acme/agents" }]);
    for (const other of ["unbound", "disguised"])
      expect(await outcomeOf(clientOf(server, other))).toBe("CREDENTIAL_INVALID");
  });

  test("only admits the connection when a call has a credential of its own", async () => {
    await using server = await start([agents], { apiKeys: [key.entry] });
    expect(await outcomeOf(clientOf(server, "agents", key.key), "global")).toBe("answered");
    expect(await outcomeOf(clientOf(server, "agents", key.key), "user:ann")).toBe("SCOPE_NOT_PERMITTED");
    expect(await outcomeOf(clientOf(server, "agents", "loci_wrong"))).toBe("CREDENTIAL_INVALID");
    const token = delegatedToken({ apiKey: key.key, scopes: ["global"], roles: ["read"], expiresInSeconds: 60 });
    expect(await outcomeOf(clientOf(server, "unbound", token), "global")).toBe("answered");
    expect(await outcomeOf(clientOf(server, "unbound"))).toBe("CREDENTIAL_INVALID");
  });

  test("that nothing is bound to is no credential where there are only keys", async () => {
    await using server = await start([], { apiKeys: [key.entry] });
    expect(await outcomeOf(clientOf(server, "agents"))).toBe("CREDENTIAL_MISSING");
  });

  test("ends calls when it expires on an open connection", async () => {
    let time = Date.now();
    await using server = await start([agents], { clock: () => time });
    using client = clientOf(server, "agents");
    expect(await client.texts("user:ann")).toEqual([]);
    time = Date.UTC(2200, 0);
    expect(await failureOf(client.texts("user:ann"))).toMatchObject({
      code: "UNAUTHENTICATED",
      reason: "CREDENTIAL_EXPIRED",
    });
  });

  test("is revoked by taking its entry out: its watches end, and no connection is dropped", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loci-certificates-"));
    const keyFile = join(folder, "loci.toml");
    writeFileSync(keyFile, `${tlsTable}\n${agentsTable}\n${printApiKey(key.entry)}`);
    await using server = await start([agents], { apiKeys: [key.entry], keyFile });
    await using loci = lociOf(server, "agents");
    const seen: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const change of loci.memories.watch({ scopes: ["user:ann"], since: "beginning" })) seen.push(change);
    };
    const ended = failureOf(read());
    await until(() => seen.length > 0);
    writeFileSync(keyFile, printApiKey(key.entry));
    server.reload();
    expect(await ended).toMatchObject({ code: "UNAUTHENTICATED", reason: "CREDENTIAL_INVALID" });
    expect(await outcomeOf(clientOf(server, "agents"))).toBe("CREDENTIAL_MISSING");
    expect(await outcomeOf(clientOf(server, "agents", key.key), "global")).toBe("answered");
    rmSync(folder, { recursive: true });
  });
});

test("a server with certificates alone makes no key for its user, and may listen where others reach it", async () => {
  await using server = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { listen: { address: "0.0.0.0", port: 0 }, tls, clientCertificates: [agents] },
  });
  expect(server.apiKey).toBeUndefined();
  expect(await outcomeOf(clientOf(server, "agents"))).toBe("answered");
});

describe("the configuration", () => {
  const load = (
    entry: string,
    authority = 'client_ca_file = "clients.crt"\n',
  ): ReturnType<typeof loadConfiguration> => {
    const folder = mkdtempSync(join(tmpdir(), "loci-certificates-"));
    const file = join(folder, "loci.toml");
    const files = `[tls]\ncertificate_file = "a"\nprivate_key_file = "b"\n${authority}`;
    writeFileSync(file, `${files}\n${entry}`);
    try {
      expect(printSettings(loadSettings({ file, environment: {} }))).toContain("[[client_certificates]]");
      return loadConfiguration({ file, environment: {} });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  test("binds names to rights", () => {
    expect(load(agentsTable).clientCertificates).toEqual([{ ...agents, subject: undefined }]);
  });

  test.each([
    ["client_certificates = 1", "client_certificates"],
    [agentsTable.replace("DNS:", ""), "client_certificates[0].name"],
    [agentsTable.replace("DNS:agents", "DNS:a, DNS:b"), "client_certificates[0].name"],
    [agentsTable.replace("agents.example", 'a\\"b'), "client_certificates[0].name"],
    [agentsTable.replace("acme", ""), "client_certificates[0].tenant"],
    [agentsTable.replace("write", "root"), "client_certificates[0].roles"],
    [agentsTable.replace("user:*", "user:a*"), "client_certificates[0].scopes"],
    [`${agentsTable}key = "x"`, "client_certificates[0].key"],
    [agentsTable + agentsTable, "client_certificates[1].name"],
  ])("refuses %j", (entry, field) => {
    const text = entry.startsWith("client_") ? "" : entry;
    // A value that is no table stands before the first table.
    const read = (): unknown => (text === "" ? loadText(`${entry}\n`) : load(text));
    expect(read).toThrow(expect.objectContaining({ reason: "INVALID_CONFIGURATION", field }));
  });

  test("refuses names where no client would send a certificate", () => {
    expect(() => load(agentsTable, "")).toThrow(expect.objectContaining({ field: "tls.client_ca_file" }));
  });

  const loadText = (text: string): unknown => {
    const folder = mkdtempSync(join(tmpdir(), "loci-certificates-"));
    writeFileSync(join(folder, "loci.toml"), text);
    try {
      return loadConfiguration({ file: join(folder, "loci.toml"), environment: {} });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
});
