import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  Client,
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  type ServiceClientConstructor,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { type Loci, LociError, openEngine, type OpenedEngine, type OpenEngineOptions } from "@loci/loci";
import { service as healthDefinition } from "grpc-health-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { HealthProbe, healthNames } from "../src/health/health-probe.ts";
import { HealthService } from "../src/health/health-service.ts";
import { Logger } from "../src/logging/logger.ts";
import { gatedEmbedder } from "./gated-embedder.ts";
import { startTestServer, testKey, until } from "./test-server.ts";

const bufProgram = join(import.meta.dirname, "../../../node_modules/.bin/buf");

type Failing = "ledger" | "index" | undefined;

/** An engine whose ledger or index can be made to fail. */
function failingEngine(state: { failing: Failing }): (options: OpenEngineOptions) => Promise<OpenedEngine> {
  const away = (): Promise<never> =>
    Promise.reject(new LociError("STORE_UNAVAILABLE", { message: "It does not answer." }));
  return async (options) => {
    const engine = await openEngine({ ...options, embedder: gatedEmbedder() });
    return {
      ...engine,
      for: (principal) => {
        const loci = engine.for(principal);
        const list: Loci["memories"]["list"] = (request, call) =>
          state.failing === "ledger" ? away() : loci.memories.list(request, call);
        return {
          ...loci,
          memories: { ...loci.memories, list },
          recall: (request, call) => (state.failing === undefined ? loci.recall(request, call) : away()),
        };
      },
    };
  };
}

function healthClient(address: string): { client: Client; check: (service: string) => Promise<string> } {
  const client = new Client(address, credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = healthDefinition["Check"]!;
  const check = (service: string): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service }, (error, response) => {
      if (error === null) resolve((response as { status: string }).status);
      else reject(error);
    });
    return promise;
  };
  return { client, check };
}

test("health tells the truth about ledger and index, to anyone", async () => {
  const state: { failing: Failing } = { failing: undefined };
  await using server = await startTestServer({
    openEngine: failingEngine(state),
    healthInterval: 20,
    configuration: { apiKeys: [testKey().entry] },
  });
  const { client, check } = healthClient(server.address);
  const statuses = (): Promise<string[]> =>
    Promise.all(["", "loci.v1.MemoryService", "loci.v1.OperationService", "loci.ledger", "loci.index"].map(check));
  const serving = "SERVING";
  const not = "NOT_SERVING";
  expect(await statuses()).toEqual([serving, serving, serving, serving, serving]);
  state.failing = "ledger";
  // A probe that was under way may have found one of them well and the other not.
  await expect.poll(statuses).toEqual([not, not, not, not, not]);
  state.failing = "index";
  await expect.poll(statuses).toEqual([not, not, not, serving, not]);
  state.failing = undefined;
  await until(async () => (await check("")) === serving);
  expect(server.log().filter(({ event }) => event === "health").length).toBeGreaterThanOrEqual(2);
  await expect(check("loci.v1.NoService")).rejects.toThrow("no such service");
  client.close();
});

test("what answers late once is no error in the log, and what is late twice or fails is", async () => {
  const lines: string[] = [];
  const logger = new Logger("info", (line) => lines.push(line));
  const levels = (): string[] => lines.splice(0).map((line) => (JSON.parse(line) as { level: string }).level);
  const late = new LociError("DEADLINE_EXCEEDED", { message: "It took too long." });
  const away = new LociError("STORE_UNAVAILABLE", { message: "It does not answer." });
  for (const [failures, expected] of [
    [[undefined], []],
    [
      [late, undefined],
      ["warn", "info"],
    ],
    [
      [late, late, late, undefined],
      ["warn", "error", "info"],
    ],
    [
      [away, late, away, undefined],
      ["error", "info"],
    ],
    [
      [late, away, undefined, late],
      ["warn", "error", "info", "warn"],
    ],
  ] as const) {
    const answers = failures.map(
      (failure) => () => (failure === undefined ? Promise.resolve() : Promise.reject(failure)),
    );
    let probes = 0;
    const answer = (): Promise<unknown> => (answers[probes] ?? (() => Promise.resolve()))();
    const health = new HealthService(healthNames);
    const loci = { memories: { list: answer }, recall: answer } as unknown as Loci;
    const probe = new HealthProbe(loci, health, logger, { checkInPlace: () => undefined, onStopped: () => undefined });
    for (; probes < answers.length; probes++) {
      await probe.start(60_000);
      expect(health.isServing("")).toBe(failures[probes] === undefined);
    }
    probe.stop();
    expect(levels()).toEqual(expected);
  }
});

test("a server whose ledger was replaced under it does not serve", async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "loci-replaced-"));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true }));
  await using server = await startTestServer({ healthInterval: 20, configuration: { dataDirectory } });
  const { client, check } = healthClient(server.address);
  expect(await check("loci.ledger")).toBe("SERVING");
  const file = join(dataDirectory, "ledger.sqlite");
  copyFileSync(file, `${file}.copy`);
  renameSync(file, `${file}.opened`);
  renameSync(`${file}.copy`, file);
  await until(async () => (await check("loci.ledger")) === "NOT_SERVING");
  await until(async () => (await check("")) === "NOT_SERVING");
  expect(server.log().find(({ event }) => event === "health")).toMatchObject({ ledger: "DATA_DIRECTORY_MOVED" });
  renameSync(`${file}.opened`, file);
  await until(async () => (await check("")) === "SERVING");
  client.close();
});

test("who watches is told of the end, and does not hold it up", async () => {
  await using server = await startTestServer({ openEngine: failingEngine({ failing: undefined }) });
  const { client } = healthClient(server.address);
  const { path, requestSerialize, responseDeserialize } = healthDefinition["Watch"]!;
  const watch = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service: "" });
  const seen: unknown[] = [];
  watch.on("data", ({ status }: { status: string }) => seen.push(status));
  await until(() => seen.length === 1);
  const ended = once(watch, "end");
  const start = performance.now();
  await server.close(60_000);
  await ended;
  expect(performance.now() - start).toBeLessThan(30_000);
  expect(seen).toEqual(["SERVING", "NOT_SERVING"]);
  client.close();
});

test("who begins to watch while the server stops is told so, and held by nothing", () => {
  const health = new HealthService(["loci"]);
  health.setStatus("loci", "SERVING");
  health.shutDown();
  const told: unknown[] = [];
  const call = { request: { service: "loci" }, once: vi.fn(), write: told.push.bind(told), end: vi.fn() };
  (health.handlers["watch"] as unknown as (watcher: typeof call) => void)(call);
  expect(told).toEqual([{ status: "NOT_SERVING" }]);
  expect(call.end).toHaveBeenCalledOnce();
});

test.each([
  ["development", "loci.v1.MemoryService"],
  ["production", "UNIMPLEMENTED"],
] as const)("reflection in %s answers with %s", async (environment, answer) => {
  await using server = await startTestServer({
    openEngine: failingEngine({ failing: undefined }),
    configuration: { environment },
  });
  const folder = dirname(createRequire(import.meta.url).resolve("@grpc/reflection/package.json"));
  const protocol = loadPackageDefinition(loadSync(join(folder, "build/proto/grpc/reflection/v1/reflection.proto")));
  const { ServerReflection } = (
    protocol as unknown as { grpc: { reflection: { v1: Record<string, ServiceClientConstructor> } } }
  ).grpc.reflection.v1;
  const client = new ServerReflection!(server.address, credentials.createInsecure());
  const call = (client["ServerReflectionInfo"] as () => ClientDuplexStream<object, object>)();
  const outcome = once(call, "data").then(
    ([answer]) => JSON.stringify(answer),
    (error: Error) => error.message,
  );
  call.on("error", () => undefined);
  call.write({ listServices: "" });
  expect(await outcome).toContain(answer);
  call.end();
  client.close();
});

test("a client that only knows the address can list the methods, and call them", async () => {
  const { key, entry } = testKey();
  await using server = await startTestServer({
    openEngine: failingEngine({ failing: undefined }),
    configuration: { environment: "development", apiKeys: [entry] },
  });
  const url = `http://${server.address}`;
  const curl = ["curl", "--reflect", "--protocol", "grpc", "--http2-prior-knowledge"];
  // Elsewhere than in the workspace, whose contract it would read instead.
  const run = async (...words: readonly string[]): Promise<string> =>
    (await promisify(execFile)(bufProgram, [...curl, ...words], { cwd: tmpdir() })).stdout;
  const methods = await run("--list-methods", url);
  expect(methods).toContain("loci.v1.MemoryService/CreateMemory");
  expect(methods).toContain("grpc.health.v1.Health/Check");
  const counted = await run(
    "-H",
    `authorization: Bearer ${key}`,
    "-d",
    '{"text":"two words","model":"gpt-4o"}',
    `${url}/loci.v1.ContextService/CountTokens`,
  );
  expect(JSON.parse(counted)).toMatchObject({ tokens: 2 });
  expect(await run("-d", "{}", `${url}/grpc.health.v1.Health/Check`)).toContain("status");
});
