import type { CaptureReason } from "@loci/domain";

/** A way in which people say something that is not worth remembering. */
export interface RefusalPattern {
  readonly name: string;
  readonly reason: CaptureReason;
  readonly phrases: readonly string[];
  /** Holds for the whole sentence, not only for the clause it stands in. */
  readonly isForSentence?: boolean;
  /** Does not hold for a clause with a word such as `since` or `moved`: what it tells lasts. */
  readonly yieldsToLasting?: boolean;
  readonly examples: readonly string[];
  readonly counterExamples: readonly string[];
}
