import type { MessageUnit } from "./message-unit.ts";

/**
 * The newest units that fit together, without a gap, and those that must stay whatever they take.
 *
 * @returns the kept units, oldest first
 */
export function keepNewest(units: readonly MessageUnit[], maxTokens: number): readonly MessageUnit[] {
  let tokens = 0;
  for (const unit of units) if (unit.mustStay) tokens += unit.tokens;
  let oldest = units.length;
  while (oldest > 0) {
    const unit = units[oldest - 1] as MessageUnit;
    const added = unit.mustStay ? 0 : unit.tokens;
    if (tokens + added > maxTokens) break;
    tokens += added;
    oldest--;
  }
  return units.filter((unit, index) => unit.mustStay || index >= oldest);
}
