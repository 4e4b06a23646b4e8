import type { Instant } from "@loci/domain";
import type { TokenCounters } from "../budget/token-counters.ts";
import type { IndexServices } from "../projections/index-services.ts";
import type { LimitedReranker } from "./rerank-candidates.ts";
import type { RotationMarks } from "./rotation-marks.ts";
import type { ScoringProfiles } from "./scoring-profiles.ts";

/** What a recall works with. */
export interface RecallServices extends IndexServices {
  readonly clock: () => Instant;
  readonly profiles: ScoringProfiles;
  readonly rotation: RotationMarks;
  readonly tokens: TokenCounters;
  /** Absent when none was given. */
  readonly reranker: LimitedReranker | undefined;
}
