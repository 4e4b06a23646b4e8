// Divides a directory of many small tenants: what it takes, and what it takes to go on after it was killed half way.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openEngine, readDivision, shardDirectory, tenantsInFile } from "@loci/loci";
import type { DivideProgress } from "../programs/divide-directory.ts";
import { numberedEmbedder } from "./numbered-embedder.ts";
import { writeTenants } from "./small-tenants.ts";

const { values } = parseArgs({
  options: {
    tenants: { type: "string", default: "20000" },
    directory: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const tenants = Number(values.tenants);
/** Dividing looks at no index: these are written in less time. */
const asWritten = { index: "memory", embedder: numberedEmbedder() } as const;
const folder = values.directory ?? mkdtempSync(join(tmpdir(), "loci-divide-"));
const dataDirectory = join(folder, "data");
const program = fileURLToPath(new URL("../programs/divide-directory.ts", import.meta.url));

/** What a part of it has taken. */
interface Step {
  readonly step: string;
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly mostMegabytes: number;
  readonly mostDescriptors: number;
  readonly moved: number;
}

const steps: Step[] = [];
try {
  if (!existsSync(dataDirectory)) {
    console.error(`writing ${tenants} tenants`);
    await using engine = await openEngine({ ...asWritten, dataDirectory });
    await writeTenants(engine, 0, tenants, (done) => done % 10_000 === 0 && console.error(`${done}`));
  }
  await divide("to 2 shards", 2);
  await divide("to 4 shards, killed half way", 4, 0.5);
  await divide("to 4 shards, going on", 4);
  await start("start of shard 0, with what was left");
  await divide("to one", 1);
  if (tenantsInFile(dataDirectory).length < tenants) throw new Error("Tenants have been lost.");
} finally {
  if (values.directory === undefined) rmSync(folder, { recursive: true, force: true });
}
if (values.json) console.log(JSON.stringify({ tenants, steps }));
else console.table(steps);

/** @param killedAt ends it when this part of the tenants was copied */
async function divide(step: string, shards: number, killedAt?: number): Promise<void> {
  const began = performance.now();
  const child = fork(program, [dataDirectory, String(shards)]);
  let told: DivideProgress | undefined;
  let [mostResident, mostDescriptors] = [0, 0];
  child.on("message", (progress: DivideProgress) => {
    told = progress;
    mostResident = Math.max(mostResident, progress.resident);
    mostDescriptors = Math.max(mostDescriptors, progress.descriptors);
    if (killedAt !== undefined && progress.done >= killedAt * progress.total) child.kill("SIGKILL");
  });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  if (code !== 0 && signal !== "SIGKILL") throw new Error(`Dividing ended with ${code}.`);
  add({
    step,
    seconds: (performance.now() - began) / 1_000,
    processorSeconds: (told?.processor ?? 0) / 1_000,
    mostMegabytes: mostResident / 2 ** 20,
    mostDescriptors,
    moved: told?.done ?? 0,
  });
}

/** As a worker opens it. */
async function start(step: string): Promise<void> {
  const began = performance.now();
  const before = process.cpuUsage();
  const division = readDivision(dataDirectory);
  const directory = shardDirectory(dataDirectory, 0);
  await using engine = await openEngine({ ...asWritten, dataDirectory: directory, isShard: true });
  const { user, system } = process.cpuUsage(before);
  add({
    step: `${step} (${division?.leftovers.filter(({ shard }) => shard === 0).length} leftovers)`,
    seconds: (performance.now() - began) / 1_000,
    processorSeconds: (user + system) / 1_000_000,
    mostMegabytes: process.memoryUsage.rss() / 2 ** 20,
    mostDescriptors: 0,
    moved: 0,
  });
  await engine.close();
}

function add(step: Step): void {
  steps.push({ ...step, seconds: Math.round(step.seconds * 10) / 10, mostMegabytes: Math.round(step.mostMegabytes) });
  console.error(JSON.stringify(steps.at(-1)));
}
