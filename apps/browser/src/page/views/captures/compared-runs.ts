import type { CaptureCandidate } from "@loci/api-web";

/** A statement in a run that is kept and in a dry run of the same turns. Undefined: that run did not find it. */
export interface ComparedStatement {
  readonly kept: CaptureCandidate | undefined;
  readonly tried: CaptureCandidate | undefined;
  /** Both say and decide the same. */
  readonly isSame: boolean;
}

/** Two runs, statement by statement, in the order in which they were said. Statements are the same when the same words are their first evidence. */
export function compareRuns(
  kept: readonly CaptureCandidate[],
  tried: readonly CaptureCandidate[],
): readonly ComparedStatement[] {
  const rest = Map.groupBy(tried, keyOf);
  const both = kept.map((candidate): ComparedStatement => {
    const other = rest.get(keyOf(candidate))?.shift();
    return { kept: candidate, tried: other, isSame: other !== undefined && isSame(candidate, other) };
  });
  const added = [...rest.values()].flat().map((candidate): ComparedStatement => ({
    kept: undefined,
    tried: candidate,
    isSame: false,
  }));
  return [...both, ...added].toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** One statement may be both: what is so, and how the assistant is to behave. */
function keyOf({ evidence: [first], isInstinct }: CaptureCandidate): string {
  return `${first?.turn} ${first?.start} ${first?.end} ${isInstinct}`;
}

/** Turns are shorter than this. */
const longestTurn = 1_000_000;

function placeOf({ kept, tried }: ComparedStatement): number {
  const [first] = (kept ?? tried)?.evidence ?? [];
  return first === undefined ? Infinity : first.turn * longestTurn + first.start;
}

function isSame(one: CaptureCandidate, other: CaptureCandidate): boolean {
  const same = (["state", "decision", "reason", "category", "slot", "scope", "target"] as const).every(
    (field) => one[field] === other[field],
  );
  // Of what was erased since, or is for others, the words are not there.
  return same && (one.text === other.text || one.text === "" || other.text === "");
}
