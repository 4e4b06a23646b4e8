import { missingPostgres } from "./installation.ts";
import { startNativePostgres } from "./native-postgres.ts";
import { startPglite } from "./pglite-postgres.ts";
import type { PostgresKind, RunningPostgres } from "./running-postgres.ts";

export interface StartPostgresOptions {
  /** By default `native` if it is installed, else `pglite`. */
  readonly kind?: PostgresKind | undefined;
  /** Settings of a native one by name, such as `{ max_connections: "20" }`; they win over those that tests have. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/**
 * Starts an empty PostgreSQL with pgvector (`CREATE EXTENSION vector` is left to the caller) for this process alone.
 *
 * @throws Error when the native one is not installed but asked for, or `CI` is `true`
 */
export async function startPostgres(options: StartPostgresOptions = {}): Promise<RunningPostgres> {
  const kind = options.kind ?? (missingPostgres() === undefined ? "native" : "pglite");
  return kind === "native" ? startNativePostgres(options.settings) : startPglite();
}
