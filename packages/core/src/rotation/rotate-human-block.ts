import { type Instant, LociError } from "@loci/domain";
import { everyEntry, humanText, type HumanValues } from "../blocks/human-text.ts";

/** When a human block rotates, and how far. */
export interface RotationLimits {
  /** The greatest length of the shown text in UTF-16 units, from 1 on. */
  readonly maxChars: number;
  /** Share of the maximum above which the block rotates. */
  readonly threshold: number;
  /** Share of the maximum that the shown text then has at most. */
  readonly target: number;
}

/** The lists that entries leave, in this order. */
const emptiedInOrder = ["contextNotes", "facts", "preferences"] as const;

/** An entry that left its list. */
export interface RemovedEntry {
  readonly field: (typeof emptiedInOrder)[number];
  readonly entry: string;
}

/** A block that is not above its threshold: nothing about it changes. */
export interface HumanKept {
  readonly rotated: false;
  /** Length of the shown text. */
  readonly chars: number;
}

/** What became of a block that was above its threshold. */
export interface HumanRotated {
  readonly rotated: true;
  /** The text with every entry, to be kept before any of them goes. */
  readonly archived: string;
  /** In the order in which they went. */
  readonly removed: readonly RemovedEntry[];
  readonly values: HumanValues;
  /** Length of the shown text now. */
  readonly chars: number;
  /** The lists are empty, and the text is still longer than the target. */
  readonly overTarget: boolean;
}

/**
 * Lets the oldest notes, then facts, then preferences of a human block go, one at a time, until the shown text is short
 * enough. A block that is not above the threshold stays as it is.
 *
 * @throws LociError `INVALID_NUMBER` for a maximum below 1 or a share below 0
 */
export function rotateHumanBlock(values: HumanValues, limits: RotationLimits, at: Instant): HumanKept | HumanRotated {
  checkLimits(limits);
  let chars = humanText(values).length;
  if (chars <= limits.threshold * limits.maxChars) return { rotated: false, chars };

  const archived = `[ARCHIVED ${wholeSeconds(at)}]\n${humanText(values, everyEntry)}`;
  const wanted = limits.target * limits.maxChars;
  const removed: RemovedEntry[] = [];
  let left = values;
  for (const field of emptiedInOrder) {
    const entries = [...(left[field] ?? [])];
    while (chars > wanted && entries.length > 0) {
      removed.push({ field, entry: entries.shift() ?? "" });
      left = withList(left, field, entries);
      chars = humanText(left).length;
    }
  }
  return { rotated: true, archived, removed, values: left, chars, overTarget: chars > wanted };
}

/** A list that lost its last entry is absent, as in the normal form. */
function withList(values: HumanValues, field: RemovedEntry["field"], entries: readonly string[]): HumanValues {
  if (entries.length > 0) return { ...values, [field]: [...entries] };
  const { [field]: _emptied, ...others } = values;
  return others;
}

function wholeSeconds(at: Instant): string {
  return `${new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, -".000Z".length)}Z`;
}

function checkLimits({ maxChars, threshold, target }: RotationLimits): void {
  for (const [field, value, least] of [
    ["maxChars", maxChars, 1],
    ["threshold", threshold, 0],
    ["target", target, 0],
  ] as const)
    if (!Number.isFinite(value) || value < least)
      throw new LociError("INVALID_NUMBER", {
        message: `${field} must be a number from ${least} on, but is ${value}.`,
        field,
        advice: "Pass a length in UTF-16 units as maxChars, and shares of it as threshold and target.",
      });
}
