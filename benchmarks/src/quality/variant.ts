import type { ScoringProfileChanges, ScoringProfileName } from "@loci/domain";

/** A way to recall that is compared with the others. */
export interface Variant {
  readonly name: string;
  /** Absent: nothing is said, so the default. */
  readonly profile: ScoringProfileName | ScoringProfileChanges | undefined;
}
