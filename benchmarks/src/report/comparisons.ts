import type { Figure } from "../measure/measure-cases.ts";

/** Two figures of one run, held against each other. */
export interface Comparison {
  readonly name: string;
  readonly value: number;
  readonly unit: "×" | "%" | "ms";
  readonly target: string;
  readonly isMet: boolean;
}

/**
 * What only makes sense as a relation: gRPC to the echo, a durable write to the disk, a long session to a short one. Left
 * out where a side is missing.
 */
export function comparisonsOf(figures: readonly Figure[]): readonly Comparison[] {
  const steady = new Map(figures.map(({ name, steady }) => [name, steady]));
  const comparisons: Comparison[] = [];
  const add = (left: string, right: string, compare: (left: number, right: number) => Comparison): void => {
    const [a, b] = [steady.get(left), steady.get(right)];
    if (a !== undefined && b !== undefined) comparisons.push(compare(a, b));
  };
  add("get-over-grpc", "get-in-process", (wire, local) => {
    const value = (wire - local) / 1000;
    return { name: "added by gRPC", value, unit: "ms", target: "≤ 0.6 ms", isMet: value <= 0.6 };
  });
  add("get-32-echo", "get-32-loci", (echo, loci) => {
    const value = (echo / loci) * 100;
    return { name: "GetMemory throughput of the echo's", value, unit: "%", target: "≥ 60%", isMet: value >= 60 };
  });
  add("remember-durable", "fsync-append", (write, append) => {
    const value = write / append;
    return { name: "durable write to a bare synced append", value, unit: "×", target: "≤ 2×", isMet: value <= 2 };
  });
  for (const name of ["next-turn", "next-turn-in-process"])
    add(`${name}-2000`, `${name}-100`, (long, short) => {
      const value = long / short;
      return { name: `${name} at 2,000 turns to 100`, value, unit: "×", target: "≤ 1.5×", isMet: value <= 1.5 };
    });
  return comparisons;
}
