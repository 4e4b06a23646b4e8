import type { CandidateKind } from "@loci/domain";

/** A way in which people say something that is worth remembering. */
export interface StatementPattern {
  /** Unique, for reports of tests. */
  readonly name: string;
  readonly kind: CandidateKind;
  readonly category: "fact" | "preference" | "decision" | "entity" | "procedure";
  /** As `phrases.ts` reads it. Any of them will do. */
  readonly phrases: readonly string[];
  /** A clause with any of these says something else. */
  readonly unless?: readonly string[];
  /** Says so surely what holds from now on that words for the moment (`today`) change nothing. */
  readonly isStanding?: boolean;
  /** Says so little about what lasts that a passing state beside it in the sentence makes it passing as well. */
  readonly isWeak?: boolean;
  /** Lasts, though it is told with words such as `yesterday`. */
  readonly isLasting?: boolean;
  /** Tells what somebody said who knows, so that it counts as a fact. */
  readonly isReport?: boolean;
  /** Says how a text or some work is to be: where it does not say that it always holds, it may be of what is at hand alone. */
  readonly isManner?: boolean;
  /** Has no more to it than a number, a date or a name. */
  readonly isBare?: boolean;
  /** Says enough without another word that means something. */
  readonly isEnough?: boolean;
  readonly examples: readonly string[];
  readonly counterExamples: readonly string[];
}
