import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { announceServer, shardDirectory } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Finding } from "../src/doctor/finding.ts";
import { servedLedgerFinding } from "../src/doctor/served-ledger.ts";
import { serverFinding } from "../src/doctor/server-finding.ts";
import { askHealth } from "../src/health/ask-health.ts";
import { healthNames } from "../src/health/health-probe.ts";
import type { ServingStatus } from "../src/health/health-service.ts";
import { Logger } from "../src/logging/logger.ts";
import { type FrontHealth, startFrontHealth } from "../src/workers/front-health.ts";
import type { WorkerProcess } from "../src/workers/worker-process.ts";

let socketDirectory: string;
let front: FrontHealth;
const workers: { number: number; socketPath: string | undefined; statuses: Record<string, ServingStatus> }[] = [];
beforeEach(async () => {
  socketDirectory = mkdtempSync(join(tmpdir(), "loci-front-health-"));
  const statuses = (): Record<string, ServingStatus> =>
    Object.fromEntries(healthNames.map((name) => [name, "SERVING"]));
  const named = [0, 1, 2].map((number) => ({ number, socketPath: `worker-${number}.sock`, statuses: statuses() }));
  workers.splice(0, Infinity, ...named);
  const started = workers as unknown as readonly WorkerProcess[];
  front = await startFrontHealth(started, { socketDirectory, environment: "production", logger: new Logger("error") });
  front.update();
});
afterEach(() => {
  front.close();
  rmSync(socketDirectory, { recursive: true });
});

test("doctor names the workers that do not serve, and what of them does not", async () => {
  const server = { address: `unix:${front.socketPath}` };
  expect(await serverFinding(server)).toMatchObject({ state: "ok" });
  Object.assign(workers[1]?.statuses ?? {}, { "": "NOT_SERVING", "loci.index": "NOT_SERVING" });
  front.update();
  const one = await serverFinding(server);
  expect(one).toMatchObject({ check: "server", state: "fail" });
  expect(one.message).toContain("not all of its workers serve: worker 1 (ledger SERVING, index NOT_SERVING).");
  expect(one.advice).toContain("shard");
  // One whose process is gone.
  Object.assign(workers[2] ?? {}, { socketPath: undefined });
  front.update();
  const two = await serverFinding(server);
  expect(two.message).toContain("worker 1 (ledger SERVING, index NOT_SERVING); worker 2 (it is not there)");
  expect(await askHealth({ ...server, worker: { number: 0, part: "ledger" } })).toBe("SERVING");
  await expect(askHealth({ ...server, worker: { number: 3, part: "server" } })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("what is shutting down does not serve again when its workers say that they do", async () => {
  front.health.shutDown();
  front.update();
  expect(await askHealth({ address: `unix:${front.socketPath}` })).toBe("NOT_SERVING");
  expect(Object.values(front.health.statuses)).not.toContain("SERVING");
});

test("only the shard whose ledger does not answer is said not to answer, and that of a worker that is gone is looked at", async () => {
  const served = join(socketDirectory, "data");
  mkdirSync(served);
  const close = announceServer(served, { address: `unix:${front.socketPath}`, pid: process.pid, tls: false });
  Object.assign(workers[1]?.statuses ?? {}, { "": "NOT_SERVING", "loci.ledger": "NOT_SERVING" });
  front.update();
  const findings = async (): Promise<readonly (Finding | undefined)[]> => [
    await servedLedgerFinding(served),
    await servedLedgerFinding(shardDirectory(served, 1), { shard: 1, served }),
    await servedLedgerFinding(shardDirectory(served, 2), { shard: 2, served }),
  ];
  const [first, second, third] = await findings();
  expect([first, third]).toEqual([undefined, undefined]);
  expect(second?.message).toContain(`serves ${shardDirectory(served, 1)}, but says that its ledger does not answer`);
  Object.assign(workers[1] ?? {}, { socketPath: undefined });
  front.update();
  expect(await findings()).toEqual([undefined, undefined, undefined]);
  close();
});
