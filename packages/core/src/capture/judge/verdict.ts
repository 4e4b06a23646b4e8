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
  /**
   * By what the memory is known to be meant: what both of them speak of, or what was said around the statement. Absent: by its slot, by a
   * value that is given up, or by what was asked.
   */
  readonly meantBy?: "words" | "talk";
}
