import { once } from "node:events";
import { createServer, connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { startNativePostgres, startStandby } from "./native-postgres.ts";

/**
 * A primary, a standby that has everything before a write is acknowledged, and one address in front of both, as a proxy or a virtual
 * IP address is.
 */
export interface PostgresPair {
  /** Of a superuser, by the address. */
  readonly connectionString: string;
  /** Runs a statement as a superuser. */
  readonly execute: (statement: string) => Promise<void>;
  /** Ends the primary at once. The address leads to the standby from then on, which only reads. */
  readonly losePrimary: () => Promise<void>;
  /** Makes the standby the primary. Resolves when it writes. */
  readonly promote: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts both for this process alone. Needs the native server. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const primary = await startNativePostgres();
  const standby = await startStandby(primary).catch(async (error: unknown) => {
    await primary.stop();
    throw error;
  });
  await execute(primary.connectionString, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await execute(primary.connectionString, "SELECT pg_reload_conf()");
  await until(primary.connectionString, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");

  const open = new Set<Socket>();
  let port = Number(new URL(primary.connectionString).port);
  const address = createServer((caller) => {
    const server = connect(port, "127.0.0.1");
    for (const socket of [caller, server]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket)).on("error", () => undefined);
    }
    caller.pipe(server).on("close", () => caller.destroy());
    server.pipe(caller).on("close", () => server.destroy());
  }).listen(0, "127.0.0.1");
  await once(address, "listening");
  const url = new URL(primary.connectionString);
  url.port = String((address.address() as { readonly port: number }).port);
  return {
    connectionString: url.href,
    execute: async (statement) => {
      await execute(url.href, statement);
    },
    losePrimary: async () => {
      port = Number(new URL(standby.connectionString).port);
      primary.kill();
      for (const socket of open) socket.destroy();
      await until(standby.connectionString, "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_stat_wal_receiver)");
    },
    promote: async () => {
      await execute(standby.connectionString, "SELECT pg_promote()");
      await until(standby.connectionString, "SELECT 1 WHERE NOT pg_is_in_recovery()");
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      address.close();
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
}

/** Waits until a query finds something. */
async function until(connectionString: string, query: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    if ((await execute(connectionString, query)) > 0) return;
    if (tries === 600) throw new Error(`This never came to be: ${query}`);
    await pause(50);
  }
}

/** @returns how many rows there are */
async function execute(connectionString: string, query: string): Promise<number> {
  const client = new Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(query)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
