import { maxTurnsPerAppend, type TurnInput } from "@loci/domain";

/** So much of what was said before is compared. */
const mostBefore = 200;

/** Turns of a run that are appended together. */
export interface RunPart {
  readonly turns: readonly TurnInput[];
  /** What was said before them, oldest first. */
  readonly before: readonly TurnInput[];
  /** How many turns the whole run has. */
  readonly runLength: number;
  /** They were looked for among the session's turns up to this number, and were not there. */
  notUpTo: number;
}

/** A run in parts of at most 100 turns each, results of tools together with their calls. */
export function runInParts(run: readonly TurnInput[], before: readonly TurnInput[]): readonly RunPart[] {
  const parts: RunPart[] = [];
  for (let start = 0; start < run.length;) {
    const turns = partFrom(run.slice(start));
    const said = [...before, ...run.slice(0, start)];
    parts.push({ turns, before: said.slice(-mostBefore), runLength: run.length, notUpTo: 0 });
    start += turns.length;
  }
  return parts;
}

function partFrom(rest: readonly TurnInput[]): readonly TurnInput[] {
  if (rest.length <= maxTurnsPerAppend) return rest;
  const end = rest.findLastIndex(({ role }, index) => index <= maxTurnsPerAppend && role !== "tool");
  return rest.slice(0, end <= 0 ? maxTurnsPerAppend : end);
}
