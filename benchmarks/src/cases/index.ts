import type { BenchmarkCase } from "../measure/benchmark-case.ts";

/** Everything that `npm run bench` measures, in the order of the table. */
export const benchmarkCases: readonly BenchmarkCase[] = [];
