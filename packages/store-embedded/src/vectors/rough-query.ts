import { readFileSync } from "node:fs";
import type { QuantisedQuery } from "./quantise.ts";

/** Queries of a rough pass. */
export const roughQueriesPerPass = 9;
/** Values that the kernel reads of one query before those of the next. */
const valuesAtOnce = 16;
const largestDigit = 63;
const bias = 64;

/**
 * A query vector in 7 bits a value, which tells which rows cannot be among the best: a row's product with it differs from
 * that with the 16-bit query by at most `error` times the length of the row (Cauchy–Schwarz).
 */
export interface RoughQuery {
  /** As the kernel takes them: 64 was added. */
  readonly digits: Uint8Array;
  readonly scale: number;
  /** The length of what the digits leave out of the 16-bit query, rounded up. */
  readonly error: number;
}

export function roughQuery({ values, scale }: QuantisedQuery): RoughQuery {
  let largest = 1;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const step = largest / largestDigit;
  const digits = new Uint8Array(values.length);
  let squares = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    const digit = Math.round(value / step);
    digits[index] = digit + bias;
    squares += (value - digit * step) ** 2;
  }
  return { digits, scale: scale * step, error: Math.sqrt(squares) * scale * (1 + 1e-6) };
}

/** Where the kernel expects the values of up to nine queries; what stands in for those that are missing is any. */
export function interleaveDigits(queries: readonly RoughQuery[], target: Uint8Array): void {
  for (const [place, { digits }] of queries.entries())
    for (let at = 0; at < digits.length; at += valuesAtOnce)
      target.set(digits.subarray(at, at + valuesAtOnce), at * roughQueriesPerPass + place * valuesAtOnce);
}

let isFaster: boolean | undefined;

/**
 * Whether the processor multiplies and adds bytes in one instruction: else the rough pass is slower than the exact one.
 * What is found does not depend on it.
 */
export function isRoughPassFaster(): boolean {
  return (isFaster ??= hasByteProducts());
}

function hasByteProducts(): boolean {
  if (process.platform === "darwin") return process.arch === "arm64";
  if (process.platform !== "linux") return false;
  try {
    return /^(?:flags|Features)\s*:.*\b(?:avx_vnni|asimddp)\b/m.test(readFileSync("/proc/cpuinfo", "utf8"));
  } catch {
    return false;
  }
}
