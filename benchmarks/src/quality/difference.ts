import type { PairedDifference } from "./paired-bootstrap.ts";

/** A gain in points with its interval. */
export function difference({ mean, low, high }: PairedDifference): string {
  return `${signed(mean)} (${signed(low)} to ${signed(high)})`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
}
