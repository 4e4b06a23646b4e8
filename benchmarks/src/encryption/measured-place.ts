import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EncryptionKeys, type Loci, openLoci } from "@loci/loci";
import { startPostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { ServerUsage } from "../stores/server-usage.ts";

/** One is encrypted and one is not. */
export type Name = "plain" | "encrypted";

/** Where two stores lie that are measured by turns. */
export interface MeasuredPlace extends AsyncDisposable {
  open(name: Name, encryption: EncryptionKeys | undefined): Promise<Loci>;
  /** Milliseconds of processor time so far, of this process and of the server's. */
  cpu(): number;
  /** Of a store that is closed. */
  bytes(name: Name): Promise<number>;
}

const shared = { tenant: "benchmark", gitMirrors: false } as const;

/** Two directories. */
export async function directories(): Promise<MeasuredPlace> {
  const folder = await mkdtemp(join(tmpdir(), "loci-benchmark-"));
  return {
    open: (name, encryption) => openLoci({ ...shared, dataDirectory: join(folder, name), encryption }),
    cpu: ownCpu,
    bytes: async (name) => statSync(join(folder, name, "ledger.sqlite")).size,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** Two databases of one server, with their indexes. */
export async function databases(): Promise<MeasuredPlace> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "loci-benchmark-"));
  opened.defer(() => rm(folder, { recursive: true }));
  const server = await startPostgres({ kind: "native" });
  opened.defer(() => server.stop());
  const watcher = new Client({ connectionString: server.connectionString });
  await watcher.connect();
  opened.defer(() => watcher.end());
  await watcher.query("CREATE ROLE ordinary LOGIN PASSWORD 'ordinary'");
  const addresses = Object.fromEntries(
    await Promise.all(
      ["plain", "encrypted"].map(async (name) => [name, await newDatabase(watcher, server.connectionString, name)]),
    ),
  ) as Record<Name, { owner: string; ordinary: string }>;
  const { rows } = await watcher.query<{ process: number }>("SELECT pg_backend_pid() AS process");
  const usage = ServerUsage.of(rows[0]?.process ?? 0);
  const rest = opened.move();
  return {
    open: (name, encryption) => {
      const { owner, ordinary: connectionString } = addresses[name];
      return openLoci({
        ...shared,
        dataDirectory: join(folder, name),
        ledger: { kind: "postgres", connectionString, ownerConnectionString: owner },
        index: { kind: "pgvector", connectionString },
        encryption,
      });
    },
    cpu: () => ownCpu() + (usage?.cpuMilliseconds() ?? 0),
    bytes: async (name) => {
      const { rows: sizes } = await watcher.query<{ bytes: string }>("SELECT pg_database_size($1) AS bytes", [name]);
      return Number(sizes[0]?.bytes);
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

async function newDatabase(
  watcher: Client,
  connectionString: string,
  name: string,
): Promise<{ readonly owner: string; readonly ordinary: string }> {
  await watcher.query(`CREATE DATABASE ${name}`);
  await watcher.query(`GRANT CREATE ON DATABASE ${name} TO ordinary`);
  const address = new URL(connectionString);
  address.pathname = name;
  const owner = address.href;
  const client = new Client({ connectionString: owner });
  await client.connect();
  await client.query("CREATE EXTENSION vector");
  await client.end();
  address.username = address.password = "ordinary";
  return { owner, ordinary: address.href };
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
