import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { missingPostgres } from "@loci/test-postgres";

/** What is put under load. */
export interface LoadConfiguration {
  readonly name: string;
  readonly description: string;
  readonly servers: number;
  /** Processes of each server that work. Absent: the server is one process. */
  readonly workers?: number | undefined;
  readonly ledger: "sqlite" | "postgres";
}

export const loadConfigurations: readonly LoadConfiguration[] = [
  { name: "sqlite", description: "SQLite and embedded indexes, one server", servers: 1, ledger: "sqlite" },
  {
    name: "sqlite-workers-2",
    description: "SQLite and embedded indexes, one server of two workers",
    servers: 1,
    workers: 2,
    ledger: "sqlite",
  },
  { name: "postgres", description: "PostgreSQL with pgvector, one server", servers: 1, ledger: "postgres" },
  {
    name: "postgres-2",
    description: "PostgreSQL with pgvector, two servers of one ledger",
    servers: 2,
    ledger: "postgres",
  },
  {
    name: "postgres-workers-2",
    description: "PostgreSQL with pgvector, one server of two workers",
    servers: 1,
    workers: 2,
    ledger: "postgres",
  },
];

/** Why a configuration cannot be run here: `undefined` when it can. */
export function missingFor({ workers, ledger }: LoadConfiguration): string | undefined {
  if (workers !== undefined && !hasWorkers()) return "loci serve has no --workers";
  return ledger === "postgres" ? missingPostgres() : undefined;
}

let workersKnown: boolean | undefined;

/** By its own help, which lists every option. */
function hasWorkers(): boolean {
  const command = fileURLToPath(new URL("../../../apps/cli/bin/loci.js", import.meta.url));
  workersKnown ??= spawnSync(process.execPath, [command, "serve", "--help"], { encoding: "utf8" }).stdout.includes(
    "--workers",
  );
  return workersKnown;
}
