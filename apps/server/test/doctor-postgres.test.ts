import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configurationOf, examine, type Finding, loadSettings, startServer } from "../src/index.ts";

const directory = mkdtempSync(join(tmpdir(), "loci-doctor-postgres-"));
const isMissing = missingNativePostgres() !== undefined;
const role = `doctor_${process.pid}`;
const variables = ["LOCI_TEST_DOCTOR_SERVICE", "LOCI_TEST_DOCTOR_OWNER", "LOCI_TEST_DOCTOR_KEYS"] as const;

let database: TestDatabase;
let service: string;
beforeAll(async () => {
  if (isMissing) return;
  database = await openTestDatabase("native");
  await database.execute(`CREATE ROLE ${role} LOGIN PASSWORD 'secret-of-doctor' NOSUPERUSER NOBYPASSRLS`);
  const url = new URL(database.connectionString);
  url.username = role;
  url.password = "secret-of-doctor";
  service = url.href;
});
afterAll(async () => {
  for (const name of variables) delete process.env[name];
  rmSync(directory, { recursive: true, force: true });
  if (isMissing) return;
  await database.execute(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await database.drop();
});

/** What is said of the ledger and the clock, with these connection strings. */
async function findingsOf(connection: string, owner?: string): Promise<ReadonlyMap<string, Finding>> {
  const environment = environmentOf(connection, owner);
  const found = new Map<string, Finding>();
  for await (const finding of examine({ dataDirectory: directory, environment })) {
    found.set(finding.check, finding);
    expect(JSON.stringify(finding)).not.toContain("secret-of-doctor");
  }
  return found;
}

function environmentOf(connection: string, owner?: string): NodeJS.ProcessEnv {
  process.env[variables[0]] = connection;
  process.env[variables[1]] = owner ?? "";
  return {
    LOCI_LEDGER_CONNECTION_STRING_VARIABLE: variables[0],
    ...(owner === undefined ? {} : { LOCI_LEDGER_OWNER_CONNECTION_STRING_VARIABLE: variables[1] }),
  };
}

test("a database that does not answer is told, without its password", async () => {
  const found = await findingsOf("postgresql://loci:secret-of-doctor@127.0.0.1:9/loci");
  expect(found.get("ledger")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("127.0.0.1:9") as string,
  });
});

test.skipIf(isMissing)("a schema that is missing, too new, served by a superuser, or well is told apart", async () => {
  expect((await findingsOf(service)).get("ledger")).toMatchObject({
    state: "fail",
    advice: expect.stringContaining("the owner's connection string") as string,
  });
  expect((await findingsOf(service, database.connectionString)).get("ledger")).toMatchObject({
    state: "warn",
    message: expect.stringContaining("The next start makes them.") as string,
  });
  process.env[variables[2]] = `2026-11:${Buffer.alloc(32, 1).toString("base64")}`;
  const server = await startServer(
    configurationOf(
      loadSettings({
        environment: {
          ...environmentOf(service, database.connectionString),
          LOCI_DATA_DIR: directory,
          LOCI_LISTEN_PORT: "0",
          LOCI_INDEX_USE: "memory",
          LOCI_ENCRYPTION_KEYS_VARIABLE: variables[2],
        },
      }),
    ),
    { writeLog: () => undefined },
  );
  await server.close(0);
  const well = await findingsOf(service);
  expect(well.get("ledger")).toMatchObject({
    state: "ok",
    message: expect.stringMatching(/PostgreSQL .* Encrypted under "2026-11"\.$/u) as string,
  });
  expect(well.get("clock")).toMatchObject({ state: "ok" });
  expect((await findingsOf(database.connectionString)).get("ledger")?.message).toContain("row-level security");
  await database.execute("INSERT INTO loci.schema_steps (version) VALUES (500)");
  const newer = (await findingsOf(service)).get("ledger");
  expect(newer).toMatchObject({ state: "fail", message: expect.stringContaining("version 500") as string });
});
