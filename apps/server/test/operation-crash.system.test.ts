import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { proto } from "@loci/api";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { sharedConfiguration } from "./shared-configuration.ts";
import { failureOf, startTestServer, TestClient } from "./test-server.ts";

const { SUCCEEDED, RUNNING, FAILED, CANCELLED } = proto.OperationState;
const service = "/loci.v1.OperationService";

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-operation-crash-"));
});
afterEach(async () => {
  await kill();
  rmSync(folder, { recursive: true, force: true });
});

/** A server, in a process of its own, whose operations never end. */
async function startEndless(role = ""): Promise<TestClient> {
  const program = join(import.meta.dirname, "serve-endless-until-killed.ts");
  const words = ["--no-warnings", "--conditions=@loci/source", program, join(folder, "first"), role];
  child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
  const { address, apiKey } = JSON.parse(line) as { readonly address: string; readonly apiKey: string };
  return new TestClient(address, apiKey);
}

async function kill(): Promise<void> {
  if (child === undefined || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function settle(client: TestClient): Promise<string> {
  const { operation } = (await client.call(`${service}/SettleIndexes`, {})) as proto.SettleIndexesResponse;
  return operation?.id ?? "";
}

async function backup(client: TestClient): Promise<string> {
  const job = { $case: "backup" as const, value: { directory: "b" } };
  const response = await client.call(
    "/loci.v1.MaintenanceService/StartMaintenance",
    proto.StartMaintenanceRequest.create({ job: { job } }),
  );
  return (response as proto.StartMaintenanceResponse).operation?.id ?? "";
}

async function get(client: TestClient, id: string): Promise<proto.Operation | undefined> {
  return ((await client.call(`${service}/GetOperation`, { id })) as proto.GetOperationResponse).operation;
}

async function wait(client: TestClient, id: string): Promise<proto.Operation | undefined> {
  const request = proto.WaitOperationRequest.create({ id, timeout: { seconds: 20n, nanos: 0 } });
  return ((await client.call(`${service}/WaitOperation`, request)) as proto.WaitOperationResponse).operation;
}

test("after a kill the server that comes back ends what was under way, and tells what it could not repeat", async () => {
  using first = await startEndless();
  await first.remember("Something to index.");
  const [settling, copying] = [await settle(first), await backup(first)];
  const file = new DatabaseSync(join(folder, "first", "ledger.sqlite"), { readOnly: true });
  const underWay = file.prepare("SELECT count(*) AS count FROM jobs WHERE state = 'running'");
  await expect.poll(() => underWay.get()?.["count"]).toBe(2);
  file.close();
  for (const id of [settling, copying]) expect((await get(first, id))?.state).toBe(RUNNING);
  const unheard = await failureOf(get(first, randomUUID()));
  expect(unheard.reason).toBe("OPERATION_NOT_FOUND");
  await kill();

  const openEngine = engineWith(gatedEmbedder());
  await using second = await startTestServer({ openEngine, configuration: { dataDirectory: join(folder, "first") } });
  using client = new TestClient(second.address, second.apiKey);
  const settled = await wait(client, settling);
  expect([settled?.state, settled?.result?.$case]).toEqual([SUCCEEDED, "settle"]);
  const copied = await wait(client, copying);
  expect(copied?.state).toBe(FAILED);
  expect(Buffer.from(copied?.error?.details[0]?.value ?? []).toString("latin1")).toContain("JOB_INTERRUPTED");
});

describe.skipIf(missingNativePostgres() !== undefined)("two servers on one PostgreSQL", () => {
  let database: TestDatabase;
  let role: string;
  beforeEach(async () => {
    database = await openTestDatabase("native");
    role = `service_${randomUUID().slice(0, 8)}`;
    await database.execute(`CREATE ROLE ${role}`);
    process.env["LOCI_TEST_DATABASE_URL"] = database.connectionString;
  });
  afterEach(() => database.drop());

  test("either answers for the other's operations and stops them, and takes over what one leaves behind", async () => {
    using first = await startEndless(role);
    const ids = [await settle(first), await settle(first)];
    for (const id of ids)
      await expect
        .poll(() => database.execute(`SELECT state FROM loci.jobs WHERE id = '${id}'`))
        .toEqual([{ state: "running" }]);
    // Only now: it would take up what the other has not yet, and end it.
    const { listen, ...configuration } = sharedConfiguration(role, { dataDirectory: join(folder, "second") });
    expect(listen.port).toBe(0);
    await using second = await startTestServer({ configuration });
    using client = new TestClient(second.address, second.apiKey);
    for (const id of ids) expect((await get(client, id))?.state).toBe(RUNNING);
    const [stopped = "", left = ""] = ids;
    await client.call(`${service}/CancelOperation`, { id: stopped });
    expect((await wait(client, stopped))?.state).toBe(CANCELLED);
    expect((await get(first, stopped))?.state).toBe(CANCELLED);

    await kill();
    expect((await get(client, left))?.state).toBe(RUNNING);
    // As though the time of its lease had gone by.
    await database.execute(`UPDATE loci.jobs SET available_at = 0 WHERE id = '${left}'`);
    expect((await wait(client, left))?.state).toBe(SUCCEEDED);
  });
});
