// A process with a server on a directory of many tenants. Tells its parent when it is ready, and what it is asked for.
import { readdirSync } from "node:fs";
import { type OpenedEngine, openEngine } from "@loci/loci";
import { collectStart, defaultConfiguration, startServer } from "@loci/server";
import { numberedEmbedder } from "../tenants/numbered-embedder.ts";
import { principalOf, questionFor, writeTenants } from "../tenants/small-tenants.ts";

/** What a process holds and has used. */
export interface ProcessState {
  /** Resident, in bytes. */
  readonly resident: number;
  readonly descriptors: number;
  /** Processor time of all its threads since it began, in milliseconds. */
  readonly processor: number;
  /** Since the process began, in milliseconds. */
  readonly elapsed: number;
}

/** What the server is asked for. */
export type TenantsCommand =
  | { readonly type: "state" }
  /** First recalls of tenants, one after the other. */
  | { readonly type: "recall"; readonly tenants: readonly number[] }
  /** What the schedule of maintenance does for every tenant that is due: expires memories. */
  | { readonly type: "sweep" }
  | { readonly type: "write"; readonly from: number; readonly end: number }
  | { readonly type: "close" };

/** How long each recall took and how many memories it found, in the order they were asked for. */
export interface RecallTimes {
  readonly milliseconds: readonly number[];
  readonly found: readonly number[];
}

const [dataDirectory] = process.argv.slice(2);
const beforeStart = processState();
let engine: OpenedEngine | undefined;
const server = await startServer(
  { ...defaultConfiguration, listen: { address: "127.0.0.1", port: 0 }, dataDirectory, logLevel: "warn" },
  {
    writeLog: (line) => process.stderr.write(`${line}\n`),
    openEngine: async (options) => (engine = await openEngine({ ...options, embedder: numberedEmbedder() })),
  },
);
// As `loci serve` does.
await collectStart();
process.on("message", (command: TenantsCommand) => {
  carryOut(command).then(
    (result) => (command.type === "close" ? process.disconnect() : process.send?.({ result })),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.({ result: { before: beforeStart, ready: processState() } });

async function carryOut(command: TenantsCommand): Promise<unknown> {
  switch (command.type) {
    case "state":
      return processState();
    case "recall":
      return recallEach(command.tenants);
    case "sweep":
      return sweep();
    case "write":
      return writeTenants(opened(), command.from, command.end, () => undefined);
    case "close":
      return server.close();
  }
}

async function recallEach(tenants: readonly number[]): Promise<RecallTimes> {
  const milliseconds: number[] = [];
  const found: number[] = [];
  for (const tenant of tenants) {
    const begun = performance.now();
    const { hits } = await opened()
      .for(principalOf(tenant))
      .recall({ query: questionFor(tenant), scopes: ["user:owner"] });
    milliseconds.push(performance.now() - begun);
    found.push(hits.length);
  }
  return { milliseconds, found };
}

async function sweep(): Promise<{ readonly tenants: number }> {
  const tenants = await opened().tenants();
  for (const tenant of tenants)
    await opened()
      .for({ ...principalOf(0), tenant })
      .maintenance.run({ type: "expire" });
  return { tenants: tenants.length };
}

function opened(): OpenedEngine {
  if (engine === undefined) throw new Error("The server has no engine.");
  return engine;
}

function processState(): ProcessState {
  const { user, system } = process.cpuUsage();
  return {
    resident: process.memoryUsage.rss(),
    descriptors: readdirSync("/proc/self/fd").length,
    processor: (user + system) / 1_000,
    elapsed: performance.now(),
  };
}
