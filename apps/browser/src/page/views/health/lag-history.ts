import type { ProjectionStatus } from "@loci/api-web";

/** Four minutes at a look every two seconds. */
const mostPoints = 120;
const lags = new Map<string, number[]>();

/** Notes how far behind each is. */
export function noteLags(projections: readonly ProjectionStatus[]): void {
  for (const { name, behind } of projections) {
    const points = lags.get(name) ?? [];
    points.push(Number(behind ?? 0n));
    lags.set(name, points.slice(-mostPoints));
  }
}

/** How far behind one was at the last looks, the oldest first. */
export function lagsOf(name: string): readonly number[] {
  return lags.get(name) ?? [];
}
