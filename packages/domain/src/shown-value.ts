/**
 * A caller's value as an error message shows it: numbers and short texts themselves, of anything else its kind. Never calls
 * anything of the value's own, and so never throws.
 */
export function shownValue(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean" || value === undefined || value === null)
    return String(value);
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
