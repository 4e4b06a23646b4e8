/** What a durable write, a memory of a batch and a small recall take of each thread. */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Embedder, Loci } from "@loci/loci";
import { prose } from "../data/prose.ts";
import { randomNumbers } from "../data/random.ts";
import { openTemporaryLoci, type TemporaryLoci } from "../data/temporary-loci.ts";
import { type ThreadTimes, threadTimes } from "./thread-times.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "append,single,batch,ingest,embedded,recall" },
    calls: { type: "string", default: "3000" },
    batches: { type: "string", default: "20" },
    memories: { type: "string", default: "1000" },
    json: { type: "boolean", default: false },
  },
});

const calls = Number(values.calls);
const memoriesOfScope = Number(values.memories);
const batchSize = 1_000;
const batches = Number(values.batches);
const dimensions = 256;

/** Microseconds. */
interface Cost {
  readonly what: string;
  readonly median: number;
  readonly least: number;
  /** On the average. */
  readonly threads: Readonly<Record<string, number>>;
  /** In the calmest tenth of the run, each thread by itself: what is left where neighbours take the least. */
  readonly calm: Readonly<Record<string, number>>;
}

/** How many memories a second went in while several callers sent batches. */
interface Rate {
  readonly what: string;
  /** By the clock, until the last batch was acknowledged. */
  readonly durableASecond: number;
  /** By the clock, until the indexes had them too. */
  readonly indexedASecond: number;
  /** Microseconds a memory. */
  readonly threads: Readonly<Record<string, number>>;
}

/** Vectors that take next to no time to make, so that what stands for a batch is Loci's own part. */
const vectorsGiven: Embedder = {
  space: { provider: "benchmark", model: "given", dimensions, version: "1" },
  maxBatch: batchSize,
  maxInputTokens: 8192,
  relevanceWeight: 0.7,
  floors: { relevance: 0.05 },
  gates: { duplicate: 0.97 },
  close: () => Promise.resolve(),
  embed: (texts) => Promise.resolve(texts.map((_, index) => givenVectors[(nextVector + index) % 4096] as Float32Array)),
};
let nextVector = 0;
const givenVectors = Array.from({ length: 4096 }, (_, seed) => unitVector(seed));

function unitVector(seed: number): Float32Array {
  const random = randomNumbers(seed + 1);
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Calls after which the threads are looked at: enough for a few milliseconds. */
const callsOfStretch = 50;

async function measure(
  what: string,
  { times, per, end }: { readonly times: number; readonly per: number; readonly end: () => Promise<unknown> },
  work: (index: number) => unknown,
): Promise<Cost> {
  const took: number[] = [];
  const stretches: Readonly<Record<string, number>>[] = [];
  const callsEach = per === 1 ? callsOfStretch : 1;
  const before = threadTimes() ?? {};
  let last = before;
  for (let index = 0; index < times; index++) {
    const start = performance.now();
    await work(index);
    took.push(((performance.now() - start) * 1000) / per);
    if ((index + 1) % callsEach !== 0) continue;
    const now = threadTimes() ?? {};
    stretches.push(difference(last, now, callsEach * per));
    last = now;
  }
  await end();
  const threads = difference(before, threadTimes() ?? {}, times * per);
  return {
    what,
    median: percentile(took, 50),
    least: percentile(took, 5),
    threads,
    calm: Object.fromEntries(
      Object.keys(threads).map((name) => [
        name,
        percentile(
          stretches.map((stretch) => stretch[name] ?? 0),
          10,
        ),
      ]),
    ),
  };
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((left, right) => left - right)[Math.floor((values.length * share) / 100)] ?? 0;
}

function difference(before: ThreadTimes, after: ThreadTimes, by: number): Record<string, number> {
  const threads: Record<string, number> = {};
  for (const [name, time] of Object.entries(after)) {
    const spent = (time - (before[name] ?? 0)) / 1000 / by;
    const label = name.startsWith("others") ? "others" : name;
    threads[label] = (threads[label] ?? 0) + spent;
  }
  return threads;
}

async function withLoci<Result>(
  options: Parameters<typeof openTemporaryLoci>[0],
  work: (temporary: TemporaryLoci) => Promise<Result>,
): Promise<Result> {
  await using temporary = await openTemporaryLoci(options);
  return await work(temporary);
}

async function syncedAppend(): Promise<Cost> {
  return withLoci({}, async ({ directory }) => {
    const file = openSync(join(directory, "append"), "a");
    const record = Buffer.alloc(400, 120);
    const cost = await measure("bare append and sync", { times: 1000, per: 1, end: () => Promise.resolve() }, () => {
      writeSync(file, record);
      fdatasyncSync(file);
    });
    closeSync(file);
    return cost;
  });
}

function singleRemembers(): Promise<Cost> {
  return withLoci({}, async ({ loci }) => {
    const once = (index: number): Promise<unknown> =>
      loci.memories.remember({ text: prose(index, 2), scope: "user:writer" });
    for (let index = 0; index < 300; index++) await once(1_000_000 + index);
    await loci.settled();
    return measure("remember", { times: calls, per: 1, end: () => loci.settled() }, once);
  });
}

/** @param embedder absent for the local model */
function batchedMemories(what: string, embedder?: Embedder): Promise<Cost> {
  return withLoci(embedder === undefined ? {} : { embedder }, async ({ loci }) => {
    const once = (batch: number): Promise<unknown> => rememberBatch(loci, batch * batchSize, batchSize);
    for (let batch = 0; batch < 2; batch++) await once(1000 + batch);
    await loci.settled();
    return measure(what, { times: batches, per: batchSize, end: () => loci.settled() }, once);
  });
}

async function rememberBatch(loci: Loci, from: number, amount: number): Promise<void> {
  nextVector = from;
  await loci.memories.rememberMany(
    Array.from({ length: amount }, (_, offset) => ({
      text: prose(from + offset, 2),
      scope: "user:writer" as const,
      createdAt: 1_780_000_000_000 + (from + offset) * 1000,
    })),
  );
}

/** Batches under way at the same time, as programs send them that have much to store. */
const callersOfIngest = 3;

function ingestedMemories(): Promise<Rate> {
  return withLoci({ embedder: vectorsGiven }, async ({ loci }) => {
    for (let batch = 0; batch < 2; batch++) await rememberBatch(loci, (1000 + batch) * batchSize, batchSize);
    await loci.settled();
    const memories = callersOfIngest * batches * batchSize;
    const before = threadTimes() ?? {};
    const start = performance.now();
    let next = 0;
    const caller = async (): Promise<void> => {
      while (next < memories) await rememberBatch(loci, (next += batchSize) - batchSize, batchSize);
    };
    await Promise.all(Array.from({ length: callersOfIngest }, caller));
    const durable = performance.now();
    await loci.settled();
    const indexed = performance.now();
    return {
      what: `${memories} memories in batches of 1,000 of ${callersOfIngest} callers, vectors given`,
      durableASecond: (memories * 1000) / (durable - start),
      indexedASecond: (memories * 1000) / (indexed - start),
      threads: difference(before, threadTimes() ?? {}, memories),
    };
  });
}

function smallRecalls(): Promise<Cost> {
  return withLoci({}, async ({ loci }) => {
    await rememberBatch(loci, 0, memoriesOfScope);
    await loci.settled();
    const once = (index: number): Promise<unknown> =>
      loci.recall({ query: prose(index, 1), scopes: ["user:writer"], evaluationTime: 1_790_000_000_000 });
    for (let index = 0; index < 300; index++) await once(1_000_000 + index);
    await loci.settled();
    const cost = `recall in a scope of ${memoriesOfScope}`;
    return measure(cost, { times: Math.ceil((calls * 2) / 3), per: 1, end: () => loci.settled() }, once);
  });
}

const parts: Readonly<Record<string, () => Promise<Cost | Rate>>> = {
  append: syncedAppend,
  single: singleRemembers,
  batch: () => batchedMemories("memory of a batch of 1,000, vectors given", vectorsGiven),
  ingest: ingestedMemories,
  embedded: () => batchedMemories("memory of a batch of 1,000, local model"),
  recall: smallRecalls,
};

const costs: (Cost | Rate)[] = [];
for (const name of values.only.split(",")) {
  const part = parts[name];
  if (part === undefined) throw new RangeError(`There is no part ${name}; there are ${Object.keys(parts).join(", ")}.`);
  costs.push(await part());
}
if (values.json) console.log(JSON.stringify(costs, undefined, 2));
else
  for (const cost of costs) {
    const { what, threads } = cost;
    if ("durableASecond" in cost) {
      const [durable, indexed] = [cost.durableASecond, cost.indexedASecond].map((rate) => rate.toFixed(0));
      console.log(`${what}: ${durable} a second durable, ${indexed} with the indexes`);
      console.log(`  processor time of each ${listed(threads)}`);
      continue;
    }
    console.log(`${what}: median ${cost.median.toFixed(0)} µs, least 5% ${cost.least.toFixed(0)}`);
    console.log(`  processor time ${listed(threads)}`);
    console.log(`  in calm tenths ${listed(cost.calm)}`);
  }

function listed(times: Readonly<Record<string, number>>): string {
  const sum = Object.values(times).reduce((total, time) => total + time, 0);
  const parts = Object.entries(times).map(([name, time]) => `${name} ${time.toFixed(0)}`);
  return `${sum.toFixed(0)}: ${parts.join(", ")}`;
}
