import { missingPostgres } from "./installation.ts";
import { startNativePostgres } from "./native-postgres.ts";
import { startPglite } from "./pglite-postgres.ts";

/** `native`: a server like any other. `pglite`: one in WebAssembly, with one connection and without much of the rest. */
export type PostgresKind = "native" | "pglite";

export interface RunningPostgres {
  /** Of a superuser, to a database that is there. */
  readonly connectionString: string;
  readonly kind: PostgresKind;
  /** Ends it and removes what it stored. The end of this process does too. */
  readonly stop: () => Promise<void>;
}

export interface StartPostgresOptions {
  /** By default `native` if it is installed, else `pglite`. */
  readonly kind?: PostgresKind | undefined;
}

/**
 * Starts an empty PostgreSQL with pgvector (`CREATE EXTENSION vector` is left to the caller) for this process alone.
 *
 * @throws Error when the native one is not installed but asked for, or `CI` is `true`
 */
export async function startPostgres(options: StartPostgresOptions = {}): Promise<RunningPostgres> {
  const kind = options.kind ?? (missingPostgres() === undefined ? "native" : "pglite");
  return kind === "native" ? startNativePostgres() : startPglite();
}
