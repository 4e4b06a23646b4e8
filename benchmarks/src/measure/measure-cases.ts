import type { BenchmarkCase } from "./benchmark-case.ts";
import { percentile } from "./percentile.ts";
import { referenceWorkload } from "./reference-workload.ts";
import { Sampler } from "./sampler.ts";

/** The figures of one case, in microseconds an operation. */
export interface Figure {
  readonly name: string;
  readonly minimum: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU time of all threads, p50. */
  readonly cpuP50: number;
  /** 5th percentile through the reference's 5th percentile of the same run: what the gate compares. */
  readonly ratio: number;
  readonly samples: number;
}

export interface MeasureOptions {
  /** Slices of each case. */
  readonly rounds: number;
  readonly warmMilliseconds: number;
  readonly onProgress?: (done: number, total: number) => void;
}

const sliceMicroseconds = 500;
const steadyShare = 0.05;

/**
 * Measures the cases in turns with the reference workload: a slice of each, then again, so that whatever disturbs the
 * machine disturbs all of them alike.
 */
export async function measureCases(
  cases: readonly BenchmarkCase[],
  options: MeasureOptions,
): Promise<readonly Figure[]> {
  await using opened = new AsyncDisposableStack();
  const reference = new Sampler(referenceWorkload);
  await reference.warm(options.warmMilliseconds, sliceMicroseconds);
  const samplers: Sampler[] = [];
  for (const { open } of cases) {
    const sampler = new Sampler(opened.use(await open()).run);
    await sampler.warm(options.warmMilliseconds, sliceMicroseconds);
    samplers.push(sampler);
  }
  for (let round = 0; round < options.rounds; round++) {
    await reference.slice();
    for (const sampler of samplers) await sampler.slice();
    options.onProgress?.(round + 1, options.rounds);
  }
  const steadyReference = percentile(wallTimes(reference), steadyShare);
  return samplers.map((sampler, index) => {
    const wall = wallTimes(sampler);
    return {
      name: cases[index]?.name ?? "",
      minimum: percentile(wall, 0),
      p50: percentile(wall, 0.5),
      p99: percentile(wall, 0.99),
      cpuP50: percentile(
        sampler.samples.map(({ cpuMicroseconds }) => cpuMicroseconds),
        0.5,
      ),
      ratio: percentile(wall, steadyShare) / steadyReference,
      samples: wall.length,
    };
  });
}

function wallTimes({ samples }: Sampler): readonly number[] {
  return samples.map(({ wallMicroseconds }) => wallMicroseconds);
}
