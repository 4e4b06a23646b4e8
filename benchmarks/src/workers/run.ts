// `npm run bench:workers`: recalls over gRPC from a server of one process and from one of two workers, in turns, on the same
// memories. -- --rounds N --seconds N --memories N --warm N --json
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connectLoci } from "@loci/client";
import { type Loci, rendezvousOrder } from "@loci/loci";
import { createApiKey, type NewApiKey, printApiKey } from "@loci/server";
import { prose } from "../data/prose.ts";
import { processTree } from "../load/processor-time.ts";
import { ServerProcess } from "../load/server-process.ts";
import { alignColumns } from "../report/align-columns.ts";
import { processTimes, type ProcessTimes } from "./process-times.ts";
import { possibleRates, type WorkerFigures } from "./worker-figures.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "4" },
    seconds: { type: "string", default: "5" },
    memories: { type: "string", default: "500" },
    warm: { type: "string", default: "2000" },
    json: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const memories = Number(values.memories);
const warmRecalls = Number(values.warm);
const callersPerTenant = 4;
const scope = "user:load";
/** Two for each of two workers. */
const keys: readonly NewApiKey[] = [0, 0, 1, 1].map((worker, number) =>
  createApiKey({ id: `key-${number}`, tenant: tenantOf(worker, number), roles: ["read", "write"], scopes: ["*"] }),
);

interface Measured {
  readonly workers: number;
  readonly server: ServerProcess;
  readonly clients: readonly Loci[];
  recalls: number;
  seconds: number;
  front: number;
  serving: number;
  main: number;
  callers: number;
}

const folder = mkdtempSync(join(tmpdir(), "loci-bench-workers-"));
const measured: Measured[] = [];
try {
  for (const workers of [1, 2]) measured.push(await start(workers));
  // Until V8 has compiled what recalls run through, in each of the processes.
  for (const one of measured) while (one.recalls < warmRecalls) await recallFor(one, 1);
  for (const one of measured) Object.assign(one, { recalls: 0, seconds: 0, front: 0, serving: 0, main: 0, callers: 0 });
  for (let round = 0; round < rounds; round++) for (const one of measured) await recallFor(one, seconds);
  print(measured.map(figuresOf));
} finally {
  for (const { clients, server } of measured) {
    for (const client of clients) await client.close();
    await server.end("SIGTERM");
  }
  rmSync(folder, { recursive: true, force: true });
}

async function start(workers: number): Promise<Measured> {
  const server = new ServerProcess({
    folder: join(folder, String(workers)),
    settings: `log_level = "warn"\n[limits]\ncalls_per_second = 0\n${keys.map(({ entry }) => printApiKey(entry)).join("\n")}`,
    environment: {},
    further: ["--workers", String(workers)],
  });
  await server.start();
  const clients = keys.map(({ key }) => connectLoci({ address: server.address, apiKey: key }));
  for (const [tenant, client] of clients.entries()) {
    for (let at = 0; at < memories; at += 100) {
      const texts = Array.from({ length: Math.min(100, memories - at) }, (_, number) =>
        prose(tenant * memories + at + number + 1, 3),
      );
      await client.memories.rememberMany(texts.map((text) => ({ text, scope })));
    }
    await client.settled();
  }
  return { workers, server, clients, recalls: 0, seconds: 0, front: 0, serving: 0, main: 0, callers: 0 };
}

/** Asks as fast as it is answered, and adds what that took. */
async function recallFor(one: Measured, duration: number): Promise<void> {
  const processes = processTree(one.server.processId);
  const before = processes.map((processId) => [processId, processTimes(processId)] as const);
  const callersBefore = process.cpuUsage();
  const start = performance.now();
  const end = start + duration * 1_000;
  const call = async (loci: Loci, caller: number): Promise<void> => {
    for (let asked = caller; performance.now() < end; asked += callersPerTenant) {
      await loci.recall({ query: prose(asked + 1, 1), scopes: [scope], limit: 10 });
      one.recalls += 1;
    }
  };
  await Promise.all(
    one.clients.flatMap((loci) => Array.from({ length: callersPerTenant }, (_, caller) => call(loci, caller))),
  );
  one.seconds += (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(callersBefore);
  one.callers += (user + system) / 1_000;
  const taken = before.map(([processId, earlier]) => difference(processTimes(processId), earlier));
  const [first, ...others] = taken as [ProcessTimes, ...ProcessTimes[]];
  const serving = one.workers === 1 ? [first] : others;
  one.front += one.workers === 1 ? 0 : first.whole;
  for (const { whole, main } of serving) {
    one.serving += whole;
    one.main += main;
  }
}

function difference(after: ProcessTimes, before: ProcessTimes): ProcessTimes {
  return { whole: after.whole - before.whole, main: after.main - before.main };
}

function figuresOf({ workers, recalls, seconds: taken, front, serving, main, callers }: Measured): WorkerFigures {
  const each = (milliseconds: number): number => milliseconds / recalls;
  return {
    workers,
    recalls,
    seconds: taken,
    front: each(front),
    serving: each(serving),
    main: each(main),
    callers: each(callers),
  };
}

function print(figures: readonly WorkerFigures[]): void {
  const [one, two] = figures as [WorkerFigures, WorkerFigures];
  const [rates, doubled] = [possibleRates(one), possibleRates(two)];
  const ratios = {
    onTwoCores: doubled.onTwoCores / rates.onTwoCores,
    withCoresToSpare: doubled.withCoresToSpare / rates.withCoresToSpare,
  };
  if (values.json) {
    console.log(JSON.stringify({ figures, rates: [rates, doubled], ratios }, undefined, 2));
    return;
  }
  const milliseconds = (value: number): string => value.toFixed(2);
  const rows = figures.map((figure) => [
    String(figure.workers),
    String(figure.recalls),
    (figure.recalls / figure.seconds).toFixed(0),
    milliseconds(figure.front),
    milliseconds(figure.serving),
    milliseconds(figure.main),
    milliseconds(figure.callers),
    possibleRates(figure).onTwoCores.toFixed(0),
    possibleRates(figure).withCoresToSpare.toFixed(0),
  ]);
  const header = ["workers", "recalls", "a second here", "front", "serving", "main threads", "callers"];
  const possible = ["on 2 cores", "with cores to spare"];
  for (const line of alignColumns([[...header, ...possible], ...rows])) console.log(line);
  console.log(`
Front, serving, of that main threads, and callers: ms of processor time a recall. The last two columns: recalls a second without callers.
Two workers to one: ${ratios.onTwoCores.toFixed(2)} times on two cores, ${ratios.withCoresToSpare.toFixed(2)} times with cores to spare.`);
}

function tenantOf(worker: number, from: number): string {
  for (let number = from * 1_000; ; number++)
    if (rendezvousOrder(`tenant-${number}`, 2)[0] === worker) return `tenant-${number}`;
}
