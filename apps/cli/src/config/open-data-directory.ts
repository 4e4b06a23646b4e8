import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectLocalOptions, ConnectOptions } from "@loci/client";
import { formatScope, LociError, parseScopes } from "@loci/domain";
import { isDirectoryLocked } from "@loci/ledger-sqlite/directory-lock";
import { findListeningServer, locateDataDirectory } from "@loci/served-directory";
import type { LocalLoci, Loci, ScopeText, ServerLocation } from "@loci/loci";
import { type Command, Option } from "commander";
import { addConnectionOptions, connectOptions, type ConnectionOptions, refuseTenant } from "./connection-options.ts";
import { blockSettings } from "./block-settings.ts";
import { captureModelOfVariables } from "./capture-model.ts";
import { detectionSettings } from "./detection-settings.ts";
import { encryptionSettings } from "./encryption-settings.ts";
import { chosenIndexes } from "./index-option.ts";
import { receiptSettings } from "./receipt-settings.ts";
import { printNote } from "../output/terminal.ts";

/** Whose data the command line works on in a directory that nobody serves, if it is not told otherwise. */
export const localTenant = "local";
/** So many of the others a note names. */
const mostNamed = 3;

/** Where the data is, and for whom. Every command on memories takes these. */
export interface DataOptions extends ConnectionOptions {
  /** The directory may be one shard of a divided one: the work is on its files. Default false. */
  readonly isShard?: boolean;
  readonly scope: readonly string[];
  readonly json?: boolean;
  /** Captures are made here: a capture model that cannot be used as its variables say is refused. Default false. */
  readonly captures?: boolean;
  /** Refuses to guess whose data it is where a directory holds that of several. Default false: a note says it. */
  readonly namesTenant?: boolean;
  /** The work is on every tenant, so that nobody asks whose data it is. Default false. */
  readonly isOfEveryTenant?: boolean;
}

/** Adds the options of the connection, `--scope` and `--json` to a command. */
export function addDataOptions(command: Command): Command {
  return addConnectionOptions(command).addOption(scopeOption()).option("--json", "print JSON for machines");
}

/** `--scope`, which `LOCI_SCOPES` gives the default of: scopes with commas between. */
export function scopeOption(): Option {
  const given = (process.env["LOCI_SCOPES"] ?? "").split(",").map((scope) => scope.trim());
  const scopes = given.filter((scope) => scope !== "");
  return new Option("--scope <scope...>", "session:ID, user:ID, agent:ID, team:ID, project:ID or global").default(
    scopes.length === 0 ? ["global"] : scopes,
  );
}

/** Where the work is done: in this process, or by a server, which has files of its own. */
export type DataPlace = "process" | "server";

interface OpenedData {
  readonly loci: Loci;
  readonly place: DataPlace;
}

/**
 * Opens the data, runs the action and closes it again, also when the action fails.
 *
 * @param access `read` fails on a missing directory (`DATA_DIRECTORY_MISSING`), `write` creates it
 */
export async function withLoci<Result>(
  options: DataOptions,
  access: "read" | "write",
  action: (loci: Loci, place: DataPlace) => Promise<Result>,
): Promise<Result> {
  const { loci: opened, place } = await openOrConnect(options, access);
  await using loci = opened;
  return await action(loci, place);
}

/**
 * How long a directory that is in use is waited for: another command is done by then, and a server that has just been
 * started says where it is.
 */
const patienceMilliseconds = 2_000;
const pollMilliseconds = 50;

/**
 * The server that was named; else the data directory, in process if it is free and through its server if it is served.
 * The lock decides, so whatever a dead server has left there does not matter.
 */
async function openOrConnect(options: DataOptions, access: "read" | "write"): Promise<OpenedData> {
  if (options.connect !== undefined) return connect(options, options.connect);
  const indexes = chosenIndexes(options.index);
  const serving = await findOwningServer(options.data);
  if (serving !== undefined) return connect(options, serving.address, serving);
  const { openLoci } = await import("@loci/loci");
  const end = Date.now() + patienceMilliseconds;
  for (;;) {
    try {
      const { data: dataDirectory } = options;
      const blocks = blockSettings();
      const detection = await detectionSettings();
      const encryption = await encryptionSettings();
      const receipts = await receiptSettings();
      const model = await captureModelOfVariables(options.captures ?? false);
      const loci = await openLoci({
        tenant: options.asTenant ?? localTenant,
        create: access === "write",
        isShard: options.isShard,
        dataDirectory,
        blocks,
        detection,
        encryption,
        receipts,
        reportProblem: noteProblem,
        ...model,
        ...indexes,
      });
      say(options, `opened ${locateDataDirectory(options.data)} in process`);
      try {
        if (options.asTenant === undefined && options.isOfEveryTenant !== true) await sayWhoseElse(loci, options);
        return { loci, place: "process" };
      } catch (error) {
        await loci.close();
        throw error;
      }
    } catch (error) {
      if (!LociError.is(error) || error.reason !== "DATA_DIRECTORY_LOCKED") throw error;
      const server = await findListeningServer(options.data);
      if (server !== undefined) return connect(options, server.address, server);
      if (Date.now() >= end) throw error;
    }
    await sleep(pollMilliseconds);
  }
}

/** Of what goes wrong beside the command, and is mended or tried again: not as a warning of Node, which comes with Node's own advice. */
function noteProblem(error: unknown, activity: string): void {
  printNote(`loci: ${activity} failed, and is tried again: ${error instanceof Error ? error.message : String(error)}`);
}

/**
 * The server that has the directory open. Asked for before the engine is loaded, which takes longer than such a call. A note
 * that was left is believed only while somebody owns the directory: it names a place that somebody else may have got since.
 */
export async function findOwningServer(dataDirectory: string | undefined): Promise<ServerLocation | undefined> {
  const server = await findListeningServer(dataDirectory);
  return server !== undefined && isDirectoryLocked(locateDataDirectory(dataDirectory)) ? server : undefined;
}

/** A directory that was served holds the tenants of its keys, and what is found of `local` says nothing of them. */
async function sayWhoseElse(loci: LocalLoci, { data, namesTenant = false }: DataOptions): Promise<void> {
  const tenants = await loci.tenants({ limit: mostNamed + 2 });
  const others = tenants.filter((tenant) => tenant !== localTenant);
  if (others.length === 0) return;
  const directory = locateDataDirectory(data);
  const named = `${others.slice(0, mostNamed).join(", ")}${others.length > mostNamed ? " and others" : ""}`;
  if (namesTenant)
    throw new LociError("INVALID_REQUEST", {
      message: `${directory} holds data of several tenants, such as ${named}, and nobody said whose is meant.`,
      field: "--as-tenant",
      advice: `Name it: --as-tenant ${others[0]}, or --as-tenant ${localTenant} for what commands have stored here themselves.`,
    });
  printNote(
    `loci: ${directory} holds data of ${named}. This is about the tenant ${localTenant}: --as-tenant names another.`,
  );
}

async function connect(options: DataOptions, address: string, found?: ServerLocation): Promise<OpenedData> {
  refuseTenant(options, `a server at ${address} has this directory open`);
  // gRPC takes longer to load than most commands take to run.
  const { connectLoci, connectLocalLoci } = await import("@loci/client");
  const given = connectOptions(options, address, found);
  const loci = found === undefined ? connectLoci(given) : connectLocalLoci(ofDirectory(options, given, found));
  say(options, `using the server at ${address}`);
  return { loci, place: "server" };
}

/** A server that is started again may have another key and another port: whoever knows the directory finds both. */
function ofDirectory(
  { data: dataDirectory }: DataOptions,
  { apiKey, tls, timeoutMilliseconds }: ConnectOptions,
  found: ServerLocation,
): ConnectLocalOptions {
  return { dataDirectory, apiKey: apiKey === found.apiKey ? undefined : apiKey, tls, timeoutMilliseconds };
}

/** What `--verbose` asks for. */
export function say({ verbose = false }: ConnectionOptions, text: string): void {
  if (verbose) printNote(`loci: ${text}`);
}

/** The one scope a write goes to. */
export function writeScope(options: DataOptions): ScopeText {
  const [first] = parseScopes(options.scope, "--scope");
  return formatScope(first);
}

/** The scopes a read may look at. */
export function readScopes(options: DataOptions): readonly ScopeText[] {
  return parseScopes(options.scope, "--scope").map((scope) => formatScope(scope));
}
