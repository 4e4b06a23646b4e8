/** `native`: a server like any other. `pglite`: one in WebAssembly, with one connection and without much of the rest. */
export type PostgresKind = "native" | "pglite";

/** `stop`: connections are cut and everything is written out. `crash`: all ends at once, and the next start recovers. */
export type PostgresEnd = "stop" | "crash";

export interface RunningPostgres {
  /** Of a superuser, to a database that is there. */
  readonly connectionString: string;
  readonly kind: PostgresKind;
  /** Ends it and starts it again on what it has stored. Resolves when it takes connections. Only of a native one. */
  readonly restart?: (how: PostgresEnd) => Promise<void>;
  /** Ends it and removes what it stored. The end of this process does too. */
  readonly stop: () => Promise<void>;
}
