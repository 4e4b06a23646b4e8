import { cpus } from "node:os";
import type { BenchmarkCase, Target } from "../measure/benchmark-case.ts";
import { type Comparison, comparisonsOf } from "./comparisons.ts";
import type { Figure } from "../measure/measure-cases.ts";

/** A figure with what it is held against. */
export interface Result extends Figure {
  readonly description: string;
  readonly target?: Target;
  readonly publishedClaim?: string;
}

/** What a benchmark run writes: everything a table or a plot needs. */
export interface BenchmarkResults {
  readonly time: string;
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  readonly results: readonly Result[];
  readonly comparisons: readonly Comparison[];
}

export function resultsOf(cases: readonly BenchmarkCase[], figures: readonly Figure[]): BenchmarkResults {
  const byName = new Map(figures.map((figure) => [figure.name, figure]));
  return {
    time: new Date().toISOString(),
    node: process.versions.node,
    processor: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    comparisons: comparisonsOf(figures),
    results: cases.flatMap(({ name, description, target, publishedClaim }) => {
      const figure = byName.get(name);
      if (figure === undefined) return [];
      return [
        {
          ...figure,
          description,
          ...(target === undefined ? {} : { target }),
          ...(publishedClaim === undefined ? {} : { publishedClaim }),
        },
      ];
    }),
  };
}
