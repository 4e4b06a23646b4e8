import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { proto } from "@loci/api";
import { findServer } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiKeyEntry, printApiKey, runServer, type RunningServer, type ServerLimits } from "../src/index.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import {
  failureOf,
  startTestServer,
  TestClient,
  testConfiguration,
  testKey,
  type TestServer,
  until,
} from "./test-server.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-keys-"));
  file = join(folder, "loci.toml");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes the file as an editor or an orchestrator does. */
function write(entries: readonly ApiKeyEntry[], more = ""): void {
  writeFileSync(`${file}.new`, entries.map(printApiKey).join("\n") + more);
  renameSync(`${file}.new`, file);
}

function start(
  apiKeys: readonly ApiKeyEntry[],
  keyFileInterval = 20,
  limits: Partial<ServerLimits> = {},
): Promise<TestServer> {
  write(apiKeys);
  return startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { apiKeys },
    limits,
    keyFile: file,
    keyFileInterval,
  });
}

const reloads = (server: TestServer): number =>
  server.log().filter(({ event }) => event === "API keys reloaded").length;
const staying = testKey({ id: "staying" });
const leaving = testKey({ id: "leaving" });
const coming = testKey({ id: "coming" });

test("a key that is taken out of the file is refused from then on, also for calls under way; the others go on", async () => {
  await using server = await start([staying.entry, leaving.entry]);
  using stays = new TestClient(server.address, staying.key);
  using leaves = new TestClient(server.address, leaving.key);
  using comes = new TestClient(server.address, coming.key);
  expect((await failureOf(comes.texts())).reason).toBe("CREDENTIAL_INVALID");
  const wait = async (client: TestClient): Promise<unknown> => {
    const service = "/loci.v1.OperationService";
    const { operation } = (await client.call(`${service}/SettleIndexes`, {})) as proto.SettleIndexesResponse;
    return client.call(`${service}/WaitOperation`, proto.WaitOperationRequest.create({ id: operation?.id ?? "" }));
  };
  expect(await wait(leaves)).toBeDefined();

  write([staying.entry, coming.entry]);
  await until(() => reloads(server) === 1);
  expect((await failureOf(leaves.texts())).reason).toBe("CREDENTIAL_INVALID");
  expect(await stays.texts()).toEqual([]);
  expect(await comes.texts()).toEqual([]);
  expect(server.log()).toContainEqual(expect.objectContaining({ event: "API keys reloaded", keys: 2, revoked: 1 }));
});

test("calls under way with a revoked key end, those with another go on, and no connection is dropped", async () => {
  const embedder = gatedEmbedder();
  write([staying.entry, leaving.entry]);
  await using server = await startTestServer({
    openEngine: engineWith(embedder),
    configuration: { apiKeys: [staying.entry, leaving.entry] },
    keyFile: file,
    keyFileInterval: 3_600_000,
  });
  using stays = new TestClient(server.address, staying.key);
  using leaves = new TestClient(server.address, leaving.key);
  embedder.shut();
  const [kept, ended] = [stays.remember("Kept."), failureOf(leaves.remember("Revoked."))];
  await until(() => embedder.counts.running === 2);
  // What has changed in other ways than its key is another key: its rights are those of the file.
  write([staying.entry, { ...leaving.entry, scopes: ["user:bob"] }]);
  server.reload();
  expect(await ended).toMatchObject({
    reason: "CREDENTIAL_INVALID",
    message: "The credential was revoked or changed.",
  });
  embedder.open();
  expect((await kept).text).toBe("Kept.");
  expect(await stays.texts()).toEqual(["Kept."]);
  expect((await failureOf(leaves.texts())).reason).toBe("SCOPE_NOT_PERMITTED");
});

test("SIGHUP takes the keys in at once", async () => {
  write([leaving.entry]);
  const started = Promise.withResolvers<RunningServer>();
  const configuration = testConfiguration({ apiKeys: [leaving.entry], dataDirectory: join(folder, "data") });
  const running = runServer(configuration, {
    openEngine: engineWith(gatedEmbedder()),
    keyFile: file,
    keyFileInterval: 3_600_000,
    onStarted: started.resolve,
    writeLog: () => undefined,
  });
  const { address } = await started.promise;
  using client = new TestClient(address, staying.key);
  expect((await failureOf(client.texts())).reason).toBe("CREDENTIAL_INVALID");
  write([staying.entry]);
  process.emit("SIGHUP");
  expect(await client.texts()).toEqual([]);
  process.emit("SIGTERM");
  await running;
  expect(process.listenerCount("SIGHUP")).toBe(0);
});

test("a file that changes while the server starts is taken in by the time it has", async () => {
  write([staying.entry, leaving.entry]);
  const openEngine = engineWith(gatedEmbedder());
  await using server = await startTestServer({
    openEngine: (options) => {
      write([staying.entry, coming.entry]);
      return openEngine(options);
    },
    configuration: { apiKeys: [staying.entry, leaving.entry] },
    keyFile: file,
    keyFileInterval: 3_600_000,
  });
  using leaves = new TestClient(server.address, leaving.key);
  using comes = new TestClient(server.address, coming.key);
  expect(await comes.texts()).toEqual([]);
  expect((await failureOf(leaves.texts())).reason).toBe("CREDENTIAL_INVALID");
  expect(reloads(server)).toBe(1);
});

test("settings that count from the next start only are named when they change, without what is said in them", async () => {
  await using server = await start([staying.entry], 3_600_000);
  const told = (): readonly unknown[] =>
    server
      .log()
      .flatMap(({ event, level, settings }) => (event === "settings not reloaded" ? [[level, settings]] : []));
  server.reload();
  write([staying.entry, coming.entry]);
  server.reload();
  expect(told()).toEqual([]);

  const canary = "/canary/elsewhere";
  write(
    [staying.entry],
    `\n[listen]\nport = 7799\n[tls]\ncertificate_file = "${canary}"\nprivate_key_file = "${canary}"`,
  );
  server.reload();
  expect(told()).toEqual([["warn", "listen.port, tls.certificate_file, tls.private_key_file"]]);
  expect(server.logText()).not.toContain(canary);
  expect(server.logText()).toContain("They count from the next start");
  // What was only added is one as well when it is taken out, and nothing when all is as it was.
  write([staying.entry]);
  server.reload();
  expect(told()).toHaveLength(1);
});

test("a file without anybody in it lets nobody in, which is more than a line of many", async () => {
  await using server = await start([staying.entry], 3_600_000);
  write([]);
  server.reload();
  const alone = server.log().filter(({ event }) => event === "nobody is let in");
  expect(alone).toMatchObject([{ level: "warn", file, advice: expect.stringContaining("[[api_keys]]") as string }]);
});

test("a file that cannot be used changes nothing, and is told in the log without what stands in it", async () => {
  await using server = await start([staying.entry]);
  using client = new TestClient(server.address, staying.key);
  const problems = (): number => server.log().filter(({ event }) => event === "API keys not reloaded").length;
  for (const [index, text] of ["[[api_keys]]\nid = canary-1", 'limits = "canary-2"', ""].entries()) {
    if (text === "") rmSync(file);
    else writeFileSync(file, text);
    server.reload();
    expect(problems()).toBeGreaterThan(index);
    expect(await client.texts()).toEqual([]);
  }
  expect(server.logText()).not.toContain("canary-1");
  expect(reloads(server)).toBe(0);
});

test("taking every key away closes the server to all", async () => {
  await using server = await start([staying.entry], 3_600_000);
  using client = new TestClient(server.address, staying.key);
  using nobody = new TestClient(server.address);
  write([]);
  server.reload();
  expect((await failureOf(client.texts())).reason).toBe("CREDENTIAL_INVALID");
  expect((await failureOf(nobody.texts())).reason).toBe("CREDENTIAL_MISSING");
});

test("a server that had none takes configured keys, and its user's no more", async () => {
  await using server = await start([], 3_600_000, { callsPerSecond: 1, callBurst: 4 });
  using local = new TestClient(server.address, server.apiKey);
  expect(await local.texts()).toEqual([]);
  server.reload();
  expect(await local.texts()).toEqual([]);
  write([staying.entry]);
  server.reload();
  expect((await failureOf(local.texts())).reason).toBe("CREDENTIAL_INVALID");
  expect(findServer(server.dataDirectory)).toMatchObject({ address: server.address });
  expect(findServer(server.dataDirectory)).not.toHaveProperty("apiKey");
  using client = new TestClient(server.address, staying.key);
  expect(await client.texts()).toEqual([]);
  // Configured keys have a rate, and that the last one is gone is no reason to be open.
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => client.texts()));
  expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
  write([]);
  server.reload();
  for (const refused of [local, client]) expect((await failureOf(refused.texts())).reason).toBe("CREDENTIAL_INVALID");
});
