import { defaultIndex, type IndexChoice, indexKinds, LociError } from "@loci/loci";
import type { ServerConfiguration } from "@loci/server";

/** The indexes of one run of the demo. */
export interface DemoIndex extends AsyncDisposable {
  /** For `openLoci`. */
  readonly choice: IndexChoice;
  /** Whether commands on the directory find them without being told where. */
  readonly isInDirectory: boolean;
  /** The same for a server. */
  readonly configuration: ServerConfiguration["index"];
}

/** Of the environment: where PostgreSQL with pgvector is, so that the demo does not start one. */
const variable = "LOCI_DEMO_POSTGRES";

/**
 * Reads `--store`. `pgvector` takes the database that `LOCI_DEMO_POSTGRES` names, else starts one of its own, which ends
 * with the demo.
 *
 * @throws LociError `INVALID_REQUEST` for a store that is unknown
 */
export async function demoIndex(store: string | undefined): Promise<DemoIndex> {
  // Said aloud, as an earlier run may have left the indexes in a database that ended with it.
  const name = store ?? defaultIndex;
  const start = started.get(name);
  if (start !== undefined) return start();
  const kind = indexKinds.find((known) => known === name);
  if (kind === undefined)
    throw new LociError("INVALID_REQUEST", {
      message: `--store is ${store}.`,
      advice: `Use one of ${[...indexKinds, ...started.keys()].join(", ")}.`,
    });
  return { choice: kind, isInDirectory: true, configuration: { use: kind }, [Symbol.asyncDispose]: async () => {} };
}

/** Those outside of the data directory that the demo can start a server for. */
const started: ReadonlyMap<string, () => Promise<DemoIndex>> = new Map([["pgvector", pgvectorIndex]]);

async function pgvectorIndex(): Promise<DemoIndex> {
  const given = process.env[variable];
  // Loaded here alone: the other stores need nothing of it.
  const own = given === undefined ? await (await import("@loci/test-postgres")).startPostgres() : undefined;
  const connectionString = (process.env[variable] ??= own?.connectionString ?? "");
  if (own !== undefined) console.log(`Indexes in a PostgreSQL of the demo's own (${own.kind}).`);
  // PGlite takes one connection.
  const options = own?.kind === "pglite" ? { maxConnections: 1 } : {};
  return {
    choice: { kind: "pgvector", connectionString, ...options },
    isInDirectory: false,
    configuration: { use: "pgvector", pgvector: { connectionString: { variable }, ...options } },
    [Symbol.asyncDispose]: async () => own?.stop(),
  };
}
