import { meanOf } from "./evidence-share.ts";
import { pairedDifference, type PairedDifference } from "./paired-bootstrap.ts";

/** What one way to search came to: for each question 1 when it was right, else 0. */
export interface Outcomes {
  readonly name: string;
  readonly right: readonly number[];
}

/** One thing that is asked of every question of a labelled set. */
export interface LabelledMeasure {
  readonly set: string;
  readonly name: string;
  /** The least share of right answers, in percent. Absent: only reported. */
  readonly target?: number | undefined;
  /** The default profile first. */
  readonly profiles: readonly Outcomes[];
  /** Absent where a plain search, which always finds something, cannot be asked. */
  readonly baseline?: Outcomes | undefined;
  /** The ids of questions that the default profile has wrong. */
  readonly wrong: readonly string[];
}

export interface LabelledRow {
  readonly name: string;
  /** Right answers in percent. */
  readonly value: number;
  /** Less the plain search, in points. Absent for that itself and where there is none. */
  readonly gain?: PairedDifference;
}

export interface LabelledResults {
  readonly set: string;
  readonly name: string;
  readonly questions: number;
  readonly target?: number | undefined;
  /** The profiles, the default one first, then the plain search. */
  readonly rows: readonly LabelledRow[];
  readonly wrong: readonly string[];
}

export function labelledResults({ profiles, baseline, ...measure }: LabelledMeasure): LabelledResults {
  const percent = (right: readonly number[]): readonly number[] => right.map((value) => 100 * value);
  const rows = profiles.map(({ name, right }): LabelledRow => {
    const value = meanOf(percent(right));
    if (baseline === undefined) return { name, value };
    return { name, value, gain: pairedDifference(percent(right), percent(baseline.right)) };
  });
  if (baseline !== undefined) rows.push({ name: baseline.name, value: meanOf(percent(baseline.right)) });
  return { ...measure, questions: profiles[0]?.right.length ?? 0, rows };
}
