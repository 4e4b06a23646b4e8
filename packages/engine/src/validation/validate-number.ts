import { LociError } from "@loci/domain";

/** @throws LociError `INVALID_NUMBER` unless the value is a number from 0 to 1 */
export function checkShare(value: unknown, field: string): number {
  if (typeof value === "number" && value >= 0 && value <= 1) return value + 0;
  return refuse(value, field, "a number from 0 to 1");
}

/** @throws LociError `INVALID_NUMBER` unless the value is a whole number within the bounds */
export function checkWholeNumber(
  value: unknown,
  field: string,
  bounds: { readonly least: number; readonly most: number },
): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= bounds.least && value <= bounds.most)
    // A zero has no sign.
    return value + 0;
  return refuse(value, field, `a whole number from ${bounds.least} to ${bounds.most}`);
}

/** @throws LociError `INVALID_NUMBER` for NaN and infinities */
export function checkFinite(value: unknown, field: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value + 0;
  return refuse(value, field, "a finite number");
}

function refuse(value: unknown, field: string, expected: string): never {
  throw new LociError("INVALID_NUMBER", {
    message: `${field} must be ${expected}, but is ${typeof value === "number" ? String(value) : `of type ${typeof value}`}.`,
    field,
    advice: `Pass ${expected}.`,
  });
}
