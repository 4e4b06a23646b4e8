import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { readDivision } from "@loci/loci";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sharedConfiguration } from "./shared-configuration.ts";
import { failureOf, TestClient, testKey, until } from "./test-server.ts";
import { startWorkerServer, tenantsOfWorkers, type WorkerServer } from "./worker-server.ts";

const keys = tenantsOfWorkers.map((tenant, number) => testKey({ id: `tenant-${number}`, tenant }));
const fixture = (name: string): string => join(import.meta.dirname, "fixtures", name);

describe.skipIf(missingNativePostgres() !== undefined)("two workers on one PostgreSQL", () => {
  let folder: string;
  let database: TestDatabase;
  let server: WorkerServer;
  let role: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "loci-workers-postgres-"));
    database = await openTestDatabase("native");
    role = `service_${randomUUID().slice(0, 8)}`;
    await database.execute(`CREATE ROLE ${role}`);
    vi.stubEnv("LOCI_TEST_DATABASE_URL", database.connectionString);
    const apiKeys = keys.map(({ entry }) => entry);
    const dataDirectory = join(folder, "data");
    server = await startWorkerServer({
      configuration: { ...sharedConfiguration(role, { dataDirectory }), workers: 2, apiKeys },
    });
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The workers that have answered calls of a tenant. */
  function workersOf(tenant: string | undefined): ReadonlySet<unknown> {
    const calls = server.log().filter((line) => line.event === "call" && line["tenant"] === tenant);
    return new Set(calls.map((line) => line["worker"]));
  }

  test("each tenant has its worker, and the directory is not divided", async () => {
    for (const [worker, { key }] of keys.entries()) {
      await server.client(key).remember(`Tenant ${worker} was here.`);
      expect(await server.client(key).texts()).toEqual([`Tenant ${worker} was here.`]);
    }
    await until(() => keys.every((_, worker) => workersOf(tenantsOfWorkers[worker]).size > 0));
    expect([workersOf(tenantsOfWorkers[0]), workersOf(tenantsOfWorkers[1])]).toEqual([new Set([0]), new Set([1])]);
    expect(readDivision(server.dataDirectory)).toBeUndefined();
  });

  test("each worker knows all keys, and still nobody else's", async () => {
    const { key } = testKey({ tenant: tenantsOfWorkers[0] });
    expect((await failureOf(server.client(key).texts())).reason).toBe("CREDENTIAL_INVALID");
    const first = server.log().find((line) => line.event === "started" && line["worker"] === 0);
    using past = new TestClient(`unix:${String(first?.["address"])}`, keys[1]!.key);
    expect(await past.texts()).toEqual(["Tenant 1 was here."]);
  });

  test("a certificate opens its tenant on each worker, and nothing else", async () => {
    const clientCertificates = ["DNS:agents.example", "DNS:nobody.example"].map((name, worker) => ({
      name,
      tenant: tenantsOfWorkers[worker]!,
      roles: ["read"] as const,
      scopes: ["*"],
    }));
    const dataDirectory = join(folder, "mutual");
    const configuration = { ...sharedConfiguration(role, { dataDirectory }), workers: 2, clientCertificates };
    const tls = {
      certificateFile: fixture("tls/server.crt"),
      privateKeyFile: fixture("tls/server.key"),
      clientCaFile: fixture("mutual-tls/authority.crt"),
    };
    await using mutual = await startWorkerServer({ configuration: { ...configuration, tls, apiKeys: [] } });
    const clientOf = (name: string): TestClient => {
      const [ca, key, certificate] = ["tls/authority.crt", `mutual-tls/${name}.key`, `mutual-tls/${name}.crt`].map(
        (file) => readFileSync(fixture(file)),
      );
      const secure = credentials.createSsl(ca, key, certificate);
      return new TestClient(`localhost:${mutual.port}`, undefined, secure);
    };
    for (const [worker, name] of ["agents", "unbound"].entries()) {
      using client = clientOf(name);
      expect(await client.texts()).toContain(`Tenant ${worker} was here.`);
      await until(() => mutual.log().some((line) => line.event === "call" && line["worker"] === worker));
    }
    using disguised = clientOf("disguised");
    expect((await failureOf(disguised.texts())).reason).toBe("CREDENTIAL_INVALID");
  });

  test("while a worker is away its tenants are answered by the next one", async () => {
    const before = server.pidOf(1);
    process.kill(before, "SIGKILL");
    const isAnswered = (): Promise<boolean> =>
      server
        .client(keys[1]!.key)
        .remember("Said while it was away.")
        .then(
          () => true,
          () => false,
        );
    await until(isAnswered);
    expect(server.pidOf(1)).toBe(before);
    await until(() => workersOf(tenantsOfWorkers[1]).has(0));
    await until(() => server.pidOf(1) !== before);
    expect(await server.client(keys[1]!.key).texts()).toContain("Said while it was away.");
  });
});
