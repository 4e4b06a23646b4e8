import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiKey, printApiKey } from "@loci/server";
import { delegatedToken } from "@loci/client";
import { directorySize } from "../index-figures/directory-size.ts";
import { LoadDatabase } from "./load-database.ts";
import type { LoadConfiguration } from "./load-configurations.ts";
import { processorTime } from "./processor-time.ts";
import { ServerProcess } from "./server-process.ts";
import { loadedScope, type TenantAccess } from "./tenant-access.ts";

export interface LoadedServersOptions {
  readonly tenants: number;
  /** Of the database, by name. Default: durable, and else as for tests. */
  readonly databaseSettings?: Readonly<Record<string, string>> | undefined;
  /** Connections of each server to each of ledger and indexes. */
  readonly maxConnections?: number | undefined;
  /** Whether servers run from what `npm run build` has made. Default: from source. */
  readonly isBuilt?: boolean | undefined;
  /** What starts a server differently from the others, by its place. */
  readonly environmentOf?: ((place: number) => Readonly<Record<string, string>>) | undefined;
}

/** A tenant's way in, and what of it stands in the settings. */
interface Access {
  readonly name: string;
  readonly credential: string;
  readonly entry: string;
}

/** What the tokens of a load are valid for, in seconds: longer than any load. */
const tokenSeconds = 4 * 3_600;

/** Servers of one ledger with a key for each tenant, and the database behind them. Everything goes with its disposal. */
export class LoadedServers implements AsyncDisposable {
  readonly servers: readonly ServerProcess[];
  readonly tenants: readonly TenantAccess[];
  readonly database: LoadDatabase | undefined;
  /** Where statements are counted. */
  readonly counts: string;
  readonly #folder: string;

  private constructor(
    folder: string,
    parts: Pick<LoadedServers, "servers" | "database" | "counts"> & { readonly access: readonly Access[] },
  ) {
    this.#folder = folder;
    this.servers = parts.servers;
    this.database = parts.database;
    this.counts = parts.counts;
    this.tenants = parts.access.map(({ name, credential }, tenant) => ({
      tenant,
      name,
      credential,
      address: (this.servers[tenant % this.servers.length] as ServerProcess).address,
    }));
  }

  /** @throws Error what did not start */
  static async start(
    { servers: count, workers, ledger }: LoadConfiguration,
    { tenants, databaseSettings, maxConnections = 10, environmentOf = () => ({}), isBuilt }: LoadedServersOptions,
  ): Promise<LoadedServers> {
    const folder = mkdtempSync(join(tmpdir(), "loci-load-"));
    const counts = join(folder, "counts");
    mkdirSync(counts);
    const database = ledger === "postgres" ? await LoadDatabase.start(databaseSettings) : undefined;
    const access = Array.from({ length: tenants }, (_, tenant) => accessOf(tenant));
    const settings = [
      settingsOf(database === undefined ? "" : LoadDatabase.settings(maxConnections)),
      ...access.map(({ entry }) => entry),
    ].join("\n");
    const servers = Array.from(
      { length: count },
      (_, place) =>
        new ServerProcess({
          folder: join(folder, `server-${place}`),
          settings,
          environment: { ...database?.environment, ...environmentOf(place) },
          further: workers === undefined ? [] : ["--workers", String(workers)],
          countsIn: isBuilt === true ? undefined : counts,
          isBuilt,
        }),
    );
    try {
      // One after the other: the first one makes the tables.
      for (const server of servers) await server.start();
      return new LoadedServers(folder, { servers, database, counts, access });
    } catch (error) {
      await endAll(servers, database, folder);
      throw error;
    }
  }

  /** Processes of servers and of the database, whose children are theirs. */
  get processIds(): { readonly servers: readonly number[]; readonly database: readonly number[] } {
    return {
      servers: this.servers.map(({ processId }) => processId),
      database: this.database === undefined ? [] : [this.database.processId],
    };
  }

  /** Processor time so far, in milliseconds. A server that was started again begins at 0. */
  processorTime(): { readonly servers: number; readonly database: number } {
    const sum = (processes: readonly number[]): number =>
      processes.reduce((total, process) => total + processorTime(process), 0);
    return { servers: sum(this.processIds.servers), database: sum(this.processIds.database) };
  }

  /** What everything takes on the disk: the database, or the data directories of the servers. */
  async storedBytes(): Promise<number> {
    if (this.database === undefined) return directorySize(this.#folder);
    const [row] = await this.database.execute(
      "CHECKPOINT; SELECT pg_database_size(current_database())::float8 AS bytes",
    );
    return Number(row?.["bytes"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endAll(this.servers, this.database, this.#folder);
  }
}

async function endAll(
  servers: readonly ServerProcess[],
  database: LoadDatabase | undefined,
  folder: string,
): Promise<void> {
  // A stopped process takes no other signal.
  for (const server of servers) server.signal("SIGCONT");
  await Promise.all(servers.map((server) => server.end("SIGTERM")));
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A key of a tenant of its own. Every other tenant's program has a delegated token of it, as users of a backend have. */
function accessOf(tenant: number): Access {
  const rights = { roles: ["read", "write"], scopes: [loadedScope] } as const;
  const name = `load-${tenant}`;
  const { key, entry } = createApiKey({ id: name, tenant: name, ...rights });
  const credential =
    tenant % 2 === 0 ? key : delegatedToken({ apiKey: key, ...rights, expiresInSeconds: tokenSeconds });
  return { name, credential, entry: printApiKey(entry) };
}

/** Nothing may be refused for how often it is asked: what servers can take is looked for. */
function settingsOf(further: string): string {
  return `log_level = "warn"

[limits]
calls_per_second = 0
max_running_calls = 64
max_queued_calls = 512

${further}`;
}
