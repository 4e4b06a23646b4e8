import type { Memory } from "@loci/domain";

/** True for the caller's own words: only these may stand in the system section. */
export function mayStandInSystem({ origin, trust }: Pick<Memory, "origin" | "trust">): boolean {
  return trust === "trusted" && origin === "manual";
}

/** True for a procedure the model is told to follow. Any other procedure is shown as data, like every memory. */
export function mayBeFollowed({ category, origin, trust }: Pick<Memory, "category" | "origin" | "trust">): boolean {
  return category === "procedure" && trust === "trusted" && (origin === "manual" || origin === "correction");
}
