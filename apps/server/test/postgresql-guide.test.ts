// What `docs/guides/postgresql.md` tells, done.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { connectLoci } from "@loci/client";
import { type Loci, openLoci, type OpenLociOptions, type ScopeText } from "@loci/loci";
import { filledOwners, filledScopes, fillTenant, tenantAnswers } from "@loci/engine/conformance";
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

/** Waits for everything that is being captured. */
async function captured(loci: Loci): Promise<void> {
  await loci.settled();
  const { captures } = await loci.captures.list({ scopes: ["user:ann"], pageSize: 1_000 });
  for (const { id } of captures) await loci.captures.wait(id);
}

async function textsOf(loci: Loci, scope: ScopeText): Promise<readonly string[]> {
  const { memories } = await loci.memories.list({ scopes: [scope], pageSize: 1_000 });
  return memories.map(({ text, createdAt, supersededBy }) => `${text} ${createdAt} ${supersededBy}`).toSorted();
}

/** What is recalled of the one memory that there is. */
async function rememberAndRecall(loci: Loci): Promise<readonly string[]> {
  await loci.memories.remember({ text: "We deploy on Thursday.", scope: "user:alice" });
  await loci.settled();
  const { hits } = await loci.recall({ query: "When do we deploy?", scopes: ["user:alice"] });
  return hits.map(({ memory }) => memory.text);
}

/** What `loci export` and `loci import` do, with lines enough for several calls. */
async function moveTenant(from: Loci, to: Loci): Promise<number> {
  const lines: string[] = [];
  for await (const { line } of from.maintenance.exportRecords()) lines.push(line);
  let imported = 0;
  for (let first = 0; first < lines.length; first += 90) {
    const { counts, leftOut } = await to.maintenance.importRecords(lines.slice(first, first + 90));
    expect(leftOut).toBeUndefined();
    for (const count of counts) imported += count.imported;
  }
  return imported;
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

  test("take what a directory has, with its times, once", async () => {
    await database.execute(statements.join("\n"));
    await using from = await openLoci({ tenant: "local", dataDirectory: join(directory, "moved") });
    const scope = "user:ann";
    await from.memories.remember({ text: "Ann prefers window seats.", scope, category: "preference" });
    await from.blocks.create({ owner: scope, label: "human", values: { facts: ["lives in Oslo"] }, policy: "auto" });
    for (let file = 0; file < 70; file++) {
      const label = `memory_file_${file.toString(16).padStart(32, "0")}`;
      const values = { path: `/memories/${file}.md`, text: `Note ${file}.` };
      await from.blocks.create({ owner: scope, label, schema: "memory_file", values });
    }
    const at = Date.parse("2026-01-05T09:00:00Z");
    for (const [id, capture] of [
      ["closed", "onClose"],
      ["open", { everyTurns: 1 }],
    ] as const) {
      await from.sessions.create({ scope, id, capture, rememberTurns: id === "open", createdAt: at });
      const said = id === "open" ? "I moved to Bergen." : "I work as a nurse.";
      const turns = Array.from(
        { length: 130 },
        (_, number) => ({ role: "user", content: `${said} ${number}`, at }) as const,
      );
      await from.sessions.append({ scope, id }, { expectedLast: 0, turns: turns.slice(0, 100) });
      await from.sessions.append({ scope, id }, { expectedLast: 100, turns: turns.slice(100) });
    }
    await from.sessions.turnState.recordDecision({ scope, id: "open" }, { decision: "Wait", rationale: "It rains" });
    await from.sessions.close({ scope, id: "closed" });
    await captured(from);
    const before = await textsOf(from, scope);

    const server = await start();
    try {
      await using to = connectLoci({ address: server.address, apiKey: server.apiKey });
      for (let time = 0; time < 2; time++) {
        expect((await moveTenant(from, to)) > 0).toBe(time === 0);
        await captured(to);
        expect(await textsOf(to, scope)).toEqual(before);
      }
      const { turns } = await to.sessions.turns({ scope, id: "closed" }, { order: "newestFirst", pageSize: 1 });
      expect(turns).toMatchObject([{ number: 130, content: "I work as a nurse. 129", at }]);
      expect(await to.sessions.get({ scope, id: "closed" })).toMatchObject({ state: "closed", createdAt: at });
      expect(await to.sessions.get({ scope, id: "open" })).toMatchObject({ state: "open", lastTurn: 130 });
      const { state } = await to.sessions.turnState.load({ scope, id: "open" });
      expect(state.decisions).toMatchObject([{ decision: "Wait" }]);
      const block = await to.blocks.get({ owner: scope, label: "human" });
      const files = await to.blocks.list({
        owner: scope,
        schema: "memory_file",
        after: `memory_file_${"0".repeat(30)}3f`,
      });
      expect(files.map(({ values }) => values["text"])).toEqual(
        ["64", "65", "66", "67", "68", "69"].map((n) => `Note ${n}.`),
      );
      expect(block).toMatchObject({ policy: "auto", values: { facts: ["lives in Oslo"] } });
    } finally {
      await server.close(0);
    }
  });

  test("take everything of every family, and give it back to a directory", async () => {
    await database.execute(statements.join("\n"));
    await using from = await openLoci({ tenant: "local", dataDirectory: join(directory, "all") });
    await fillTenant(from);
    const answers = await tenantAnswers(from, filledScopes, filledOwners);
    const server = await start();
    try {
      await using to = connectLoci({ address: server.address, apiKey: server.apiKey });
      await moveTenant(from, to);
      await to.settled();
      expect(await tenantAnswers(to, filledScopes, filledOwners)).toEqual(answers);
      expect(await moveTenant(from, to)).toBe(0);
      await using back = await openLoci({ tenant: "local", dataDirectory: join(directory, "back") });
      await moveTenant(to, back);
      await back.settled();
      expect(await tenantAnswers(back, filledScopes, filledOwners)).toEqual(answers);
      expect(await moveTenant(to, back)).toBe(0);
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
