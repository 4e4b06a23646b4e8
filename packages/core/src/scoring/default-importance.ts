import type { Category, Origin } from "@loci/domain";

/**
 * The importance of a memory for which none was given: a correction 0.95, else a procedure 0.9, else what was stored by
 * hand 0.7, else 0.5.
 */
export function defaultImportance(category: Category, origin: Origin): number {
  if (origin === "correction") return 0.95;
  if (category === "procedure") return 0.9;
  return origin === "manual" ? 0.7 : 0.5;
}
