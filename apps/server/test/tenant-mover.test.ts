import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChangedRows, LociError, readDivision, shardDirectory } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Logger } from "../src/logging/logger.ts";
import { HeldCalls } from "../src/workers/held-calls.ts";
import { OpenCalls } from "../src/workers/open-calls.ts";
import { type MovingWorker, TenantMover } from "../src/workers/tenant-mover.ts";
import { TenantRoutes } from "../src/workers/tenant-routes.ts";
import type { WorkerTask } from "../src/workers/worker-messages.ts";
import { until } from "./test-server.ts";
import { ServedShards } from "../src/workers/workers-of-tenant.ts";

/** A worker that answers as a test says, and remembers what it was asked. */
class AskedWorker implements MovingWorker {
  readonly socketPath = "there";
  starts = 1;
  readonly asked: { readonly type: WorkerTask["type"]; readonly canBeCancelled: boolean }[] = [];
  answer: (task: WorkerTask, signal: AbortSignal | undefined) => Promise<ChangedRows> = () => Promise.resolve([]);

  ask(task: WorkerTask, signal?: AbortSignal): Promise<ChangedRows> {
    this.asked.push({ type: task.type, canBeCancelled: signal !== undefined });
    return this.answer(task, signal);
  }
}

const tenant = "acme";
let dataDirectory: string;
let workers: [AskedWorker, AskedWorker];
let mover: TenantMover;
let shards: ServedShards;
let [from, to]: AskedWorker[] = [];
let target = 0;
let giveAccess: (worker: number) => void;

beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), "loci-mover-"));
  shards = new ServedShards(dataDirectory, { shards: 2, placed: new Map(), leftovers: [] });
  workers = [new AskedWorker(), new AskedWorker()];
  giveAccess = () => undefined;
  target = 1 - shards.shardOf(tenant);
  [from, to] = [workers[1 - target]!, workers[target]!];
  mover = new TenantMover({
    workers,
    shards,
    directoryOf: (worker) => shardDirectory(dataDirectory, worker),
    routes: new TenantRoutes((name) => [shards.shardOf(name)], { apiKeys: [], clientCertificates: [] }),
    heldCalls: new HeldCalls(),
    openCalls: new OpenCalls(),
    giveAccess: (worker) => giveAccess(worker),
    logger: new Logger("error", () => undefined),
    patience: 50,
  });
});
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));

test("a worker that is started again in the middle knows nothing of the move: it is given up, and told why", async () => {
  for (const again of [from!, to!]) {
    to!.answer = async (task) => {
      if (task.type !== "apply" || !task.isLast) return [];
      again.starts++;
      throw new LociError("INVALID_REQUEST", { message: "Nothing of the tenant was copied." });
    };
    await expect(mover.move(tenant, target)).rejects.toMatchObject({
      reason: "SERVER_UNAVAILABLE",
      message: `Worker ${workers.indexOf(again)} was started again while the tenant was moved.`,
    });
    expect(from!.asked.at(-1)?.type).toBe("stay");
    expect(to!.asked.at(-1)?.type).toBe("leave");
    expect(readDivision(dataDirectory)).toMatchObject({ placed: new Map(), leftovers: [] });
  }
  // The last answer came, and then it ended.
  to!.answer = async (task) => {
    if (task.type === "apply" && task.isLast) to!.starts++;
    return [];
  };
  await expect(mover.move(tenant, target)).rejects.toMatchObject({ reason: "SERVER_UNAVAILABLE" });
  expect(readDivision(dataDirectory)?.placed).toEqual(new Map());
});

test("a tenant that stays, or has arrived, is let go by its worker however late that is", async () => {
  from!.answer = async (task, signal) => {
    if (task.type === "stay") return Promise.withResolvers<ChangedRows>().promise;
    if (task.type !== "hold") return [];
    return new Promise((_, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
    );
  };
  await expect(mover.move(tenant, target)).rejects.toMatchObject({
    message: `Worker ${1 - target} took too long for its part.`,
  });
  // What is given up is not done by a worker that has not begun with it.
  expect(from!.asked.slice(-2)).toEqual([
    { type: "hold", canBeCancelled: true },
    { type: "stay", canBeCancelled: false },
  ]);
  from!.answer = () => Promise.resolve([]);
  to!.answer = (task) => (task.type === "arrive" ? Promise.withResolvers<ChangedRows>().promise : Promise.resolve([]));
  await expect(mover.move(tenant, target)).resolves.toMatchObject({ to: target });
  expect(to!.asked.at(-1)).toEqual({ type: "arrive", canBeCancelled: false });
});

test("whatever fails once it is decided, nothing of the tenant is removed where it is now", async () => {
  giveAccess = () => {
    throw new Error("The channel to the worker has closed.");
  };
  await expect(mover.move(tenant, target)).rejects.toThrow("The channel");
  expect(readDivision(dataDirectory)).toMatchObject({
    placed: new Map([[tenant, target]]),
    leftovers: [{ tenant, shard: 1 - target }],
  });
  expect(to!.asked.map(({ type }) => type)).not.toContain("leave");
  expect(to!.asked.at(-1)?.type).toBe("arrive");
});

test("what many have left is removed many at a time, and one shard does not wait for another", async () => {
  const leftovers = Array.from({ length: 250 }, (_, number) => ({ tenant: `left ${number}`, shard: number % 2 }));
  shards.change((division) => ({ ...division, leftovers }));
  workers[0].answer = () => Promise.reject(new LociError("DISK_FULL", { message: "The disk is full." }));
  mover.tidy();
  await until(() => readDivision(dataDirectory)?.leftovers.length === 125);
  expect(readDivision(dataDirectory)?.leftovers.every(({ shard }) => shard === 0)).toBe(true);
  // It is left alone for a while.
  mover.tidy();
  expect([workers[0], workers[1]].map(({ asked }) => asked.map(({ type }) => type))).toEqual([
    ["leave"],
    ["leave", "leave"],
  ]);
});
