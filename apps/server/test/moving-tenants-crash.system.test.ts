import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { connectLoci } from "@loci/client";
import { findServer, type Loci, LociError, readDivision, tenantShards } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askOperator, type MovePhase } from "../src/index.ts";
import { allTexts } from "./all-texts.ts";
import { memoriesInShards } from "./memories-in-shards.ts";
import { type LogLine, testKey, until } from "./test-server.ts";
import { isRunning, tenantsOfWorkers } from "./worker-server.ts";

/** A server with two workers, in a process of its own. */
interface ServedProcess {
  readonly child: ChildProcess;
  readonly address: string;
  readonly log: LogLine[];
}

const kills = Number(process.env["LOCI_MOVE_KILLS"] ?? 3);
/** When it is killed: soon after the move has come so far. */
const phases: readonly MovePhase[] = ["switch", "copy", "remove", "bring over"];
const scope = "user:crates";
const made = tenantsOfWorkers.map((tenant, number) =>
  testKey({ id: `tenant-${number}`, tenant, roles: ["read", "write", "approve", "admin", "operate"] }),
);

let folder: string;
let dataDirectory: string;
let keyFile: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-moving-crash-"));
  dataDirectory = join(folder, "data");
  keyFile = join(folder, "keys.json");
  writeFileSync(keyFile, JSON.stringify(made.map(({ entry }) => entry)));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function serve(): Promise<ServedProcess> {
  const program = join(import.meta.dirname, "serve-shards-until-killed.ts");
  const words = ["--no-warnings", "--conditions=@loci/source", program, dataDirectory, keyFile];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const log: LogLine[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => log.push(JSON.parse(line) as LogLine));
  const [address] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return { child, address, log };
}

function pidOf({ log }: ServedProcess, worker: number): number {
  return Number(log.findLast(({ event, worker: of }) => event === "worker started" && of === worker)?.["pid"]);
}

/** What a caller does with an answer that says so: it asks again, with the same id. */
async function persistently<Result>(work: () => Promise<Result>, refusals: unknown[]): Promise<Result> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      // A client of the front that was killed is closed while its calls still try.
      if (!LociError.is(error) || !["SERVER_UNAVAILABLE", "CLOSED"].includes(error.reason)) throw error;
      refusals.push(error);
      await sleep(20);
    }
}

test(
  `${kills} kills of the front and of workers while tenants are moved: each is in one shard, whole, and nothing is there twice`,
  { timeout: 60_000 + 60_000 * kills },
  async () => {
    let server = await serve();
    let clients: Loci[] = [];
    const connect = (): void => {
      clients = made.map(({ key }) => connectLoci({ address: server.address, apiKey: key }));
    };
    connect();
    const load = { isOver: false };
    const acknowledged = tenantsOfWorkers.map((): string[] => []);
    const refusals: unknown[] = [];
    const others: unknown[] = [];
    const writing = tenantsOfWorkers.map(async (_, tenant) => {
      for (let number = 0; !load.isOver; number++) {
        const text = `Crate ${number} of ${tenant} is ashore.`;
        const options = { requestId: `crate ${number}` };
        await persistently(() => clients[tenant]!.memories.remember({ text, scope }, options), refusals);
        acknowledged[tenant]!.push(text);
        if (number % 10 === 0)
          await persistently(() => clients[tenant]!.recall({ query: "Which crate?", scopes: [scope] }), refusals);
        await sleep(1);
      }
    });
    const failing = Promise.all(writing).catch((error: unknown) => others.push(error));
    for (let kill = 0; kill < kills; kill++) {
      const before = acknowledged.map(({ length }) => length);
      await until(() => acknowledged.every(({ length }, tenant) => length > before[tenant]! + 20));
      const division = readDivision(dataDirectory)!;
      const number = kill % 2;
      const tenant = tenantsOfWorkers[number]!;
      const from = tenantShards(division)(tenant);
      const phase = phases[Math.floor(kill / 3) % phases.length];
      const reached = Promise.withResolvers<void>();
      const { operatorSocket = "" } = findServer(dataDirectory) ?? {};
      const moving = askOperator(
        operatorSocket,
        { type: "move", tenant, to: 1 - from },
        { onProgress: (told) => told.phase === phase && reached.resolve() },
      ).then(
        () => "moved",
        (error: unknown) => (LociError.is(error) ? error.reason : error),
      );
      await Promise.race([reached.promise, moving]);
      await sleep(Math.random() * 30);
      const target = ["front", from, 1 - from][kill % 3]!;
      if (target === "front") {
        const pids = [0, 1].map((worker) => pidOf(server, worker));
        const exited = once(server.child, "exit");
        server.child.kill("SIGKILL");
        await exited;
        await until(() => !pids.some(isRunning));
        const former = clients;
        server = await serve();
        connect();
        for (const loci of former) await loci.close();
      } else {
        const pid = pidOf(server, Number(target));
        // One that hangs is noticed, and ended, after ten seconds.
        process.kill(pid, kill % 7 === 6 ? "SIGSTOP" : "SIGKILL");
        await until(() => pidOf(server, Number(target)) !== pid, 60_000);
      }
      // Its own errors aside, which no move may end with.
      expect(["moved", "SERVER_UNAVAILABLE"]).toContain(await moving);
    }
    const before = acknowledged.map(({ length }) => length);
    await until(() => acknowledged.every(({ length }, tenant) => length > before[tenant]! + 20));
    load.isOver = true;
    await failing;
    expect(others).toEqual([]);
    for (const [number, tenant] of tenantsOfWorkers.entries()) {
      const texts = await allTexts(clients[number]!, scope);
      expect(texts.toSorted()).toEqual(acknowledged[number]!.toSorted());
      await clients[number]!.settled();
      expect((await clients[number]!.maintenance.run({ type: "verify" })).findings).toEqual([]);
      expect(tenant).toBeDefined();
    }
    for (const loci of clients) await loci.close();
    // Started once more, nothing is left where a tenant is not.
    const exited = once(server.child, "exit");
    server.child.kill("SIGTERM");
    await exited;
    const { child } = await serve();
    await until(() => readDivision(dataDirectory)!.leftovers.length === 0);
    const division = readDivision(dataDirectory)!;
    for (const [number, tenant] of tenantsOfWorkers.entries()) {
      const shard = tenantShards(division)(tenant);
      const expected = [0, 1].map((of) => (of === shard ? acknowledged[number]!.length : 0));
      expect(memoriesInShards(dataDirectory, tenant)).toEqual(expected);
    }
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  },
);
