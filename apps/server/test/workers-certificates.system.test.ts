import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials, Metadata } from "@grpc/grpc-js";
import { connectLoci } from "@loci/client";
import { findServer } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askOperator, type ClientCertificateEntry, printApiKey, type ServerConfiguration } from "../src/index.ts";
import { certificateHeaderName } from "../src/security/certificate-header.ts";
import { proto } from "@loci/api";
import { ca, clientFile, serverFile, tls } from "./certificate-files.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { shownCertificate } from "./shown-certificate.ts";
import { failureOf, scopeOf, startTestServer, TestClient, testKey, until } from "./test-server.ts";
import { startWorkerServer, tenantsOfWorkers, type WorkerServer } from "./worker-server.ts";

/** Of each worker's tenant, a name of the certificate that `certificates` names. */
const bound: readonly ClientCertificateEntry[] = ["DNS:agents.example", "DNS:nobody.example"].map((name, worker) => ({
  name,
  tenant: tenantsOfWorkers[worker]!,
  roles: ["read", "write"],
  scopes: ["*"],
}));
const certificates = ["agents", "unbound"] as const;
const keys = tenantsOfWorkers.map((tenant, number) => testKey({ id: `tenant-${number}`, tenant }));
const apiKeys = keys.map(({ entry }) => entry);
const mutual: Partial<ServerConfiguration> = { tls, apiKeys, clientCertificates: bound };

const clients = new Map<string, TestClient>();
afterAll(() => {
  for (const client of clients.values()) client[Symbol.dispose]();
});

/** A client with the certificate of that name, or none. */
function clientOf({ port }: { readonly port: number }, name?: string, key?: string): TestClient {
  const known = clients.get(`${port} ${name} ${key}`);
  if (known !== undefined) return known;
  const own =
    name === undefined ? undefined : (["key", "crt"] as const).map((end) => readFileSync(clientFile(`${name}.${end}`)));
  const client = new TestClient(`localhost:${port}`, key, credentials.createSsl(ca, own?.[0], own?.[1]));
  clients.set(`${port} ${name} ${key}`, client);
  return client;
}

async function reasonOf(call: Promise<unknown>): Promise<string> {
  const { code, reason } = await failureOf(call);
  return code === "UNAVAILABLE" ? code : reason;
}

/** What the client sees in its tenant, by a call that carries these headers too. */
async function textsWith(client: TestClient, headers: Metadata): Promise<readonly string[]> {
  const request = proto.ListMemoriesRequest.create({ scopes: [scopeOf("global")], pageSize: 10 });
  const answer = await client.call("/loci.v1.MemoryService/ListMemories", request, { metadata: headers.clone() });
  return (answer as proto.ListMemoriesResponse).memories.map(({ text }) => text);
}

function configurationFile(clientCertificates: readonly ClientCertificateEntry[]): string {
  const lines = Object.entries({
    certificate_file: tls.certificateFile,
    private_key_file: tls.privateKeyFile,
    client_ca_file: tls.clientCaFile,
  }).map(([name, path]) => `${name} = ${JSON.stringify(path)}`);
  const tables = clientCertificates.map((entry) => {
    const fields = Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    return ["[[client_certificates]]", ...fields].join("\n");
  });
  return ["[tls]", ...lines, ...tables, ...apiKeys.map(printApiKey)].join("\n");
}

describe("certificates of clients with two workers", () => {
  let folder: string;
  let keyFile: string;
  let server: WorkerServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "loci-workers-certificates-"));
    keyFile = join(folder, "loci.toml");
    server = await startWorkerServer({ configuration: mutual, keyFile, keyFileInterval: 3_600_000 });
    for (const [worker, key] of keys.entries())
      await clientOf(server, "agents", key.key).remember(`This is of tenant ${worker}.`);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Who was answered by whom, since the log had so many lines. */
  function answeredSince(lines: number): readonly string[] {
    const calls = server
      .log()
      .slice(lines)
      .filter((line) => line.event === "call");
    return calls.map((line) => `${String(line["worker"])} ${String(line["tenant"])} ${String(line["subject"])}`);
  }
  const subjects = bound.map(({ name }, worker) => `${worker} ${tenantsOfWorkers[worker]} certificate:${name}`);

  test("each reaches its tenant, on the worker that has it", async () => {
    const before = server.log().length;
    for (const [worker, certificate] of certificates.entries())
      expect(await clientOf(server, certificate).texts()).toEqual([`This is of tenant ${worker}.`]);
    await until(() => answeredSince(before).length === 2);
    expect(answeredSince(before)).toEqual(subjects);
  });

  test("one of another authority, one that is over, and none get no connection", async () => {
    const before = server.log().length;
    for (const refused of ["stranger", "expired", undefined])
      expect(await reasonOf(clientOf(server, refused, keys[1]!.key).texts())).toBe("UNAVAILABLE");
    expect(await clientOf(server, "agents", keys[1]!.key).texts()).toEqual(["This is of tenant 1."]);
    await until(() => answeredSince(before).length > 0);
    expect(answeredSince(before)).toHaveLength(1);
  });

  test("a key goes first, also one that is none", async () => {
    for (const [worker, { key }] of keys.entries())
      for (const certificate of [...certificates, "disguised"])
        expect(await clientOf(server, certificate, key).texts()).toEqual([`This is of tenant ${worker}.`]);
    expect(await reasonOf(clientOf(server, "agents", "loci_wrong").texts())).toBe("CREDENTIAL_INVALID");
  });

  test("what is refused is told as one process tells it", async () => {
    await using single = await startTestServer({ openEngine: engineWith(gatedEmbedder()), configuration: mutual });
    for (const key of [undefined, "loci_wrong", testKey({ tenant: tenantsOfWorkers[1] }).key]) {
      const [one, several] = await Promise.all(
        [single, server].map((asked) => failureOf(clientOf(asked, "disguised", key).texts())),
      );
      expect(one?.reason).toBe("CREDENTIAL_INVALID");
      expect(several).toMatchObject({ reason: one?.reason, message: one?.message, advice: one?.advice });
    }
  });

  test("the header by which a worker is told is nothing when a caller sends it", async () => {
    const name = Buffer.from(bound[1]!.name).toString("base64url");
    const told = `${"A".repeat(43)} ${Date.UTC(2100, 0)} ${name}`;
    const once = new Metadata();
    once.set(certificateHeaderName, told);
    const often = new Metadata();
    for (const spelling of [certificateHeaderName, certificateHeaderName.toUpperCase(), "loci_client_certificate"])
      for (const value of [told, bound[1]!.name]) often.add(spelling, value);
    often.add(`${certificateHeaderName}-bin`, Buffer.from(told));
    for (const forged of [once, often]) {
      expect(await textsWith(clientOf(server, "agents"), forged)).toEqual(["This is of tenant 0."]);
      expect(await textsWith(clientOf(server, "unbound", keys[0]!.key), forged)).toEqual(["This is of tenant 0."]);
      expect(await reasonOf(textsWith(clientOf(server, "disguised"), forged))).toBe("CREDENTIAL_INVALID");
    }
    // Nor is it at the socket of the worker, for whoever gets there.
    const started = server.log().find((line) => line.event === "started" && line["worker"] === 1)!;
    using past = new TestClient(`unix:${String(started["address"])}`);
    expect(await reasonOf(textsWith(past, once))).toBe("CREDENTIAL_MISSING");
    using withKey = new TestClient(`unix:${String(started["address"])}`, keys[1]!.key);
    expect(await textsWith(withKey, once)).toEqual(["This is of tenant 1."]);
  });

  test("names come and go without a restart: watches end, and no connection is dropped", async () => {
    const [certificate, key] = ["crt", "key"].map((end) => readFileSync(clientFile(`unbound.${end}`)));
    await using loci = connectLoci({ address: `localhost:${server.port}`, tls: { ca, certificate, key } });
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const change of loci.memories.watch({ scopes: ["global"], since: "beginning" })) seen.push(change);
    })();
    const ended = failureOf(reading);
    await until(() => seen.length > 0);
    const client = clientOf(server, "unbound");
    const withKey = clientOf(server, "unbound", keys[1]!.key);
    await Promise.all([client.texts(), withKey.texts()]);

    writeFileSync(keyFile, configurationFile(bound.slice(0, 1)));
    server.reload();
    expect((await ended).reason).toBe("CREDENTIAL_INVALID");
    expect(await reasonOf(client.texts())).toBe("CREDENTIAL_INVALID");
    expect(await withKey.texts()).toEqual(["This is of tenant 1."]);
    expect(await clientOf(server, "agents").texts()).toEqual(["This is of tenant 0."]);

    // To another tenant, with which it goes to another worker.
    writeFileSync(keyFile, configurationFile([bound[0]!, { ...bound[1]!, tenant: tenantsOfWorkers[0] }]));
    server.reload();
    await until(async () => (await client.texts().catch(() => [])).length > 0);
    expect(await client.texts()).toEqual(["This is of tenant 0."]);

    writeFileSync(keyFile, configurationFile([]));
    server.reload();
    await until(async () => (await client.texts().catch(reasonOfError)) === "CREDENTIAL_MISSING");
    writeFileSync(keyFile, configurationFile(bound));
    server.reload();
    await until(async () => (await client.texts().catch(reasonOfError))[0] === "This is of tenant 1.");
  });

  test("a worker that is started again knows them, and a tenant that moves takes its names along", async () => {
    const client = clientOf(server, "unbound");
    const pid = server.pidOf(1);
    process.kill(pid, "SIGKILL");
    await until(() => server.pidOf(1) !== pid);
    expect(await client.texts()).toEqual(["This is of tenant 1."]);
    const { operatorSocket = "" } = findServer(server.dataDirectory) ?? {};
    await askOperator(operatorSocket, { type: "move", tenant: tenantsOfWorkers[1], to: 0 });
    const before = server.log().length;
    expect(await client.texts()).toEqual(["This is of tenant 1."]);
    await until(() => answeredSince(before).length > 0);
    expect(answeredSince(before)).toEqual([subjects[1]!.replace(/^1/u, "0")]);
  });
});

test("with certificates alone no key is made, and others may reach the server", async () => {
  const listen = { address: "0.0.0.0", port: 0 };
  await using server = await startWorkerServer({ configuration: { ...mutual, listen, apiKeys: [] } });
  expect(server.apiKey).toBeUndefined();
  expect(await clientOf(server, "unbound").texts()).toEqual([]);
});

function reasonOfError(error: unknown): string {
  return (error as { readonly reason: string }).reason;
}

test("the front says once that an authority of callers has ended, and its workers nothing", async () => {
  const ended = clientFile("expired.crt");
  await using server = await startWorkerServer({ configuration: { ...mutual, tls: { ...tls, clientCaFile: ended } } });
  expect(server.log().filter(({ event }) => event === "certificate expired")).toEqual([
    expect.objectContaining({ level: "error", file: ended }),
  ]);
});

test("the front shows new connections a renewed certificate, and goes on with those that are open", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-workers-renewal-"));
  const files = { certificateFile: join(folder, "server.crt"), privateKeyFile: join(folder, "server.key") };
  const put = (name: string): void => {
    copyFileSync(serverFile(`${name}.crt`), files.certificateFile);
    copyFileSync(serverFile(`${name}.key`), files.privateKeyFile);
  };
  put("server");
  try {
    await using server = await startWorkerServer({ configuration: { tls: files, apiKeys }, keyFileInterval: 20 });
    using client = new TestClient(`localhost:${server.port}`, keys[0]!.key, credentials.createSsl(ca));
    const request = proto.WatchMemoriesRequest.create({ scopes: [scopeOf("global")] });
    const watch = client.stream("/loci.v1.MemoryService/WatchMemories", request);
    const watched: unknown[] = [];
    const failures: unknown[] = [];
    watch.on("data", (answer) => watched.push(answer)).on("error", (error) => failures.push(error));
    await client.remember("The door is blue.");
    await until(() => watched.length > 0);
    expect(await shownCertificate(server.port)).toBe("server");
    put("client");
    await until(async () => (await shownCertificate(server.port)) === "client");
    const seen = watched.length;
    await client.remember("The roof is red.");
    await until(() => watched.length > seen);
    expect(failures).toEqual([]);
    watch.cancel();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
