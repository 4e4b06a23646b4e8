import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TenantId, tenantId } from "@loci/domain";
import { CachedEmbedder, type EmbeddingCacheSnapshot, type EmbeddingCacheStatistics } from "@loci/embedding";
import { deterministicEmbedder } from "@loci/embedding/testing";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { jobPrompts } from "./job-prompts.ts";

export interface CacheWorkload {
  /** Share of sentences that are new. */
  readonly newShare: number;
  /** Vectors in the first layer, and how long it keeps them, in milliseconds. */
  readonly entries: number;
  readonly timeToLive: number;
  /** Whether the first layer is saved at the stop in the middle and loaded again. */
  readonly isSaved: boolean;
}

export interface CacheFigures extends CacheWorkload {
  /** After the warm-up. */
  readonly statistics: EmbeddingCacheStatistics;
  /** Share of texts that the first two layers answered. */
  readonly hitRate: number;
  /** Share that the first layer answered within the hour after the restart. */
  readonly firstLayerAfterRestart: number;
  /** Of what was embedded, for 30 days at this rate, in US dollars. */
  readonly monthlyCost: number;
}

/** 6,370 jobs in 40 days, as one published system had. */
const jobsPerDay = 159;
const days = 40;
const warmDays = 10;
const jobsAfterRestart = 7;
/** US dollars for a million tokens of a small embedding model, as published in 2024 and since. */
const pricePerMillionTokens = 0.02;
const charactersPerToken = 4;

/** Asks for forty days of jobs, with a restart in the middle. */
export async function measureCache(workload: CacheWorkload): Promise<CacheFigures> {
  const directory = await mkdtemp(join(tmpdir(), "loci-cache-"));
  const ledger = await openSqliteLedger({ directory });
  const tenant = tenantId("benchmark");
  const clock = new JobClock();
  let saved: Uint8Array | undefined;
  const snapshot: EmbeddingCacheSnapshot = {
    read: async () => (workload.isSaved ? saved : undefined),
    write: async (bytes) => void (saved = bytes),
  };
  const open = async (): Promise<CachedEmbedder> => {
    const { entries, timeToLive } = workload;
    const embedder = deterministicEmbedder();
    const cache = new CachedEmbedder({
      embedder,
      entries,
      timeToLive,
      secondLayer: ledger.embeddingCache,
      clock: clock.now,
    });
    await cache.loadFrom(snapshot);
    return cache;
  };
  const asked: Asked = { tenant, clock, prompts: jobPrompts({ kinds: 60, newShare: workload.newShare, seed: 7 }) };
  try {
    let cache = await open();
    await askForDays(cache, asked, warmDays);
    const warm = cache.statistics();
    let characters = await askForDays(cache, asked, (days - warmDays) / 2);
    const before = difference(cache.statistics(), warm);
    await cache.settled();
    await cache.saveTo(snapshot);
    cache = await open();
    characters += await askForJobs(cache, asked, jobsAfterRestart);
    const restarted = cache.statistics();
    characters += await askForDays(cache, asked, (days - warmDays) / 2);
    const statistics = sum(before, cache.statistics());
    await cache.close();
    const embeddedShare = statistics.embedded / statistics.requested;
    const tokens = (characters / charactersPerToken) * embeddedShare * (30 / (days - warmDays));
    return {
      ...workload,
      statistics,
      hitRate: 1 - embeddedShare,
      firstLayerAfterRestart: restarted.firstLayer / restarted.requested,
      monthlyCost: (tokens / 1_000_000) * pricePerMillionTokens,
    };
  } finally {
    await ledger.close();
    await rm(directory, { recursive: true });
  }
}

/** Time that passes from job to job. */
class JobClock {
  #now = 1_790_000_000_000;
  readonly now = (): number => this.#now;

  advance(): void {
    this.#now += 86_400_000 / jobsPerDay;
  }
}

type Prompts = Generator<readonly string[], never>;

/** Who asks for what, and when. */
interface Asked {
  readonly tenant: TenantId;
  readonly prompts: Prompts;
  readonly clock: JobClock;
}

function askForDays(cache: CachedEmbedder, asked: Asked, days: number): Promise<number> {
  return askForJobs(cache, asked, Math.round(days * jobsPerDay));
}

/** @returns how many characters it has asked for */
async function askForJobs(cache: CachedEmbedder, { tenant, prompts, clock }: Asked, jobs: number): Promise<number> {
  let characters = 0;
  for (let job = 0; job < jobs; job++) {
    const texts = prompts.next().value;
    for (const text of texts) characters += text.length;
    await cache.embed(tenant, texts, { kind: "query" });
    // Jobs are minutes apart: what the second layer was given has long been written.
    await cache.settled();
    clock.advance();
  }
  return characters;
}

function difference(later: EmbeddingCacheStatistics, earlier: EmbeddingCacheStatistics): EmbeddingCacheStatistics {
  return combine(later, earlier, (left, right) => left - right);
}

function sum(first: EmbeddingCacheStatistics, second: EmbeddingCacheStatistics): EmbeddingCacheStatistics {
  return combine(first, second, (left, right) => left + right);
}

function combine(
  first: EmbeddingCacheStatistics,
  second: EmbeddingCacheStatistics,
  join: (left: number, right: number) => number,
): EmbeddingCacheStatistics {
  const names = Object.keys(first) as (keyof EmbeddingCacheStatistics)[];
  return Object.fromEntries(
    names.map((name) => [name, join(first[name], second[name])]),
  ) as unknown as EmbeddingCacheStatistics;
}
