import type { UpdateCounts } from "../quality/captured-memories.ts";
import type { CaptureSpeed } from "./capture-speed.ts";
import type { Score } from "./score.ts";
import type { SelfTeaching } from "./self-teaching.ts";

/** The share of later jobs that know every correction that concerns them, after the last one. */
export const leastTaught = 0.95;

export interface CaptureFigures {
  readonly dialogues: Score;
  readonly pairs: Score;
  readonly secrets: Score;
  readonly teaching: SelfTeaching;
  readonly speed: CaptureSpeed;
  /** Absent: the data is not there. */
  readonly updates: UpdateCounts | undefined;
}

export interface Verdict {
  readonly figure: string;
  readonly value: number | string;
  readonly target: string;
  readonly verdict: "met" | "missed" | "not measured";
}

/** Each figure beside its target. */
export function verdictsOf({
  dialogues,
  pairs,
  secrets,
  teaching,
  speed,
  updates,
}: CaptureFigures): readonly Verdict[] {
  const last = teaching.points.at(-1);
  const found = (part: Score, name: string): number | undefined => {
    const value = typeof part === "string" ? undefined : part[name];
    return typeof value === "number" ? value : undefined;
  };
  const ofUpdates = (count: number | undefined): number | undefined => {
    return updates === undefined || count === undefined ? undefined : round(count / updates.asked);
  };
  const violations = found(dialogues, "violations");
  const mustNot = found(dialogues, "mustNot");
  return [
    atLeast("dialogues: precision", found(dialogues, "precision"), 0.8),
    atLeast("dialogues: recall", found(dialogues, "recall"), 0.7),
    atLeast("dialogues: UPDATE right", shareOfUpdates(dialogues), 0.75),
    atMost("dialogues: closed wrongly", found(dialogues, "falseCloses"), 2),
    atMost(
      "dialogues: captured what must not be",
      violations === undefined || mustNot === undefined ? undefined : round(violations / mustNot),
      0.03,
    ),
    atLeast("pairs: contradictions, precision", found(pairs, "contradictionPrecision"), 0.9),
    atLeast("pairs: contradictions, recall", found(pairs, "contradictionRecall"), 0.75),
    atLeast("secrets: recall", found(secrets, "recall"), 0.98),
    atMost("secrets: false alarms", found(secrets, "falseAlarms"), 0.03),
    atLeast("self-teaching: later jobs that know all, after the last correction", round(last?.share ?? 0), leastTaught),
    atMost("self-teaching: followed though nobody approved it", teaching.wronglyFollowed, 0),
    atMost("CPU of a capture of 200 turns, ms", round(speed.processor), 300),
    atMost(
      `p99 of recall while 10 captures run (${round(speed.recallBeside)} ms) against without (${round(speed.recallAlone)} ms)`,
      round(speed.recallBeside / speed.recallAlone),
      1.5,
    ),
    atLeast("BEAM: what changed, known by the new turn", ofUpdates(updates?.byNew), 0.8),
    atMost("BEAM: what changed, known by the old turn alone", ofUpdates(updates?.byOldAlone), 0.05),
  ];
}

/** The scorer says how many of how many, such as `21 of 28`. */
function shareOfUpdates(dialogues: Score): number | undefined {
  const decisions = typeof dialogues === "string" ? undefined : dialogues["byDecision"];
  const line = typeof decisions === "object" && decisions !== null && "UPDATE" in decisions ? decisions.UPDATE : "";
  const [right, of] = String(line).split(" of ").map(Number);
  return right === undefined || of === undefined ? undefined : round(right / of);
}

function atLeast(figure: string, value: number | undefined, least: number): Verdict {
  return verdict(figure, value, { target: `≥ ${least}`, isMet: value !== undefined && value >= least });
}

function atMost(figure: string, value: number | undefined, most: number): Verdict {
  return verdict(figure, value, { target: `≤ ${most}`, isMet: value !== undefined && value <= most });
}

function verdict(
  figure: string,
  value: number | undefined,
  { target, isMet }: { readonly target: string; readonly isMet: boolean },
): Verdict {
  if (value === undefined) return { figure, value: "", target, verdict: "not measured" };
  return { figure, value, target, verdict: isMet ? "met" : "missed" };
}

function round(value: number): number {
  return Math.round(1_000 * value) / 1_000;
}
