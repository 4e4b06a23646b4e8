import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";
import { startPglite } from "./pglite-postgres.ts";
import type { PostgresKind } from "./running-postgres.ts";

/** An empty database for one test file or suite. */
export interface TestDatabase extends AsyncDisposable {
  /** Of a superuser. */
  readonly connectionString: string;
  readonly kind: PostgresKind;
  /** How many connections it takes: the `max` of a pool. */
  readonly maxConnections: number;
  /** Runs statements as a superuser, on a connection of their own. @returns the rows of the last one */
  readonly execute: (statements: string) => Promise<readonly Record<string, unknown>[]>;
  /** Removes it, with whoever is connected. */
  readonly drop: () => Promise<void>;
}

/** Why the native server is missing, so that what needs it is skipped: `undefined` when it is there. */
export function missingNativePostgres(): string | undefined {
  const postgres = inject("postgres");
  return "missing" in postgres ? postgres.missing : undefined;
}

/**
 * Makes a database in the native server of this run, or starts a PGlite when there is none or it is asked for. Only in
 * tests of a project that names this package in its `devDependencies`.
 *
 * @param kind by default `native` if it is installed, else `pglite`
 */
export async function openTestDatabase(kind?: PostgresKind): Promise<TestDatabase> {
  const postgres = inject("postgres");
  if (kind === "pglite" || (kind === undefined && "missing" in postgres)) {
    const { connectionString, stop } = await startPglite();
    return {
      connectionString,
      kind: "pglite",
      maxConnections: 1,
      execute: (statements) => execute(connectionString, statements),
      drop: stop,
      [Symbol.asyncDispose]: stop,
    };
  }
  if ("missing" in postgres) throw new Error(postgres.missing);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await execute(postgres.connectionString, `CREATE DATABASE ${name}`);
  const drop = async (): Promise<void> => {
    await execute(postgres.connectionString, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  const url = new URL(postgres.connectionString);
  url.pathname = name;
  return {
    connectionString: url.href,
    kind: "native",
    maxConnections: 100,
    execute: (statements) => execute(url.href, statements),
    drop,
    [Symbol.asyncDispose]: drop,
  };
}

async function execute(connectionString: string, statements: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    // Several statements have a result each, though the type does not say so.
    const results: unknown = await client.query<Record<string, unknown>>(statements);
    const last = (Array.isArray(results) ? results.at(-1) : results) as { rows: Record<string, unknown>[] };
    return last.rows;
  } finally {
    await client.end();
  }
}
