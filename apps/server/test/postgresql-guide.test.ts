// What `docs/guides/postgresql.md` tells, done.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { connectLoci } from "@loci/client";
import { type Loci, openLoci, type OpenLociOptions } from "@loci/loci";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { loadConfiguration, type RunningServer, startServer } from "../src/index.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/postgresql.md"), "utf8");

/** The code under a comment. */
function printed(name: string): string {
  const [, code] = new RegExp(`^<!-- ${name} -->\\n\\n\`\`\`\\w+\\n(.*?)^\`\`\``, "ms").exec(guide) ?? [];
  if (code === undefined) throw new Error(`The guide prints no ${name}.`);
  return code;
}

// Roles belong to the whole server, which other tests use at the same time: theirs have other names.
const suffix = `_of_${process.pid}`;
const ownRoles = (statements: string): string => statements.replaceAll(/loci_(owner|service)\b/g, `$&${suffix}`);
const statements = ownRoles(printed("statements")).trim().split("\n");
const roles = ["loci_owner", "loci_service"].map((role) => role + suffix);

const directory = mkdtempSync(join(tmpdir(), "loci-postgresql-guide-"));
const file = join(directory, "loci.toml");
let database: TestDatabase;
let directories = 0;

beforeAll(() => {
  writeFileSync(file, printed("settings"));
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await database.execute(roles.map((role) => `DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`).join(";"));
  await database.drop();
});

/** With the users and passwords that are printed, at the test's database. */
function connectionStrings(): { readonly connectionString: string; readonly ownerConnectionString: string } {
  const as = (role: string): string => {
    const [, password = ""] = new RegExp(`${role}:([^@]*)@`).exec(guide) ?? [];
    const url = new URL(database.connectionString);
    url.username = role + suffix;
    url.password = password;
    return url.href;
  };
  return { connectionString: as("loci_service"), ownerConnectionString: as("loci_owner") };
}

async function start(): Promise<RunningServer> {
  const { connectionString, ownerConnectionString } = connectionStrings();
  vi.stubEnv("LOCI_DATABASE_URL", connectionString);
  vi.stubEnv("LOCI_DATABASE_OWNER_URL", ownerConnectionString);
  const environment = { LOCI_DATA_DIR: join(directory, String(++directories)), LOCI_LISTEN_PORT: "0" };
  return startServer(loadConfiguration({ file, environment }), { writeLog: () => undefined });
}

/** What is recalled of the one memory that there is. */
async function rememberAndRecall(loci: Loci): Promise<readonly string[]> {
  await loci.memories.remember({ text: "We deploy on Thursday.", scope: "user:alice" });
  await loci.settled();
  const { hits } = await loci.recall({ query: "When do we deploy?", scopes: ["user:alice"] });
  return hits.map(({ memory }) => memory.text);
}

async function schemasWithTables(): Promise<unknown> {
  const rows = await database.execute(
    "SELECT DISTINCT schemaname FROM pg_tables WHERE schemaname LIKE 'loci%' ORDER BY schemaname",
  );
  return rows.map(({ schemaname }) => schemaname);
}

describe.skipIf(missingNativePostgres() !== undefined)("ledger and indexes in one PostgreSQL", () => {
  beforeEach(async () => {
    database = await openTestDatabase("native");
  });

  test("serve with the statements, the roles and the file that are printed", async () => {
    await database.execute(statements.join("\n"));
    const server = await start();
    try {
      await using loci = connectLoci({ address: server.address, apiKey: server.apiKey });
      expect(await rememberAndRecall(loci)).toEqual(["We deploy on Thursday."]);
      await loci.maintenance.reindex({ to: "embedded", dropOld: true });
      // The schema stays when its tables go, so the service can have indexes there again.
      expect(await schemasWithTables()).toEqual(["loci"]);
      await loci.maintenance.reindex({ to: "pgvector" });
      expect(await schemasWithTables()).toEqual(["loci", "loci_indexes"]);
    } finally {
      await server.close(0);
    }
  });

  test("open in a program as printed", async () => {
    await database.execute(statements.join("\n"));
    const [, options = ""] = /openLoci\((\{.*\})\);/s.exec(printed("program")) ?? [];
    const given = runInNewContext(`(${options})`, connectionStrings()) as OpenLociOptions;
    await using loci = await openLoci({ ...given, dataDirectory: join(directory, String(++directories)) });
    expect(await rememberAndRecall(loci)).toEqual(["We deploy on Thursday."]);
  });

  test.for([
    ["CREATE SCHEMA loci_indexes", "There is no schema loci_indexes", 'CREATE SCHEMA "loci_indexes" AUTHORIZATION'],
    ["CREATE EXTENSION", "has no pgvector", "CREATE EXTENSION vector"],
  ])("say what is missing without %s, and start once it is done", async ([left = "", message, advice]) => {
    const [missing = ""] = statements.filter((statement) => statement.startsWith(left));
    await database.execute(statements.filter((statement) => statement !== missing).join("\n"));
    await expect(start()).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      message: expect.stringContaining(message ?? "") as string,
      advice: expect.stringContaining(advice ?? "") as string,
    });
    await database.execute(missing);
    const server = await start();
    await server.close(0);
  });

  test("say that a schema is somebody else's, or the ledger's", async () => {
    await database.execute(statements.join("\n").replace(/loci_indexes AUTHORIZATION \w+/, "loci_indexes"));
    await expect(start()).rejects.toMatchObject({
      message: expect.stringContaining("may not make tables in the schema loci_indexes") as string,
    });
    writeFileSync(file, `${printed("settings")}schema = "loci"\n`);
    try {
      await expect(start()).rejects.toMatchObject({
        message: "The schema loci holds the memories of a ledger, not indexes.",
        field: "schema",
      });
    } finally {
      writeFileSync(file, printed("settings"));
    }
  });

  test("call a missing connection string by its name", async () => {
    await database.execute(statements.join("\n"));
    vi.stubEnv("LOCI_DATABASE_OWNER_URL", undefined);
    vi.stubEnv("LOCI_DATABASE_URL", undefined);
    const environment = { LOCI_DATA_DIR: join(directory, String(++directories)), LOCI_LISTEN_PORT: "0" };
    await expect(
      startServer(loadConfiguration({ file, environment }), { writeLog: () => undefined }),
    ).rejects.toMatchObject({
      message:
        "The environment variable LOCI_DATABASE_URL is not set. It should hold the connection string of the ledger's database.",
    });
  });
});
