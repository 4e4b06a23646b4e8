import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { installedPostgres } from "./installation.ts";
import type { PostgresEnd, RunningPostgres } from "./running-postgres.ts";

/** PostgreSQL refuses to run as root. On Debian, Fedora, Alpine and macOS alike there is somebody who owns nothing. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/**
 * Runs the server until the standard input closes, which the end of this process does too, however it ends. Then removes
 * what the server has stored. A line on the input is a signal that ends the server, which is then started again.
 */
const runUntilInputCloses = `folder=$1; shift; "$@" </dev/null & server=$!
while read -r signal; do kill -"$signal" $server; wait $server; "$@" </dev/null & server=$!; done
kill -INT $server; wait $server; rm -rf "$folder"`;

/** A folder that a server may use, with the programs that it is made of. */
interface PreparedFolder {
  readonly folder: string;
  readonly binaries: string;
  readonly password: string;
  readonly passwordFile: string;
}

function prepareFolder(password: string): PreparedFolder {
  const folder = mkdtempSync(join(tmpdir(), "loci-postgres-"));
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (nobody !== undefined) for (const path of [folder, passwordFile]) chownSync(path, nobody.uid, nobody.gid);
  return { folder, binaries: join(readableInstallation(folder), "bin"), password, passwordFile };
}

/** Nothing here outlives the tests, so that no write has to wait for the disk. */
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "64MB",
  fsync: "off",
  full_page_writes: "off",
  autovacuum_naptime: "5s",
  jit: "off",
};

/**
 * Starts a PostgreSQL of its own with an empty database in about a second, most of which `initdb` takes. It listens on a
 * free port of 127.0.0.1 and wants a password that is made up for it.
 *
 * @param further settings of the server by name; they win over those that tests have
 */
export async function startNativePostgres(
  further: Readonly<Record<string, string>> = {},
): Promise<StartedNativePostgres> {
  const prepared = prepareFolder(randomBytes(16).toString("hex"));
  const { folder, binaries, passwordFile } = prepared;
  const data = join(folder, "data");
  const initialize = ["-D", data, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "--no-sync"];
  run(join(binaries, "initdb"), [...initialize, "--locale=C.UTF-8", "--encoding=UTF8"]);
  return serve(prepared, data, further);
}

/** Starts a server that follows another one, from a copy of all that has. It only reads until it is promoted. */
export async function startStandby({ connectionString }: RunningPostgres): Promise<StartedNativePostgres> {
  const prepared = prepareFolder(new URL(connectionString).password);
  const data = join(prepared.folder, "data");
  const copy = ["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"];
  run(join(prepared.binaries, "pg_basebackup"), ["-D", data, "-d", connectionString, ...copy]);
  return serve(prepared, data, {});
}

/** A native server, and how to end it as a machine that breaks down would. */
export interface StartedNativePostgres extends RunningPostgres {
  readonly kind: "native";
  readonly restart: (how: PostgresEnd) => Promise<void>;
  /** Ends it at once, and does not start it again. */
  readonly kill: () => void;
}

async function serve(
  { folder, binaries, password }: PreparedFolder,
  data: string,
  further: Readonly<Record<string, string>>,
): Promise<StartedNativePostgres> {
  const port = await freePort();
  const command = [join(binaries, "postgres"), "-D", data, "-p", String(port)];
  for (const [name, value] of Object.entries({ ...settings, ...further })) command.push("-c", `${name}=${value}`);
  const server = spawn("sh", ["-c", runUntilInputCloses, "sh", folder, ...command], {
    ...nobody,
    stdio: ["pipe", "ignore", "pipe"],
    // A Ctrl+C is for the tests: they end, and then the input closes.
    detached: true,
  });
  let said = "";
  server.stderr.on("data", (text: Buffer) => {
    said = (said + text.toString()).slice(-2000);
  });
  const connectionString = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  try {
    await answers(connectionString, server);
  } catch (error) {
    await stop(server);
    throw new Error(`PostgreSQL did not start: ${said.trim()}`, { cause: error });
  }
  const restart = async (how: PostgresEnd): Promise<void> => {
    const before = await startTimeOf(connectionString);
    server.stdin.write(`${how === "crash" ? "QUIT" : "INT"}\n`);
    await answers(connectionString, server, before);
  };
  const kill = (): void => {
    const [number] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    process.kill(Number(number), "SIGQUIT");
  };
  return { connectionString, kind: "native", restart, kill, stop: () => stop(server) };
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "exit");
  server.stdin?.end();
  await ended;
}

/** The installation, or a copy of it when it lies in a folder that only root may read. */
function readableInstallation(folder: string): string {
  const installed = installedPostgres();
  if (installed === undefined) throw new Error("No PostgreSQL is installed in tools/postgres.");
  try {
    run(join(installed, "bin/postgres"), ["--version"]);
    return installed;
  } catch {
    const copy = join(folder, "installation");
    cpSync(installed, copy, { recursive: true });
    return copy;
  }
}

function run(program: string, command: readonly string[]): void {
  // Not in the folder of the caller, which somebody else may not read.
  execFileSync(program, command, { ...nobody, cwd: tmpdir(), stdio: ["ignore", "ignore", "pipe"] });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return address.port;
}

/** When the server was started, by its own clock. */
async function startTimeOf(connectionString: string): Promise<string> {
  const client = new Client({ connectionString });
  // Without a listener a connection that ends would end this process.
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ started: string }>("SELECT pg_postmaster_start_time()::text AS started");
  await client.end();
  return rows[0]?.started ?? "";
}

/** Waits until it takes connections. @param before the start time of the server that ends, which is not waited for */
async function answers(connectionString: string, server: ChildProcess, before?: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      if ((await startTimeOf(connectionString)) === before)
        throw new Error("the server that was told to end still runs");
      return;
    } catch (error) {
      if (tries === 300 || server.exitCode !== null) throw error;
      await pause(50);
    }
  }
}
