// What blocks cost: a write next to that of a memory, five of them in a context, their git mirrors, and many owners.
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { AssembleRequest, Loci } from "@loci/loci";
import { openLoci } from "@loci/loci";
import { prose } from "../data/prose.ts";
import { fiveBlocks, fiveBlocksLayout } from "./five-blocks.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    repetitions: { type: "string", default: "400" },
    versions: { type: "string", default: "1000" },
    owners: { type: "string", default: "10000" },
  },
});
const repetitions = Number(values.repetitions);
const versions = Number(values.versions);
const owners = Number(values.owners);
const folder = await mkdtemp(join(tmpdir(), "loci-benchmark-"));
const open = (name: string): Promise<Loci> =>
  openLoci({ tenant: "benchmark", dataDirectory: join(folder, name), index: "memory" });

try {
  const figures = { ...(await writes()), ...(await contexts()), ...(await mirrors()), ...(await manyOwners()) };
  if (values.json) console.log(JSON.stringify({ repetitions, versions, owners, figures }));
  else {
    console.log(`Milliseconds, the median of ${repetitions} where it is one; ${versions} versions, ${owners} owners.`);
    console.table(figures);
  }
} finally {
  await rm(folder, { recursive: true });
}

/** A durable write of a block and one of a memory, in turns. */
async function writes(): Promise<Record<string, number>> {
  await using loci = await open("writes");
  const name = { owner: "user:ann", label: "persona" } as const;
  let { etag } = await loci.blocks.create({ ...name, preset: "assistant" });
  const block: Sample[] = [];
  const memory: Sample[] = [];
  // The first of each are left out: the compiler is still at work on them.
  for (let turn = -50; turn < repetitions; turn++) {
    const text = prose(turn + 100, 1).slice(0, 200);
    const ofMemory = await sample(() => loci.memories.remember({ text: `${turn} ${text}`, scope: "user:ann" }));
    const operations = [{ op: "set" as const, field: "role", value: `${turn} ${text}` }];
    const ofBlock = await sample(async () => {
      ({
        block: { etag },
      } = await loci.blocks.update(name, { operations }, { etag }));
    });
    if (turn < 0) continue;
    memory.push(ofMemory);
    block.push(ofBlock);
  }
  const [memoryWrite, blockWrite] = [medianOf(memory), medianOf(block)];
  return {
    memoryWrite: memoryWrite.elapsed,
    blockWrite: blockWrite.elapsed,
    blockAgainstMemory: round(blockWrite.elapsed / memoryWrite.elapsed),
    memoryWriteProcessor: memoryWrite.processor,
    blockWriteProcessor: blockWrite.processor,
  };
}

/** The same context with five blocks and without, in turns. */
async function contexts(): Promise<Record<string, number>> {
  await using loci = await open("contexts");
  for (const block of fiveBlocks) await loci.blocks.create({ owner: "user:ann", ...block });
  const request: AssembleRequest = { query: "What now?", layout: fiveBlocksLayout, evaluationTime: 1_800_000_000_000 };
  const withBlocks = { ...request, blockOwners: ["user:ann"] } as const;
  const shown = (await loci.assemble(withBlocks)).receipt.items.filter(({ kind }) => kind === "block");
  if (shown.length !== 5) throw new Error(`${shown.length} blocks are shown.`);
  const without: Sample[] = [];
  const five: Sample[] = [];
  for (let turn = -100; turn < repetitions; turn++) {
    const first = await sample(() => loci.assemble(request));
    const second = await sample(() => loci.assemble(withBlocks));
    if (turn < 0) continue;
    without.push(first);
    five.push(second);
  }
  const [before, after] = [medianOf(without), medianOf(five)];
  return {
    context: before.elapsed,
    contextOfFive: after.elapsed,
    fiveBlocksAdd: round(after.elapsed - before.elapsed),
    fiveBlocksAddProcessor: round(after.processor - before.processor),
  };
}

/** A mirror made anew of the log, while others are answered. */
async function mirrors(): Promise<Record<string, number>> {
  const name = { owner: "user:ann", label: "persona" } as const;
  {
    await using loci = await open("mirrors");
    let { etag } = await loci.blocks.create({ ...name, preset: "assistant" });
    for (let version = 2; version <= versions; version++) {
      const operations = [{ op: "set" as const, field: "role", value: `swimming ${version}` }];
      ({
        block: { etag },
      } = await loci.blocks.update(name, { operations }, { etag }));
    }
    await loci.settled();
  }
  await rm(join(folder, "mirrors", "git-mirrors"), { recursive: true });
  await using loci = await open("mirrors");
  const start = performance.now();
  const meanwhile = new AbortController();
  const settled = loci.settled().finally(() => meanwhile.abort());
  let slowest = 0;
  for (; !meanwhile.signal.aborted; await setTimeout(5)) {
    const { elapsed } = await sample(() => loci.blocks.get(name));
    slowest = Math.max(slowest, elapsed);
  }
  await settled;
  return { mirror: round(performance.now() - start), slowestReadMeanwhile: round(slowest) };
}

/** How many file handles a process holds, with a mirror for each owner. */
async function manyOwners(): Promise<Record<string, number>> {
  await using loci = await open("owners");
  await loci.blocks.create({ owner: "user:first", label: "persona", preset: "assistant" });
  await loci.settled();
  const before = openFiles();
  let most = before;
  for (let next = 0; next < owners; next += 100) {
    const names = Array.from({ length: Math.min(100, owners - next) }, (_, index) => `user:${next + index}` as const);
    await Promise.all(names.map((owner) => loci.blocks.create({ owner, label: "persona", preset: "assistant" })));
    most = Math.max(most, openFiles());
  }
  await loci.settled();
  return { openFilesOfOne: before, openFilesOfAll: openFiles(), mostOpenFiles: most };
}

/** On Linux. Elsewhere there is no saying. */
function openFiles(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return Number.NaN;
  }
}

interface Sample {
  readonly elapsed: number;
  readonly processor: number;
}

async function sample(work: () => Promise<unknown>): Promise<Sample> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { elapsed, processor: (user + system) / 1_000 };
}

function medianOf(samples: readonly Sample[]): Sample {
  const middle = (numbers: readonly number[]): number =>
    round(numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] as number);
  return {
    elapsed: middle(samples.map(({ elapsed }) => elapsed)),
    processor: middle(samples.map(({ processor }) => processor)),
  };
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
