// A server of two workers is killed while a large tenant is moved: how long until it serves again, and until nothing is left over?
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connectLoci, type Loci } from "@loci/client";
import { findServer, readDivision, tenantShards } from "@loci/loci";
import { askOperator, type MovePhase } from "@loci/server";
import { prose } from "../data/prose.ts";
import { type LoadConfiguration, loadConfigurations } from "../load/load-configurations.ts";
import { LoadedServers } from "../load/loaded-servers.ts";
import { processorTime } from "../load/processor-time.ts";
import type { ServerProcess } from "../load/server-process.ts";
import { loadedScope, type TenantAccess } from "../load/tenant-access.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    memories: { type: "string", default: "50000" },
    moves: { type: "string", default: "1" },
    built: { type: "boolean", default: false },
  },
});
const memories = Number(values.memories);
const configuration = loadConfigurations.find(({ name }) => name === "sqlite-workers-2") as LoadConfiguration;

/** How a server came back. Seconds by the clock, and of processor time of all its processes. */
interface Return {
  readonly after: string;
  readonly ready: number;
  readonly processor: number;
  readonly firstAnswer: number;
  readonly leftovers: number;
  readonly tidy: number;
}

const returns: Return[] = [];
await using servers = await LoadedServers.start(configuration, { tenants: 1, isBuilt: values.built });
const [server] = servers.servers as [ServerProcess];
const [tenant] = servers.tenants as [TenantAccess];
const open = (): Loci =>
  connectLoci({ address: server.address, apiKey: tenant.credential, timeoutMilliseconds: 60_000 });

{
  await using loci = open();
  for (let start = 0; start < memories; start += 500)
    await loci.memories.rememberMany(
      Array.from({ length: Math.min(500, memories - start) }, (_, index) => ({
        text: `${prose(start + index, 2)} As number ${start + index}.`,
        scope: loadedScope,
      })),
    );
  await loci.settled();
}
console.error(`${memories} memories are there`);

await measure("a stop", () => server.end("SIGTERM"));
await measure("a kill at rest", () => server.end("SIGKILL"));
// Nearly all is copied and indexed where it goes; and all of it is still where it was.
for (const phase of ["bring over", "remove"] as const) await measure(`a kill at: ${phase}`, () => killAt(phase));
/** Moves that nothing interrupts, to and fro. */
const moves: { readonly seconds: number; readonly processor: number }[] = [];
for (let count = 0; count < Number(values.moves); count++) {
  const [began, before] = [performance.now(), processorTime(server.processId)];
  await move(() => undefined);
  const seconds = Math.round(performance.now() - began) / 1_000;
  moves.push({ seconds, processor: Math.round(processorTime(server.processId) - before) / 1_000 });
}
if (values.json) console.log(JSON.stringify({ memories, returns, moves }));
else {
  console.table(returns);
  console.table(moves);
}

async function measure(after: string, end: () => Promise<void>): Promise<void> {
  await end();
  const leftovers = leftoversNow();
  const began = performance.now();
  const seconds = (): number => Math.round(performance.now() - began) / 1_000;
  await server.start();
  const [ready, processor] = [seconds(), Math.round(processorTime(server.processId)) / 1_000];
  await using loci = open();
  await loci.recall({ query: prose(7, 1), scopes: [loadedScope] });
  const firstAnswer = seconds();
  while (leftoversNow() > 0) await pause(20);
  returns.push({ after, ready, processor, firstAnswer, leftovers, tidy: seconds() });
  console.error(JSON.stringify(returns.at(-1)));
}

async function killAt(phase: MovePhase): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const moving = move((told) => told === phase && reached.resolve()).catch(() => undefined);
  await Promise.race([reached.promise, moving]);
  await server.end("SIGKILL");
  await moving;
}

async function move(onPhase: (phase: MovePhase) => void): Promise<void> {
  const { dataDirectory } = server;
  const division = readDivision(dataDirectory);
  const { operatorSocket } = findServer(dataDirectory) ?? {};
  if (division === undefined || operatorSocket === undefined) throw new Error("Nobody serves a divided directory.");
  const to = 1 - tenantShards(division)(tenant.name);
  await askOperator(
    operatorSocket,
    { type: "move", tenant: tenant.name, to },
    { onProgress: ({ phase }) => onPhase(phase) },
  );
}

function leftoversNow(): number {
  return readDivision(server.dataDirectory)?.leftovers.length ?? 0;
}
