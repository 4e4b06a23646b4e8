import { type Operation, proto } from "@loci/api";
import { LociError, type Principal, tenantId } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OperationRegistry, type OperationWork } from "../src/operations/operation-registry.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { failureOf, startTestServer, TestClient, type TestServer } from "./test-server.ts";

const acme: Principal = { tenant: tenantId("acme"), subject: "ci", roles: ["read"], scopePatterns: ["*"] };
const globex: Principal = { ...acme, tenant: tenantId("globex") };
const never = new AbortController().signal;
const hour = 60 * 60 * 1_000;

function settle(operations: OperationRegistry, principal: Principal, run: OperationWork): Operation {
  return operations.start(principal, { kind: "settle", role: "read", run });
}

describe("the registry", () => {
  test("keeps an operation for an hour after its end", async () => {
    let now = 1_000;
    const operations = new OperationRegistry(() => now);
    const { promise, resolve } = Promise.withResolvers<void>();
    const { id } = settle(operations, acme, () => promise);
    now += 2 * hour;
    expect(operations.get(acme, id)).toEqual({ id, kind: "settle", state: "running", createdAt: 1_000 });
    resolve();
    const ended = await operations.wait(acme, id, 1_000, never);
    expect(ended).toEqual({ id, kind: "settle", state: "succeeded", createdAt: 1_000, endedAt: 1_000 + 2 * hour });
    now += hour - 1;
    expect(operations.get(acme, id)).toEqual(ended);
    now += 1;
    expect(() => operations.get(acme, id)).toThrow("There is no operation");
  });

  test("tells why an operation failed, and nothing of what was not meant to be told", async () => {
    const operations = new OperationRegistry(Date.now);
    const known = settle(operations, acme, async () => {
      throw new LociError("STORE_UNAVAILABLE", { message: "The store is away." });
    });
    const unknown = settle(operations, acme, async () => {
      throw new Error("canary");
    });
    expect(await operations.wait(acme, known.id, 1_000, never)).toMatchObject({
      state: "failed",
      error: { reason: "STORE_UNAVAILABLE" },
    });
    const failed = await operations.wait(acme, unknown.id, 1_000, never);
    expect(failed.error?.reason).toBe("INTERNAL");
    expect(JSON.stringify(failed)).not.toContain("canary");
  });

  test("stops the work of an operation that is cancelled, once", async () => {
    const operations = new OperationRegistry(Date.now);
    let reason: unknown;
    const { id } = settle(operations, acme, (signal) => {
      const { promise, reject } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => {
        reason = signal.reason;
        reject(signal.reason as Error);
      });
      return promise;
    });
    const cancelled = operations.cancel(acme, id);
    expect(cancelled.state).toBe("cancelled");
    expect(reason).toMatchObject({ reason: "CANCELLED" });
    expect(await operations.wait(acme, id, 1_000, never)).toEqual(cancelled);
    expect(operations.cancel(acme, id)).toEqual(cancelled);
  });

  test("waits no longer than asked, nor for who has gone", async () => {
    const operations = new OperationRegistry(Date.now);
    const { id } = settle(operations, acme, () => new Promise(() => undefined));
    expect((await operations.wait(acme, id, 10, never)).state).toBe("running");
    const gone = new AbortController();
    const waiting = operations.wait(acme, id, 60_000, gone.signal);
    gone.abort(new LociError("CANCELLED", { message: "The caller has gone." }));
    expect((await failureOf(waiting)).reason).toBe("CANCELLED");
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
  ])("started with %j, it is seen with %j: %s", (started, seeing, isSeen) => {
    const operations = new OperationRegistry(Date.now);
    const { id } = settle(operations, { ...acme, scopePatterns: started }, async () => undefined);
    const viewers: readonly Principal[] = [
      { ...acme, scopePatterns: seeing },
      { ...acme, subject: "operator", roles: ["read", "operate"], scopePatterns: seeing },
    ];
    const seen = viewers.map((viewer) => {
      try {
        return operations.get(viewer, id).id === id;
      } catch (error) {
        return LociError.is(error) && error.reason;
      }
    });
    const expected = isSeen ? true : "SCOPE_NOT_PERMITTED";
    expect(seen).toEqual([expected, expected]);
  });

  test("shows a tenant only its own", () => {
    const operations = new OperationRegistry(Date.now);
    const { id } = settle(operations, acme, async () => undefined);
    expect(() => operations.get(globex, id)).toThrow("There is no operation");
    expect(() => operations.cancel(globex, id)).toThrow("There is no operation");
  });

  test("shows a tenant's operation to who started it, while it may, and to operators", async () => {
    const operations = new OperationRegistry(Date.now);
    const starter: Principal = { ...acme, roles: ["admin"] };
    const { id } = operations.start(starter, {
      kind: "verify",
      role: "admin",
      run: () => new Promise(() => undefined),
    });
    const looks: readonly ((principal: Principal) => unknown)[] = [
      (principal) => operations.get(principal, id),
      (principal) => operations.cancel(principal, id),
    ];
    for (const look of looks) {
      expect(() => look({ ...starter, subject: "other" })).toThrow("did not start this operation");
      expect(() => look({ ...starter, subject: "other", roles: ["read", "write", "approve"] })).toThrow("operate");
      // The same subject by a key that may not start such work.
      expect(() => look({ ...starter, roles: ["read"] })).toThrow("does not have the role admin");
    }
    expect(operations.get(starter, id).state).toBe("running");
    const waiting = operations.wait({ ...starter, subject: "other" }, id, 1_000, never);
    expect((await failureOf(waiting)).reason).toBe("ROLE_REQUIRED");
    const operator: Principal = { ...acme, subject: "operator", roles: ["operate"] };
    expect(operations.cancel(operator, id).state).toBe("cancelled");
    expect(() => operations.get({ ...operator, tenant: globex.tenant }, id)).toThrow("There is no operation");
  });

  test("is bounded: 64 running and about 1,000 kept for each tenant", async () => {
    const operations = new OperationRegistry(Date.now);
    const ids: string[] = [];
    for (let index = 0; index < 1_500; index++) {
      const { id } = settle(operations, acme, async () => undefined);
      ids.push(id);
      await operations.wait(acme, id, 1_000, never);
    }
    const kept = ids.filter((id) => {
      try {
        return operations.get(acme, id) !== undefined;
      } catch {
        return false;
      }
    });
    expect(kept.length).toBeLessThanOrEqual(1_000);
    expect(kept).toEqual(ids.slice(-kept.length));
    const endless = (): Promise<void> => new Promise(() => undefined);
    for (let index = 0; index < 64; index++) settle(operations, acme, endless);
    expect(() => settle(operations, acme, endless)).toThrow("the most there can be");
    settle(operations, globex, endless);
    operations.close();
    settle(operations, acme, endless);
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
