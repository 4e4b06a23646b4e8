import type { Loci } from "@loci/loci";
import { openTemporaryLoci } from "../data/temporary-loci.ts";
import { prose } from "../data/prose.ts";
import type { BenchmarkCase } from "../measure/benchmark-case.ts";

const memories = 10_000;
const users = 10;
const batchSize = 1000;

/** Remembers 10,000 short texts, spread over ten users. */
async function remember(loci: Loci): Promise<void> {
  for (let start = 0; start < memories; start += batchSize)
    await loci.memories.rememberMany(
      Array.from({ length: batchSize }, (_, offset) => ({
        text: prose(start + offset, 2),
        scope: `user:${(start + offset) % users}` as const,
        createdAt: 1_780_000_000_000 + (start + offset) * 60_000,
      })),
    );
  await loci.settled();
}

export const recallMemories: BenchmarkCase = {
  name: "recall-10k",
  description: "Recall for one of ten users from 10,000 memories of 256 dimensions: embed, search, resolve, score",
  target: { p50: 8000, p99: 15_000 },
  publishedClaim: "200–400 ms; 2–3 s",
  open: async () => {
    const temporary = await openTemporaryLoci();
    await remember(temporary.loci);
    let question = 0;
    return {
      run: () =>
        temporary.loci.recall({
          query: prose(++question, 1),
          scopes: [`user:${question % users}`],
          evaluationTime: 1_790_000_000_000,
        }),
      [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
    };
  },
};
