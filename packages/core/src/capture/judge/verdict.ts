import type { CaptureDecision } from "@loci/domain";

/** What becomes of a statement, and of which memory. */
export interface Judgement {
  readonly decision: CaptureDecision;
  readonly target: string | null;
}

/** What becomes of a statement as far as one memory is asked. */
export interface Verdict extends Judgement {
  /** Of all memories that are asked, the strongest decides. */
  readonly strength: number;
}
