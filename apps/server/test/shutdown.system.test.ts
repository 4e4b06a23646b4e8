import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findServer, openLoci } from "@loci/loci";
import { afterAll, describe, expect, test } from "vitest";
import { failureOf, startTestServer, TestClient, until } from "./test-server.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";

describe("closing", () => {
  test("lets calls under way finish, takes no new ones, and saves the embedding cache", async () => {
    const embedder = gatedEmbedder();
    await using server = await startTestServer({ openEngine: engineWith(embedder) });
    using client = new TestClient(server.address, server.apiKey);
    embedder.shut();
    const call = client.remember("Finished in time.");
    await until(() => embedder.counts.running === 1);
    const closed = server.close(60_000);
    using late = new TestClient(server.address, server.apiKey);
    expect((await failureOf(late.remember("Too late."))).code).toBe("UNAVAILABLE");
    embedder.open();
    expect((await call).text).toBe("Finished in time.");
    const before = performance.now();
    await closed;
    expect(performance.now() - before).toBeLessThan(30_000);
    expect(existsSync(join(server.dataDirectory, "embeddings.cache"))).toBe(true);
    expect(findServer(server.dataDirectory)).toBeUndefined();
    await using loci = await openLoci({
      tenant: "local",
      dataDirectory: server.dataDirectory,
      embedder: gatedEmbedder(),
    });
    const { memories } = await loci.memories.list({ scopes: ["global"] });
    expect(memories.map(({ text }) => text)).toEqual(["Finished in time."]);
  });

  test("cancels what is still at work after the grace time, and that was not written", async () => {
    const embedder = gatedEmbedder();
    await using server = await startTestServer({ openEngine: engineWith(embedder), limits: { maxRunningCalls: 1 } });
    using client = new TestClient(server.address, server.apiKey);
    embedder.shut();
    const calls = [client.remember("Working."), client.remember("Waiting.")].map(failureOf);
    await until(() => embedder.counts.running === 1);
    const closed = Promise.all([server.close(50), server.close(50)]);
    const errors = await Promise.all(calls);
    await closed;
    // Told at the end of the grace time: when the connection is cut, a second later, nobody can be told anything.
    for (const error of errors)
      expect(error).toMatchObject({ reason: "SERVER_UNAVAILABLE", message: "The server is stopping." });
    await using loci = await openLoci({
      tenant: "local",
      dataDirectory: server.dataDirectory,
      embedder: gatedEmbedder(),
    });
    expect((await loci.memories.list({ scopes: ["global"] })).memories).toEqual([]);
  });
});

test("closing cuts off a call that does not listen, a second after the grace time", async () => {
  const { promise: never } = Promise.withResolvers<never>();
  await using server = await startTestServer({
    openEngine: async (options) => {
      const engine = await engineWith(gatedEmbedder())(options);
      return { ...engine, for: (principal) => ({ ...engine.for(principal), tokens: { count: () => never } }) };
    },
  });
  using client = new TestClient(server.address, server.apiKey);
  const call = failureOf(client.call("/loci.v1.ContextService/CountTokens", { text: "x" }));
  // Answered after the other has reached its handler.
  await client.texts();
  const start = performance.now();
  await server.close(0);
  expect(performance.now() - start).toBeLessThan(15_000);
  expect((await call).code).toMatch(/UNAVAILABLE|CANCELLED/);
});

interface ServingProcess {
  readonly child: ChildProcess;
  readonly dataDirectory: string;
  readonly address: string;
  readonly apiKey: string | undefined;
  /** Has it begun to embed a memory? */
  readonly isWorking: () => boolean;
  /** Has it begun to stop? */
  readonly isStopping: () => boolean;
}

// At once, because a process takes longest to start.
describe.concurrent("a process that serves", () => {
  const room = mkdtempSync(join(tmpdir(), "loci-process-"));
  const children: ChildProcess[] = [];
  afterAll(async () => {
    await Promise.all(children.map(endOf));
    rmSync(room, { recursive: true, force: true });
  });

  async function serve(embeddingMilliseconds: number): Promise<ServingProcess> {
    const dataDirectory = mkdtempSync(join(room, "data-"));
    const program = new URL("serve-until-killed.ts", import.meta.url).pathname;
    const flags = ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning"];
    const child = spawn(process.execPath, [...flags, program, dataDirectory, String(embeddingMilliseconds)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    const lines: string[] = [];
    createInterface(child.stdout).on("line", (line) => lines.push(line));
    const log: string[] = [];
    createInterface(child.stderr).on("line", (line) => log.push(line));
    await until(() => lines.length > 0);
    return {
      child,
      dataDirectory,
      address: lines[0]!,
      apiKey: findServer(dataDirectory)?.apiKey,
      isWorking: () => lines.includes("embedding"),
      isStopping: () => log.some((line) => line.includes('"stopping"')),
    };
  }

  /** Kills it, unless it has ended. */
  async function endOf(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  test("ends on SIGTERM when the calls under way have ended", async () => {
    const { child, dataDirectory, address, apiKey, isWorking } = await serve(400);
    expect(findServer(dataDirectory)).toEqual({ address, pid: child.pid, tls: false, apiKey });
    using client = new TestClient(address, apiKey);
    const call = client.remember("Asked before the signal.");
    await until(isWorking);
    child.kill("SIGTERM");
    expect((await call).text).toBe("Asked before the signal.");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(findServer(dataDirectory)).toBeUndefined();
  });

  test("ends at once on a second signal", async () => {
    const { child, address, apiKey, isWorking, isStopping } = await serve(60_000);
    using client = new TestClient(address, apiKey);
    const call = failureOf(client.remember("Never answered."));
    await until(isWorking);
    child.kill("SIGTERM");
    // Two signals at once are one.
    await until(isStopping);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([143, null]);
    expect((await call).code).toBe("UNAVAILABLE");
  });

  test("that is killed amid writes has lost nothing it acknowledged, and leaves nothing half done", async () => {
    const { child, dataDirectory, address, apiKey } = await serve(0);
    using client = new TestClient(address, apiKey);
    const acknowledged: string[] = [];
    const asked = new Set<string>();
    let killed = false;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; !killed; index++) {
        const text = `Writer ${writer}, memory ${index}.`;
        asked.add(text);
        try {
          await client.remember(text);
          acknowledged.push(text);
        } catch {
          return;
        }
        if (acknowledged.length === 40) killed = child.kill("SIGKILL");
      }
    });
    await Promise.all(writers);
    expect(acknowledged.length).toBeGreaterThanOrEqual(40);
    // What the dead server left does not count as one.
    await until(() => findServer(dataDirectory) === undefined);
    await using server = await startTestServer({
      configuration: { dataDirectory },
      openEngine: engineWith(gatedEmbedder()),
    });
    using second = new TestClient(server.address, server.apiKey);
    const texts = await second.texts();
    expect(texts).toEqual(expect.arrayContaining(acknowledged));
    expect(texts.filter((text) => !asked.has(text))).toEqual([]);
    expect(new Set(texts).size).toBe(texts.length);
  });
});
