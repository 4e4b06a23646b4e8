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
  /** 5th percentile: what the work takes when nothing disturbs it. */
  readonly steady: number;
  /** CPU time of all threads of this process. */
  readonly cpuP50: number;
  readonly cpuP99: number;
  /** `steady` through the reference's of the same run: what the gate compares. */
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
/** Work that waits for another process needs several turns in a row, or every one of them pays for waking it up. */
const waitingSliceMicroseconds = 20_000;
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
  for (const { open, waits } of cases) {
    const sampler = new Sampler(opened.use(await open()).run);
    await sampler.warm(options.warmMilliseconds, waits === true ? waitingSliceMicroseconds : sliceMicroseconds);
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
    const cpu = sampler.samples.map(({ cpuMicroseconds }) => cpuMicroseconds);
    return {
      name: cases[index]?.name ?? "",
      minimum: percentile(wall, 0),
      p50: percentile(wall, 0.5),
      p99: percentile(wall, 0.99),
      steady: percentile(wall, steadyShare),
      cpuP50: percentile(cpu, 0.5),
      cpuP99: percentile(cpu, 0.99),
      ratio: percentile(wall, steadyShare) / steadyReference,
      samples: wall.length,
    };
  });
}

function wallTimes({ samples }: Sampler): readonly number[] {
  return samples.map(({ wallMicroseconds }) => wallMicroseconds);
}
