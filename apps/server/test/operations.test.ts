import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Operation, proto } from "@loci/api";
import { deterministicEmbedder } from "@loci/embedding/testing";
import { LociError, openEngine, type OpenedEngine, type Principal, tenantId } from "@loci/loci";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OperationRegistry } from "../src/operations/operation-registry.ts";
import type { CarryOut } from "../src/operations/operation-work.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { failureOf, startTestServer, TestClient, type TestServer } from "./test-server.ts";

const acme: Principal = { tenant: tenantId("acme"), subject: "ci", roles: ["read"], scopePatterns: ["*"] };
const globex: Principal = { ...acme, tenant: tenantId("globex") };
const never = new AbortController().signal;
/** For what comes at once where the machine has time: a wait ends with its operation. */
const long = 30_000;
const hour = 60 * 60 * 1_000;
const endless: CarryOut = () => new Promise(() => undefined);
const nothing: CarryOut = async () => undefined;

function settle(operations: OperationRegistry, principal: Principal): Promise<Operation> {
  return operations.start(principal, { kind: "settle", role: "read" });
}

describe("the registry", () => {
  let now: number;
  let directory: string;
  let engine: OpenedEngine;
  beforeEach(async () => {
    now = 1_800_000_000_000;
    directory = mkdtempSync(join(tmpdir(), "loci-operations-"));
    engine = await open();
  });
  afterEach(async () => {
    await engine.close();
    rmSync(directory, { recursive: true });
  });

  function open(): Promise<OpenedEngine> {
    const embedder = deterministicEmbedder();
    return openEngine({ dataDirectory: directory, index: "memory", embedder, clock: () => now });
  }

  test("keeps an operation for an hour after its end", async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const operations = new OperationRegistry(engine.jobs, () => promise);
    const { id } = await settle(operations, acme);
    const createdAt = now;
    now += 2 * hour;
    expect(await operations.get(acme, id)).toEqual({ id, kind: "settle", state: "running", createdAt });
    resolve(undefined);
    const ended = await operations.wait(acme, id, long, never);
    const result = { type: "settle" };
    expect(ended).toEqual({ id, kind: "settle", state: "succeeded", createdAt, endedAt: now, result });
    now += hour - 1;
    expect(await operations.get(acme, id)).toEqual(ended);
    now += 1;
    await expect(operations.get(acme, id)).rejects.toThrow("There is no operation");
  });

  test("tells why an operation failed, and nothing of what was not meant to be told", async () => {
    const operations = new OperationRegistry(engine.jobs, async ({ kind }) => {
      throw kind === "known"
        ? new LociError("STORE_UNAVAILABLE", { message: "The store is away." })
        : new Error("canary");
    });
    const { id } = await operations.start(acme, { kind: "known", role: "read" });
    expect(await operations.wait(acme, id, long, never)).toMatchObject({
      state: "failed",
      error: { reason: "STORE_UNAVAILABLE" },
    });
    const failed = await operations.wait(acme, (await settle(operations, acme)).id, long, never);
    expect(failed.error?.reason).toBe("INTERNAL");
    expect(JSON.stringify(failed)).not.toContain("canary");
  });

  test("gives a report, and how far the work has come", async () => {
    const report = { job: "expire", dryRun: false, counts: { scanned: 2 }, findings: [], notes: ["Done."] } as const;
    const progress = { activity: "expire", done: 1, total: 2, ratePerSecond: 0.5 };
    const operations = new OperationRegistry(engine.jobs, async (_work, { onProgress }) => {
      onProgress(progress);
      return report;
    });
    const admin: Principal = { ...acme, roles: ["admin"] };
    const { id } = await operations.start(admin, { kind: "expire", role: "admin", job: { type: "expire" } });
    const ended = await operations.wait(admin, id, long, never);
    expect([ended.progress, ended.result]).toEqual([progress, { type: "maintenance", report }]);
  });

  test("stops the work of an operation that is cancelled, once", async () => {
    let reason: unknown;
    let isStarted = false;
    const operations = new OperationRegistry(engine.jobs, (_work, { signal }) => {
      const { promise, reject } = Promise.withResolvers<undefined>();
      isStarted = true;
      signal.addEventListener("abort", () => {
        reason = signal.reason;
        reject(signal.reason as Error);
      });
      return promise;
    });
    const { id } = await settle(operations, acme);
    await expect.poll(() => isStarted).toBe(true);
    const cancelled = await operations.cancel(acme, id);
    expect(cancelled.state).toBe("cancelled");
    expect(reason).toMatchObject({ reason: "CANCELLED" });
    expect(await operations.wait(acme, id, 1_000, never)).toEqual(cancelled);
    expect(await operations.cancel(acme, id)).toEqual(cancelled);
  });

  test("waits no longer than asked, nor for who has gone", async () => {
    const operations = new OperationRegistry(engine.jobs, endless);
    const { id } = await settle(operations, acme);
    expect((await operations.wait(acme, id, 10, never)).state).toBe("running");
    const gone = new AbortController();
    const waiting = operations.wait(acme, id, 60_000, gone.signal);
    gone.abort(new LociError("CANCELLED", { message: "The caller has gone." }));
    expect((await failureOf(waiting)).reason).toBe("CANCELLED");
  });

  test("carries on what was under way when the server stopped, and tells when it cannot be repeated", async () => {
    const operator: Principal = { ...acme, roles: ["admin", "operate"] };
    const stopping = new OperationRegistry(engine.jobs, endless);
    const { id: settling } = await settle(stopping, operator);
    const backup = { type: "backup", directory: "b" } as const;
    const { id: copying } = await stopping.start(operator, { kind: "backup", role: "admin", job: backup });
    for (const id of [settling, copying])
      await expect.poll(async () => (await engine.jobs.get(acme.tenant, id))?.state).toBe("running");
    await engine.close();
    engine = await open();
    const operations = new OperationRegistry(engine.jobs, nothing);
    expect(await operations.wait(operator, settling, long, never)).toMatchObject({ state: "succeeded" });
    expect(await operations.wait(operator, copying, long, never)).toMatchObject({
      state: "failed",
      error: { reason: "JOB_INTERRUPTED" },
    });
  });

  test("what cannot be read is given up, and the server goes on", async () => {
    const operations = new OperationRegistry(engine.jobs, nothing);
    const ids = ["not JSON", "null", '{"kind":"settle"}'].map((request, index) => ({
      request,
      id: `damaged ${index}`,
    }));
    for (const { id, request } of ids)
      await engine.jobs.enqueue(acme.tenant, { id, kind: "operation", request, keepMilliseconds: hour });
    for (const { id } of ids)
      expect(await engine.jobs.wait(acme.tenant, id, long, never)).toMatchObject({
        state: "dead",
        error: expect.stringContaining("DATA_DIRECTORY_CORRUPT") as string,
      });
    const { id } = await settle(operations, acme);
    expect((await operations.wait(acme, id, long, never)).state).toBe("succeeded");
  });

  test("an erasure of the tenant leaves its receipt, to who may see it", async () => {
    const loci = (): ReturnType<OpenedEngine["for"]> => engine.for({ ...acme, roles: ["admin"] });
    const operations = new OperationRegistry(engine.jobs, async ({ job }, call) => loci().maintenance.run(job!, call));
    const admin: Principal = { ...acme, roles: ["admin"] };
    await loci().memories.remember({ text: "Something.", scope: "user:alice" });
    const job = { type: "erase", tenant: "acme" } as const;
    const { id } = await operations.start(admin, { kind: "erase", role: "admin", job });
    const ended = await operations.wait(admin, id, long, never);
    expect(ended.result).toMatchObject({ type: "maintenance", report: { counts: { erased: 1 } } });
    await expect(operations.get({ ...globex, roles: ["admin", "operate"] }, id)).rejects.toThrow("no operation");
  });

  test.each([
    [["user:carol"], ["user:carol"], true],
    [["user:carol"], ["user:*"], true],
    [["user:carol"], ["*"], true],
    [["user:carol"], ["user:carol2", "team:*"], false],
    [["user:*"], ["user:carol"], false],
    [["*"], ["user:*", "team:*", "global"], false],
    [["user:a:b"], ["user:a:*", "user:a"], false],
    [[], [], true],
  ])("started with %j, it is seen with %j: %s", async (started, seeing, isSeen) => {
    const operations = new OperationRegistry(engine.jobs, nothing);
    const { id } = await settle(operations, { ...acme, scopePatterns: started });
    const viewers: readonly Principal[] = [
      { ...acme, scopePatterns: seeing },
      { ...acme, subject: "operator", roles: ["read", "operate"], scopePatterns: seeing },
    ];
    const seen = await Promise.all(
      viewers.map((viewer) =>
        operations.get(viewer, id).then(
          (found) => found.id === id,
          (error: unknown) => LociError.is(error) && error.reason,
        ),
      ),
    );
    const expected = isSeen ? true : "SCOPE_NOT_PERMITTED";
    expect(seen).toEqual([expected, expected]);
  });

  test("shows a tenant only its own, and no other jobs", async () => {
    const operations = new OperationRegistry(engine.jobs, nothing);
    const { id } = await settle(operations, acme);
    for (const look of [operations.get(globex, id), operations.cancel(globex, id)])
      await expect(look).rejects.toThrow("There is no operation");
    const other = id.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
    await engine.jobs.enqueue(acme.tenant, { id: other, kind: "other", request: "{}", keepMilliseconds: hour });
    for (const unknown of [other, "", "x", "a\0", "../x", id.toUpperCase().replace(/[0-9]/g, "A"), "x".repeat(100_000)])
      await expect(operations.get(acme, unknown)).rejects.toMatchObject({ reason: "OPERATION_NOT_FOUND" });
  });

  test("shows a tenant's operation to who started it, while it may, and to operators", async () => {
    const operations = new OperationRegistry(engine.jobs, endless);
    const starter: Principal = { ...acme, roles: ["admin"] };
    const { id } = await operations.start(starter, { kind: "verify", role: "admin", job: { type: "verify" } });
    const looks: readonly ((principal: Principal) => Promise<unknown>)[] = [
      (principal) => operations.get(principal, id),
      (principal) => operations.cancel(principal, id),
      (principal) => operations.wait(principal, id, 1_000, never),
    ];
    for (const look of looks) {
      await expect(look({ ...starter, subject: "other" })).rejects.toThrow("did not start this operation");
      const roles = ["read", "write", "approve"] as const;
      await expect(look({ ...starter, subject: "other", roles })).rejects.toThrow("operate");
      // The same subject by a key that may not start such work.
      await expect(look({ ...starter, roles: ["read"] })).rejects.toThrow("does not have the role admin");
    }
    expect((await operations.get(starter, id)).state).toBe("running");
    const operator: Principal = { ...acme, subject: "operator", roles: ["operate"] };
    expect((await operations.cancel(operator, id)).state).toBe("cancelled");
    await expect(operations.get({ ...operator, tenant: globex.tenant }, id)).rejects.toThrow("There is no operation");
  });

  test("is bounded: 64 running of each tenant", async () => {
    const operations = new OperationRegistry(engine.jobs, endless);
    for (let index = 0; index < 64; index++) await settle(operations, acme);
    await expect(settle(operations, acme)).rejects.toThrow("the most there can be");
    expect((await settle(operations, globex)).state).toBe("running");
  });
});

describe("over gRPC", () => {
  const service = "/loci.v1.OperationService";
  let server: TestServer;
  let client: TestClient;

  beforeAll(async () => {
    server = await startTestServer({ openEngine: engineWith(gatedEmbedder()) });
    client = new TestClient(server.address, server.apiKey);
  });
  afterAll(async () => {
    client[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });

  test("settling is an operation that outlives its call", async () => {
    await client.remember("Something to index.");
    const { operation } = (await client.call(`${service}/SettleIndexes`, {})) as proto.SettleIndexesResponse;
    const request = proto.WaitOperationRequest.create({ id: operation!.id, timeout: { seconds: 10n, nanos: 0 } });
    const waited = (await client.call(`${service}/WaitOperation`, request)) as proto.WaitOperationResponse;
    expect(waited.operation?.state).toBe(proto.OperationState.SUCCEEDED);
    const got = (await client.call(`${service}/GetOperation`, { id: operation!.id })) as proto.GetOperationResponse;
    expect(got.operation).toEqual(waited.operation);
  });

  test("waiting takes no handler, and has a bound of its own", async () => {
    const { promise: neverSettled } = Promise.withResolvers<void>();
    await using server = await startTestServer({
      limits: { maxRunningCalls: 1, maxQueuedCalls: 0, maxWaitingCalls: 2 },
      openEngine: async (options) => {
        const engine = await engineWith(gatedEmbedder())(options);
        return { ...engine, for: (principal) => ({ ...engine.for(principal), settled: () => neverSettled }) };
      },
    });
    using client = new TestClient(server.address, server.apiKey);
    const { operation } = (await client.call(`${service}/SettleIndexes`, {})) as proto.SettleIndexesResponse;
    const { id } = operation!;
    const wait = (): Promise<proto.WaitOperationResponse> =>
      client.call(
        `${service}/WaitOperation`,
        proto.WaitOperationRequest.create({ id }),
      ) as Promise<proto.WaitOperationResponse>;
    const waiting = [wait(), wait()];
    expect((await failureOf(wait())).reason).toBe("TOO_MANY_REQUESTS");
    expect(await client.texts()).toEqual([]);
    await client.call(`${service}/CancelOperation`, { id });
    for (const { operation } of await Promise.all(waiting))
      expect(operation?.state).toBe(proto.OperationState.CANCELLED);
  });

  test.each([
    { seconds: 61n, nanos: 0 },
    { seconds: -1n, nanos: 0 },
    { seconds: 60n, nanos: 1 },
    { seconds: 2n ** 62n, nanos: 0 },
  ])("a wait of $seconds s and $nanos ns is refused", async (timeout) => {
    const request = proto.WaitOperationRequest.create({ id: "x", timeout });
    const error = await failureOf(client.call(`${service}/WaitOperation`, request));
    expect(error).toMatchObject({ reason: "INVALID_NUMBER", field: "timeout" });
  });
});
