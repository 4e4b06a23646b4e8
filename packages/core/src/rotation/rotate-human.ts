import { type ArchivedEntry, type BlockValue, blockValue, type BlockValues, type Instant } from "@loci/domain";
import { humanText, wholeHumanText } from "../blocks/human-text.ts";
import { archivedText, rotationTarget } from "./archived-text.ts";

/** When a human block is rotated, and how far. */
export interface RotationLimits {
  /** Most UTF-16 units of the shown text. */
  readonly maxChars: number;
  /** The share of `maxChars` that must be exceeded. */
  readonly threshold: number;
  /** The share that is left. Default 0.5. */
  readonly target?: number | undefined;
}

export type HumanRotation =
  | { readonly rotated: false; readonly chars: number }
  | {
      readonly rotated: true;
      /** The archival memory, with all that the block held. Written first, in the same commit. */
      readonly archived: string;
      /** The entries that went, in that order. */
      readonly removed: readonly ArchivedEntry[];
      readonly values: BlockValues;
      /** UTF-16 units of the shown text that is left. */
      readonly chars: number;
      /** True when the lists are empty and the text is still longer than the target. */
      readonly overTarget: boolean;
    };

/** What goes first, oldest entries first. */
const order = ["contextNotes", "facts", "preferences"] as const;

/**
 * Makes room in a human block that has grown: entries go until the shown text is short enough. Nothing is lost, because all
 * of them stand in `archived`.
 *
 * @param values in normal form
 */
export function rotateHuman(values: BlockValues, limits: RotationLimits, now: Instant): HumanRotation {
  const chars = humanText(values).length;
  if (!(chars > limits.threshold * limits.maxChars)) return { rotated: false, chars };
  const most = (limits.target ?? rotationTarget) * limits.maxChars;
  const left = new Map<string, BlockValue>(Object.entries(values));
  const removed: ArchivedEntry[] = [];
  let length = chars;
  for (const field of order) {
    const entries = blockValue(values, field);
    if (!Array.isArray(entries)) continue;
    for (const [index, entry] of (entries as readonly string[]).entries()) {
      if (length <= most) break;
      removed.push({ field, entry });
      const rest = entries.slice(index + 1) as readonly string[];
      if (rest.length === 0) left.delete(field);
      else left.set(field, rest);
      length = humanText(Object.fromEntries(left)).length;
    }
  }
  return {
    rotated: true,
    archived: archivedText(wholeHumanText(values), now),
    removed,
    values: Object.fromEntries(left),
    chars: length,
    overTarget: length > most,
  };
}
