/** The largest sum that is kept: beyond it, numbers of JavaScript are not exact. */
const largestSum = Number.MAX_SAFE_INTEGER;

/**
 * The expression for a sum that stays at the largest safe integer instead of going beyond.
 *
 * @param least the function that gives the smaller of two: `min` in SQLite, `least` in PostgreSQL
 */
export function saturated(least: "min" | "least", sum: string): string {
  return `${least}(${largestSum}, ${sum})`;
}
