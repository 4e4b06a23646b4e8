/** `native`: a server like any other. `pglite`: one in WebAssembly, with one connection and without much of the rest. */
export type PostgresKind = "native" | "pglite";

export interface RunningPostgres {
  /** Of a superuser, to a database that is there. */
  readonly connectionString: string;
  readonly kind: PostgresKind;
  /** Ends it and removes what it stored. The end of this process does too. */
  readonly stop: () => Promise<void>;
}
