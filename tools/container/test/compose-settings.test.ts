import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectLoci } from "@loci/client";
import { configurationOf, loadSettings, type RunningServer, startServer } from "@loci/server";
import { missingNativePostgres, openTestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const hasAcl = spawnSync("setfacl", ["--version"]).status === 0;
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

// What prepare.sh makes, as somebody would run it.
let folder: string;
let secrets: string;
let told: string;
beforeAll(() => {
  if (!hasOpenssl) return;
  folder = mkdtempSync(join(tmpdir(), "loci-compose-"));
  mkdirSync(join(folder, "compose"));
  cpSync(join(root, "deploy/loci.toml"), join(folder, "loci.toml"));
  cpSync(join(root, "deploy/compose/prepare.sh"), join(folder, "compose/prepare.sh"));
  const loci = `${process.execPath} ${join(root, "apps/cli/bin/loci.js")}`;
  const environment = { ...process.env, LOCI: loci };
  const { status, stderr } = spawnSync("sh", [join(folder, "compose/prepare.sh")], {
    env: environment,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  told = stderr;
  secrets = join(folder, "compose/secrets");
});
afterAll(() => hasOpenssl && rmSync(folder, { recursive: true, force: true }));

const secret = (name: string): string => readFileSync(join(secrets, name), "utf8");

/** The server of the compose file, on this machine. */
function serve(environment: Readonly<Record<string, string>>): Promise<RunningServer> {
  const settings = loadSettings({
    file: join(secrets, "loci.toml"),
    environment: {
      LOCI_DATA_DIR: mkdtempSync(join(folder, "data-")),
      LOCI_LISTEN_ADDRESS: "127.0.0.1",
      LOCI_LISTEN_PORT: "0",
      LOCI_TELEMETRY_PROMETHEUS_PORT: "0",
      LOCI_TLS_CERTIFICATE_FILE: join(secrets, "tls/tls.crt"),
      LOCI_TLS_PRIVATE_KEY_FILE: join(secrets, "tls/tls.key"),
      ...environment,
    },
  });
  return startServer(configurationOf(settings), { writeLog: () => undefined });
}

/** Remembers and recalls with the first key, over TLS that is checked. */
async function tryFirstKey(server: RunningServer): Promise<readonly string[]> {
  const { key } = JSON.parse(secret("first-key.json")) as { key: string };
  const address = `localhost:${server.port}`;
  await using loci = connectLoci({ address, apiKey: key, tls: { ca: readFileSync(join(secrets, "authority.crt")) } });
  await loci.memories.remember({ text: "The door is blue.", scope: "user:alice" });
  await loci.settled();
  const { hits } = await loci.recall({ query: "Which colour has the door?", scopes: ["user:alice"] });
  return hits.map(({ memory }) => memory.text);
}

test.skipIf(!hasOpenssl)(
  "prepare.sh makes settings, a certificate and a key that work together, and lets nobody in",
  async () => {
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
    const readable = readdirSync(secrets, { recursive: true, encoding: "utf8" }).filter(
      (name) => (statSync(join(secrets, name)).mode & 0o007) !== 0,
    );
    // Nobody but root can give files to the containers' users without setfacl: then it says which are open to all.
    const isGiven = process.getuid?.() === 0 || hasAcl;
    expect(readable).toEqual(isGiven ? [] : readable.filter((name) => told.includes(name)));
    expect(secret("loci.toml")).not.toContain("0".repeat(64));
    const server = await serve({});
    expect(await tryFirstKey(server)).toEqual(["The door is blue."]);
    await server.close(0);
  },
);

test.skipIf(!hasOpenssl)("prepare.sh does not overwrite what it has made", () => {
  const before = secret("first-key.json");
  expect(spawnSync("sh", [join(folder, "compose/prepare.sh")]).status).not.toBe(0);
  expect(secret("first-key.json")).toBe(before);
});

test.skipIf(!hasOpenssl || missingNativePostgres() !== undefined)(
  "the roles it makes are all that the ledger in PostgreSQL needs",
  async () => {
    await using database = await openTestDatabase("native");
    // Roles are of the whole server, which other tests share.
    const name = `compose_${process.pid}`;
    const own = (text: string): string => text.replaceAll(/loci_(owner|service)/g, `${name}_$1`);
    await database.execute(own(secret("roles.sql")));
    const { host, pathname } = new URL(database.connectionString);
    const urlOf = (file: string): string => own(secret(file)).replace("@database/loci", `@${host}${pathname}`);
    process.env["LOCI_TEST_DATABASE"] = urlOf("database_url");
    process.env["LOCI_TEST_DATABASE_OWNER"] = urlOf("database_owner_url");
    const server = await serve({
      LOCI_LEDGER_CONNECTION_STRING_VARIABLE: "LOCI_TEST_DATABASE",
      LOCI_LEDGER_OWNER_CONNECTION_STRING_VARIABLE: "LOCI_TEST_DATABASE_OWNER",
    });
    expect(await tryFirstKey(server)).toEqual(["The door is blue."]);
    await server.close(0);
    await database.execute(
      `DROP OWNED BY ${name}_owner, ${name}_service CASCADE; DROP ROLE ${name}_owner, ${name}_service`,
    );
  },
);
