import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { credentials, Metadata } from "@grpc/grpc-js";
import { proto } from "@loci/api";
import { connectLoci } from "@loci/client";
import { type Loci, openEngine, openLoci, shardDirectory } from "@loci/loci";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, onTestFinished, test } from "vitest";
import { allTexts } from "./all-texts.ts";
import { scrape, sumOf } from "./prometheus.ts";
import { failureOf, scopeOf, startTestServer, TestClient, testConfiguration, testKey, until } from "./test-server.ts";
import { printApiKey, startServer } from "../src/index.ts";
import { isRunning, startWorkerServer, tenantsOfWorkers, type WorkerServer } from "./worker-server.ts";

const scope = "global";
const tlsFile = (name: string): string => join(import.meta.dirname, "fixtures/tls", name);

describe("two workers behind one address", () => {
  let server: WorkerServer;
  let lociOf: (worker: number) => Loci;
  const opened: Loci[] = [];

  beforeAll(async () => {
    server = await startWorkerServer({
      configuration: { telemetry: { prometheus: { address: "127.0.0.1", port: 0 } } },
    });
    const clients = server.keys.map((apiKey) => connectLoci({ address: server.address, apiKey }));
    opened.push(...clients);
    lociOf = (worker) => clients[worker]!;
  });
  afterAll(async () => {
    for (const loci of opened) await loci.close();
    await server[Symbol.asyncDispose]();
  });

  test("each tenant has what it remembered, and nothing of the other", async () => {
    for (const worker of [0, 1]) {
      const loci = lociOf(worker);
      await loci.memories.remember({ text: `The gate of harbour ${worker} is green.`, scope });
      await loci.settled();
    }
    for (const worker of [0, 1]) {
      const { hits } = await lociOf(worker).recall({ query: "the gate of the harbour", scopes: [scope] });
      expect(hits.map(({ memory }) => memory.text)).toEqual([`The gate of harbour ${worker} is green.`]);
    }
    const calls = server.log().filter((line) => line.event === "call");
    expect(new Set(calls.map((line) => `${String(line["worker"])} ${String(line["tenant"])}`))).toEqual(
      new Set(tenantsOfWorkers.map((tenant, worker) => `${worker} ${tenant}`)),
    );
  });

  test("who has no key, or one that nobody knows, is refused", async () => {
    expect((await failureOf(server.client().texts())).reason).toBe("CREDENTIAL_MISSING");
    const { key } = testKey({ tenant: tenantsOfWorkers[1] });
    expect((await failureOf(server.client(key).texts())).reason).toBe("CREDENTIAL_INVALID");
    // The right id alone opens nothing: it only says where to ask.
    const forged = testKey({ id: "tenant-1" }).key;
    expect((await failureOf(server.client(forged).texts())).reason).toBe("CREDENTIAL_INVALID");
  });

  test("who was refused came from somewhere, which the log says, whatever the call says itself", async () => {
    const before = server.log().length;
    const headers = new Metadata();
    headers.set("loci-caller-address", "10.0.0.1:1");
    const forged = server.client(testKey({ id: "tenant-1" }).key);
    const request = proto.ListMemoriesRequest.create({ scopes: [scopeOf(scope)] });
    const refused = forged.call("/loci.v1.MemoryService/ListMemories", request, { metadata: headers });
    expect((await failureOf(refused)).reason).toBe("CREDENTIAL_INVALID");
    await until(() => server.log().length > before);
    const { from, worker } = server.log().at(-1)!;
    expect(worker).toBe(1);
    expect(from).toMatch(/^127\.0\.0\.1:\d{4,5}$/);
  });

  test("a worker reached past the front by a tenant of the other refuses it", async () => {
    const started = server.log().find((line) => line.event === "started" && line["worker"] === 1)!;
    using past = new TestClient(`unix:${String(started["address"])}`, server.keys[0]);
    expect((await failureOf(past.texts())).reason).toBe("CREDENTIAL_INVALID");
    using right = new TestClient(`unix:${String(started["address"])}`, server.keys[1]);
    await right.texts();
  });

  test("a watch is told through the front", async () => {
    const { promise: isWatching, resolve: begin } = Promise.withResolvers<void>();
    const seeing = (async () => {
      for await (const change of lociOf(1).memories.watch({ scopes: [scope] })) {
        if (change.type === "reached") begin();
        if (change.type === "written") return change.memory.text;
      }
      return undefined;
    })();
    await isWatching;
    await lociOf(1).memories.remember({ text: "The ferry leaves at nine.", scope });
    expect(await seeing).toBe("The ferry leaves at nine.");
  });

  test("a page of almost 2 MiB arrives whole", async () => {
    const text = (number: number): string => `Page ${number}. ${"The tide comes in twice a day. ".repeat(320)}`.trim();
    const texts = Array.from({ length: 200 }, (_, number) => text(number));
    const scopes = "user:reader";
    for (let at = 0; at < texts.length; at += 40)
      await Promise.all(texts.slice(at, at + 40).map((one) => server.client(server.keys[0]).remember(one, scopes)));
    const found = await server.client(server.keys[0]).texts(scopes);
    expect(found.join("").length).toBeGreaterThan(1.8 * 1024 * 1024);
    expect(found.toSorted()).toEqual(texts.toSorted());
  });

  test("a job on all files is refused, with what to do instead", async () => {
    const refused = await Promise.all(
      [{ type: "backup", directory: "x" } as const, { type: "compact" } as const].map((job) =>
        failureOf(lociOf(1).maintenance.run(job)),
      ),
    );
    expect(refused.map(({ reason }) => reason)).toEqual(["UNSUPPORTED_OPERATION", "UNSUPPORTED_OPERATION"]);
    const [backup, compact] = refused.map(({ advice }) => advice);
    expect(backup).toContain("`loci backup` with --data");
    expect(compact).toContain("each shard");
    // What is of a tenant is done.
    await lociOf(1).maintenance.run({ type: "expire" });
  });

  test("a worker killed under writes comes back with all it acknowledged, and the other goes on", async () => {
    const acknowledged: string[] = [];
    const refused: string[] = [];
    const othersFailures: unknown[] = [];
    const load = { isOver: false, others: 0 };
    const client = new TestClient(server.address, server.keys[1]);
    const writing = (async () => {
      for (let number = 0; !load.isOver; number++) {
        const text = `Crate ${number} is on deck.`;
        await client.remember(text, "user:crates").then(
          () => acknowledged.push(text),
          (error: { reason: string }) => refused.push(error.reason),
        );
        await sleep(2);
      }
    })();
    const other = (async () => {
      for (; !load.isOver; load.others++) {
        const written = server.client(server.keys[0]).remember(`Box ${load.others} is ashore.`, "user:boxes");
        await written.catch((error: unknown) => othersFailures.push(error));
        await sleep(2);
      }
    })();
    const kills = 3;
    for (let kill = 0; kill < kills; kill++) {
      const [pid, before] = [server.pidOf(1), acknowledged.length];
      await until(() => acknowledged.length > before + 5);
      const othersBefore = load.others;
      process.kill(pid, "SIGKILL");
      await until(() => server.pidOf(1) !== pid);
      expect(load.others).toBeGreaterThan(othersBefore);
    }
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 5);
    load.isOver = true;
    await Promise.all([writing, other]);
    client[Symbol.dispose]();
    expect(othersFailures).toEqual([]);
    expect(refused.length).toBeGreaterThanOrEqual(kills);
    expect(new Set(refused)).toEqual(new Set(["SERVER_UNAVAILABLE"]));
    const found = new Set(await allTexts(lociOf(1), "user:crates"));
    expect(acknowledged.filter((text) => !found.has(text))).toEqual([]);
    expect(server.log().filter((line) => line.event === "worker ended")).toHaveLength(kills);
  });

  test("a stopped worker is noticed and replaced, while the other goes on and the metrics say so without waiting for it", async () => {
    const up = async (): Promise<readonly number[]> => {
      const samples = await scrape(server.prometheusAddress ?? "");
      return [0, 1].map((worker) => sumOf(samples, "loci_worker_up", { worker: "front", loci_worker: String(worker) }));
    };
    await until(async () => (await up()).join() === "1,1");
    const pid = server.pidOf(1);
    process.kill(pid, "SIGSTOP");
    const waiting = failureOf(
      server.client(server.keys[1]).remember("Nobody hears this.", scope, { deadline: Date.now() + 500 }),
    );
    await server.client(server.keys[0]).remember("The other hears.", scope);
    expect((await waiting).reason).toBe("DEADLINE_EXCEEDED");
    await until(async () => (await up()).join() === "1,0");
    const before = performance.now();
    const samples = await scrape(server.prometheusAddress ?? "");
    // Less than what is waited for one that has only just stopped.
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(new Set(samples.map(({ labels }) => labels["worker"]))).toEqual(new Set(["front", "0"]));
    expect(isRunning(pid)).toBe(true);
    await until(() => server.pidOf(1) !== pid, 60_000);
    await until(async () => (await up()).join() === "1,1");
    expect(isRunning(pid)).toBe(false);
    expect(server.log().find((line) => line.event === "worker stuck")).toMatchObject({ worker: 1, pid });
    await lociOf(1).memories.remember({ text: "It is heard again.", scope });
  });
});

describe("starting and ending workers", () => {
  let folder: string;
  let dataDirectory: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "loci-workers-dir-"));
    dataDirectory = join(folder, "data");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("a key that is taken out of the file while a worker starts again is refused by it, and a new one let in", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loci-worker-keys-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [leaving, coming] = ["leaving", "coming"].map((id) => testKey({ id, tenant: tenantsOfWorkers[0] }));
    if (leaving === undefined || coming === undefined) throw new Error("No keys were made.");
    const keyFile = join(folder, "loci.toml");
    writeFileSync(keyFile, printApiKey(leaving.entry));
    await using server = await startWorkerServer({
      configuration: { apiKeys: [leaving.entry] },
      keyFile,
      keyFileInterval: 20,
    });
    expect(await server.client(leaving.key).texts()).toEqual([]);
    const count = (event: string): number => server.log().filter((line) => line.event === event).length;
    process.kill(server.pidOf(0), "SIGKILL");
    await until(() => count("worker ended") === 1);
    // Its process is there after 100 ms, and serves a while later.
    await sleep(200);
    writeFileSync(`${keyFile}.new`, printApiKey(coming.entry));
    renameSync(`${keyFile}.new`, keyFile);
    // Each worker says so as well.
    await until(() => server.log().some((line) => line.event === "API keys reloaded" && !("worker" in line)));
    expect(count("worker started")).toBe(2);
    await until(() => count("worker started") === 3);
    expect(await server.client(coming.key).texts()).toEqual([]);
    expect((await failureOf(server.client(leaving.key).texts())).reason).toBe("CREDENTIAL_INVALID");
  });

  test("a directory that one process served keeps its tenants, and is then not served by one any more", async () => {
    const elsewhere = tenantsOfWorkers[1];
    {
      await using loci = await openLoci({ dataDirectory, tenant: elsewhere, index: "memory" });
      await loci.memories.remember({ text: "It was here before.", scope });
    }
    {
      await using server = await startWorkerServer({ configuration: { dataDirectory } });
      expect(await server.client(server.keys[1]).texts()).toEqual(["It was here before."]);
      await server.client(server.keys[1]).remember("And it stays.", scope);
    }
    const undivided = { workers: 1, dataDirectory };
    await expect(startTestServer({ configuration: undivided })).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      advice: expect.stringContaining("--workers 2") as unknown,
    });
    await expect(startTestServer({ configuration: { ...undivided, workers: 3 } })).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      message: expect.stringContaining("divided into 2 shards") as unknown,
    });
    await using engine = await openEngine({
      dataDirectory: shardDirectory(dataDirectory, 1),
      index: "memory",
      isShard: true,
    });
    expect(await engine.tenants()).toEqual([]);
  });

  test("a port in use is refused before the directory is divided", async () => {
    await using other = await startTestServer({});
    const listen = { address: "127.0.0.1", port: other.port };
    await expect(startWorkerServer({ configuration: { dataDirectory, listen } })).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      resource: `127.0.0.1:${other.port}`,
    });
    expect(existsSync(join(dataDirectory, "shards.json"))).toBe(false);
  });

  test("a port of the metrics in use is, too", async () => {
    await using other = await startTestServer({});
    const telemetry = { prometheus: { address: "127.0.0.1", port: other.port } };
    await expect(startWorkerServer({ configuration: { dataDirectory, telemetry } })).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      field: "telemetry.prometheus_port",
    });
    expect(existsSync(join(dataDirectory, "shards.json"))).toBe(false);
  });

  test("a worker that cannot open its shard keeps the server from starting, and none is left over", async () => {
    await using _holder = await openLoci({
      dataDirectory: shardDirectory(dataDirectory, 1),
      tenant: "x",
      index: "memory",
    });
    await expect(startWorkerServer({ configuration: { dataDirectory } })).rejects.toMatchObject({
      reason: "DATA_DIRECTORY_LOCKED",
      message: expect.stringContaining(join("shards", "1")) as unknown,
    });
    // Shard 0 is free again.
    await using _loci = await openLoci({ dataDirectory, tenant: "local", index: "memory" });
  });

  test("the front speaks TLS for all workers, and all processes end when the server is closed", async () => {
    const tls = { certificateFile: tlsFile("server.crt"), privateKeyFile: tlsFile("server.key") };
    const server = await startWorkerServer({ configuration: { dataDirectory, tls } });
    const pids = [server.pidOf(0), server.pidOf(1)];
    const secure = credentials.createSsl(readFileSync(tlsFile("authority.crt")));
    for (const key of server.keys) {
      using client = new TestClient(`localhost:${server.port}`, key, secure);
      expect(await client.texts()).toEqual([]);
    }
    expect((await failureOf(server.client(server.keys[0]).texts())).code).toBe("UNAVAILABLE");
    await server[Symbol.asyncDispose]();
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  test("when the front is killed its workers end, and another can be started at once", async () => {
    const program = join(import.meta.dirname, "serve-workers-until-killed.ts");
    const words = ["--no-warnings", "--conditions=@loci/source", program, dataDirectory];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const log: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => log.push(line));
    await once(createInterface({ input: child.stdout }), "line");
    // Another pipe than that of the address.
    await until(() => log.some((line) => line.includes('"event":"started"') && line.includes('"workers":2')));
    const lines = log.map(
      (line) => JSON.parse(line) as { worker?: number; event: string; pid: number; address: string },
    );
    const pids = lines.flatMap(({ event, pid }) => (event === "worker started" ? [pid] : []));
    const [socket = ""] = lines.flatMap(({ event, worker, address }) =>
      event === "started" && worker !== undefined ? [address] : [],
    );
    expect(existsSync(socket)).toBe(true);
    expect(pids.map(isRunning)).toEqual([true, true]);
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    await until(() => !pids.some(isRunning));
    expect(existsSync(dirname(socket))).toBe(false);
    await using _server = await startWorkerServer({ configuration: { dataDirectory } });
  });

  test("functions are refused", async () => {
    const plain = testConfiguration({ workers: 2, dataDirectory });
    await expect(startServer(plain, { clock: () => 0 })).rejects.toMatchObject({ field: "clock" });
  });
});
