import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  type ServiceClientConstructor,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { findServer } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ApiKeyEntry, askHealth, printApiKey } from "../src/index.ts";
import { ask, scrape, sumOf } from "./prometheus.ts";
import { failureOf, startTestServer, type TestClient, testKey, type TestServer, until } from "./test-server.ts";
import { isRunning, startWorkerServer, tenantsOfWorkers, type WorkerServer } from "./worker-server.ts";

const keys = tenantsOfWorkers.map((tenant, number) => testKey({ id: `tenant-${number}`, tenant }));
const coming = testKey({ id: "coming", tenant: tenantsOfWorkers[0] });

/** What is one for callers and operators, however many processes there are. */
describe("a server of two workers", () => {
  let folder: string;
  let file: string;
  let server: WorkerServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "loci-as-one-"));
    file = join(folder, "loci.toml");
    write(keys.map(({ entry }) => entry));
    server = await startWorkerServer({
      configuration: {
        dataDirectory: join(folder, "data"),
        apiKeys: keys.map(({ entry }) => entry),
        telemetry: { prometheus: { address: "127.0.0.1", port: 0 } },
      },
      healthInterval: 200,
      keyFile: file,
      keyFileInterval: 20,
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  function write(entries: readonly ApiKeyEntry[]): void {
    writeFileSync(`${file}.new`, entries.map(printApiKey).join("\n"));
    renameSync(`${file}.new`, file);
  }

  function clientOf(worker: number): TestClient {
    return server.client(keys[worker]!.key);
  }

  const health = (): Promise<string> => askHealth({ address: server.address });

  test("is announced in the directory that was named", () => {
    expect(findServer(join(folder, "data"))).toMatchObject({ address: server.address, pid: process.pid });
    expect(findServer(join(folder, "data", "shards", "1"))).toBeUndefined();
  });

  test("serves when all workers do", async () => {
    await until(async () => (await health()) === "SERVING");
    const before = server.pidOf(1);
    process.kill(before, "SIGKILL");
    await until(async () => (await health()) === "NOT_SERVING");
    expect(await askHealth({ address: server.address, part: "ledger" })).toBe("NOT_SERVING");
    await until(() => server.pidOf(1) !== before);
    await until(async () => (await health()) === "SERVING");
  });

  test("tells Prometheus of all of them in one answer, and which worker each figure is of", async () => {
    await clientOf(0).remember("Said by tenant 0.");
    await clientOf(0).texts();
    await clientOf(1).texts();
    const samples = await scrape(server.prometheusAddress!);
    const workers = new Set(samples.map(({ labels }) => labels["worker"]));
    expect(workers).toEqual(new Set(["0", "1", "front"]));
    const lists = samples.filter(
      ({ name, labels }) =>
        name.endsWith("_count") && Object.values(labels).some((label) => label.endsWith("ListMemories")),
    );
    expect(new Set(lists.map(({ labels }) => labels["worker"]))).toEqual(new Set(["0", "1"]));
  });

  test("tells Prometheus that it does not serve while a worker is gone, which cannot say so itself", async () => {
    const serving = async (): Promise<number> =>
      sumOf(await scrape(server.prometheusAddress!), "loci_server_serving", { worker: "front", loci_part: "server" });
    await until(async () => (await serving()) === 1);
    process.kill(server.pidOf(1), "SIGKILL");
    await until(async () => (await serving()) === 0);
    const { text } = await ask(server.prometheusAddress!);
    expect(text).not.toContain('{worker="1"');
    expect(text).toMatch(/^loci_worker_up\{worker="front",loci_worker="1"\} 0(?: |$)/mu);
    await until(async () => (await serving()) === 1);
  });

  test("tells Prometheus of the connections of callers once, also of those that have said nothing", async () => {
    const connections = async (): Promise<number> =>
      sumOf(await scrape(server.prometheusAddress!), "loci_server_connections");
    await clientOf(0).texts();
    await clientOf(1).texts();
    const before = await connections();
    const socket = connect(server.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    await until(async () => (await connections()) > before);
    expect(await connections()).toBe(before + 1);
  });

  test("takes changed keys in: calls of one that is gone end, and new ones are let in", async () => {
    const watch = clientOf(1).stream("/loci.v1.MemoryService/WatchMemories", { scopes: [{ kind: 6, id: "" }] });
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    watch.on("error", (error) => resolve(error.message));
    watch.on("data", () => write([keys[0]!.entry, coming.entry]));
    expect(await ended).toContain("revoked");
    await until(async () => (await failureOf(clientOf(1).texts())).reason === "CREDENTIAL_INVALID");
    await until(() =>
      server
        .client(coming.key)
        .texts()
        .then(
          () => true,
          () => false,
        ),
    );
    await clientOf(0).texts();
    write(keys.map(({ entry }) => entry));
    await until(() =>
      clientOf(1)
        .texts()
        .then(
          () => true,
          () => false,
        ),
    );
  });

  test("a worker that comes back knows the keys of now", async () => {
    write([...keys.map(({ entry }) => entry), coming.entry]);
    await until(() =>
      server
        .client(coming.key)
        .texts()
        .then(
          () => true,
          () => false,
        ),
    );
    const before = server.pidOf(0);
    process.kill(before, "SIGKILL");
    await until(() => server.pidOf(0) !== before);
    expect(await server.client(coming.key).texts()).toContain("Said by tenant 0.");
  });

  test("a file with keys takes the key of the server's own user away from all workers", async () => {
    const local = join(folder, "local.toml");
    writeFileSync(local, "");
    const directory = join(folder, "local");
    await using own: TestServer = await startTestServer({
      configuration: { workers: 2, dataDirectory: directory, environment: "development" },
      keyFile: local,
      keyFileInterval: 20,
    });
    await own.client(own.apiKey).remember("Only the user says this.");
    expect(findServer(directory)?.apiKey).toBe(own.apiKey);
    expect(await reflectionOf(own.address)).toContain("loci.v1.MemoryService");
    expect(await reflectionOf(server.address)).toContain("UNIMPLEMENTED");
    writeFileSync(local, printApiKey(keys[1]!.entry));
    await until(() =>
      own
        .client(keys[1]!.key)
        .texts()
        .then(
          () => true,
          () => false,
        ),
    );
    await until(async () => (await failureOf(own.client(own.apiKey).texts())).reason === "CREDENTIAL_INVALID");
    expect(findServer(directory)?.apiKey).toBeUndefined();
  });

  test("that is told to stop ends its streams, finishes its calls and leaves no process", async () => {
    const pids = [server.pidOf(0), server.pidOf(1)];
    const watches = [0, 1].map((worker) => {
      const stream = clientOf(worker).stream("/loci.v1.MemoryService/WatchMemories", { scopes: [{ kind: 6, id: "" }] });
      const { promise, resolve } = Promise.withResolvers<string>();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      stream.on("data", () => begin());
      stream.on("error", (error) => resolve(error.message));
      return { begun, ended: promise };
    });
    await Promise.all(watches.map(({ begun }) => begun));
    const calls = Promise.allSettled([0, 1].map((worker) => clientOf(worker).remember("Said just before the end.")));
    // So that they are under way; on a busy machine they may come too late, and are told to try again.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const closing = server.close(5_000);
    for (const { ended } of watches) expect(await ended).toContain("The server is stopping");
    for (const ended of await calls)
      expect(ended.status === "rejected" ? ended.reason : { code: "UNAVAILABLE" }).toMatchObject({
        code: "UNAVAILABLE",
      });
    await closing;
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(findServer(join(folder, "data"))).toBeUndefined();
    expect(server.log().filter(({ event }) => event === "worker ended").length).toBe(3);
  });
});

/** The services that a server says it has, or why it does not. */
async function reflectionOf(address: string): Promise<string> {
  const folder = dirname(createRequire(import.meta.url).resolve("@grpc/reflection/package.json"));
  const protocol = loadPackageDefinition(loadSync(join(folder, "build/proto/grpc/reflection/v1/reflection.proto")));
  const { ServerReflection } = (
    protocol as unknown as { grpc: { reflection: { v1: Record<string, ServiceClientConstructor> } } }
  ).grpc.reflection.v1;
  const client = new ServerReflection!(address, credentials.createInsecure());
  const call = (client["ServerReflectionInfo"] as () => ClientDuplexStream<object, object>)();
  call.on("error", () => undefined);
  const outcome = once(call, "data").then(
    ([answer]) => JSON.stringify(answer),
    (error: Error) => error.message,
  );
  call.write({ listServices: "" });
  try {
    return await outcome;
  } finally {
    call.end();
    client.close();
  }
}
