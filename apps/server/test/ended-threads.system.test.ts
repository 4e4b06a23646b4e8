import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findServer } from "@loci/loci";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { failureOf, type LogLine, TestClient, until } from "./test-server.ts";
import { startWorkerServer } from "./worker-server.ts";

const ahead = join(import.meta.dirname, "end-thread-on-signal.ts");
const program = join(import.meta.dirname, "serve-until-stopped.ts");
const threads = ["loci-index", "loci-ledger-writer"] as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-ended-threads-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test.each(threads)("a server whose thread %s has ended says so and ends, to be started anew", async (thread) => {
  const words = ["--no-warnings", "--conditions=@loci/source", `--import=${ahead}`, program, folder];
  const server = spawn(process.execPath, words, {
    env: { ...process.env, THREAD_TO_END: thread },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const log: LogLine[] = [];
  let last = "";
  for await (const line of createInterface(server.stderr)) {
    last += line;
    if (!line.startsWith("{")) continue;
    log.push(JSON.parse(line) as LogLine);
    if (log.at(-1)?.event === "started") server.kill("SIGUSR2");
  }
  if (server.exitCode === null) await once(server, "exit");
  expect(server.exitCode).toBeGreaterThan(0);
  expect(log.find(({ event }) => event === "stopped working")).toMatchObject({
    level: "error",
    reason: "STORE_UNAVAILABLE",
    problem: expect.stringContaining("has stopped") as unknown,
  });
  expect(log.at(-1)?.event).toBe("stopped");
  expect(last).toContain("has stopped");
});

test("a server that has just been started goes on with what it can answer", async () => {
  const words = ["--no-warnings", "--conditions=@loci/source", `--import=${ahead}`, program, folder, "300000"];
  const server = spawn(process.execPath, words, {
    env: { ...process.env, THREAD_TO_END: "loci-index" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  for await (const line of createInterface(server.stderr)) {
    const said = JSON.parse(line) as LogLine;
    if (said.event === "started") server.kill("SIGUSR2");
    if (said.event === "stopped working") break;
  }
  const { apiKey, address } = findServer(folder)!;
  using client = new TestClient(address, apiKey);
  await client.remember("The pier is closed in winter.");
  expect(await client.texts()).toEqual(["The pier is closed in winter."]);
  server.kill("SIGTERM");
  await once(server, "exit");
  expect(server.exitCode).toBe(0);
});

test.each(threads)("a worker whose thread %s has ended is started again, and nothing is lost", async (thread) => {
  vi.stubEnv("THREAD_TO_END", thread);
  vi.stubEnv("NODE_OPTIONS", `${process.env["NODE_OPTIONS"] ?? ""} --import=${ahead}`);
  await using server = await startWorkerServer({
    configuration: { dataDirectory: folder, index: {} },
    healthInterval: 100,
    steadyTime: 0,
  });
  const client = server.client(server.keys[1]);
  const kept = await client.remember("The lighthouse is painted white.");
  const before = server.pidOf(1);
  process.kill(before, "SIGUSR2");
  await until(() => server.pidOf(1) !== before);
  expect(server.log().find(({ event }) => event === "worker ended")).toMatchObject({
    worker: 1,
    reason: "STORE_UNAVAILABLE",
    problem: expect.stringContaining("has stopped") as unknown,
  });
  await until(async () => (await client.texts().catch(failureOf)) !== undefined);
  expect(await client.texts()).toEqual(["The lighthouse is painted white."]);
  expect(kept).toBeDefined();
  await client.remember("Its lamp turns twice a minute.");
  expect(await client.texts()).toHaveLength(2);
});
