import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { missingNativePostgres, openTestDatabase, type PostgresKind } from "../index.ts";

const missing = missingNativePostgres();

async function query(connectionString: string, statement: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe.for<PostgresKind>(["native", "pglite"])("%s", (kind) => {
  test.skipIf(kind === "native" && missing !== undefined)("is an empty PostgreSQL with pgvector", async () => {
    await using database = await openTestDatabase(kind);
    const { connectionString } = database;
    expect(database.kind).toBe(kind);
    await query(connectionString, "CREATE EXTENSION vector");
    expect(await query(connectionString, "SELECT '[1,2]'::vector <=> '[1,2]'::vector AS distance")).toEqual([
      { distance: 0 },
    ]);
    expect(await query(connectionString, "SELECT relname FROM pg_class WHERE relname = 'mine'")).toEqual([]);
    await query(connectionString, "CREATE TABLE mine (id int)");
  });
});

describe.skipIf(missing !== undefined)("the native server", () => {
  test("ends and leaves nothing when the process that started it is killed", async () => {
    const program = join(import.meta.dirname, "programs/hold-postgres.ts");
    const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const connectionString = line.toString().trim();
    const [row] = await query(connectionString, "SELECT current_setting('data_directory') AS folder");
    const folder = String((row as { folder: string }).folder);
    child.kill("SIGKILL");
    await expect.poll(() => existsSync(join(folder, ".."))).toBe(false);
    await expect(query(connectionString, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
  });

  test("does not run as root", async () => {
    await using database = await openTestDatabase("native");
    const [row] = await query(database.connectionString, "SELECT pg_backend_pid() AS process");
    // The backend is gone by now, its parent is not.
    expect(row).toBeDefined();
    const owners = execFileSync("ps", ["-eo", "user=,args="], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes("loci-postgres-") && line.includes("/bin/postgres"))
      .filter((line) => !line.includes("sh -c"));
    expect(owners.length).toBeGreaterThan(0);
    for (const owner of owners) expect(owner).not.toMatch(/^root /);
  });
});
