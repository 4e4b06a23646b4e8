import type { DetectionPolicies } from "@loci/core";
import type { Memory, MemoryWarning } from "@loci/domain";
import { pacedDetection } from "./paced-detection.ts";

/**
 * Tells of the secrets that texts hold, one warning for each class, where they are kept all the same. Names the class and never
 * the text.
 *
 * @param turn resolves when the thread may be used again: to look through much text takes a while
 */
export function secretWarnings(
  policies: DetectionPolicies,
  turn: () => Promise<void> | undefined,
): (texts: readonly string[]) => Promise<readonly MemoryWarning[]> {
  const find = pacedDetection(turn);
  return async (texts) => {
    const classes = new Set<string>();
    for (const text of texts)
      for (const { class: found } of await find(text)) if (policies[found] === "refuse") classes.add(found);
    return [...classes].map((found) => ({
      reason: "HOLDS_SECRET",
      message: `The memory holds a secret of the class ${found}.`,
      advice:
        "It was stored as given, and what is remembered is shown to models. If it should not be, forget the memory, which keeps it from models; erasing its scope removes it for good.",
    }));
  };
}

/** The memory with what is to be said of it. */
export function withWarnings(memory: Memory, warnings: readonly MemoryWarning[] | undefined): Memory {
  return warnings === undefined || warnings.length === 0 ? memory : { ...memory, warnings };
}
