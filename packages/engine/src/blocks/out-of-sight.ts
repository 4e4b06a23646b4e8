import { entriesOutOfSight } from "@loci/core";
import { type ArchivedEntry, blockValue, type BlockValues } from "@loci/domain";
import type { BlockState } from "./block-records.ts";

/** What a new version of a human block does to the entries that it holds and no context shows. */
export interface SightChange {
  readonly label: string;
  /** They were shown, or not there, and are not shown now. */
  readonly hidden: readonly ArchivedEntry[];
  /** They were not shown, and are in the block no more. */
  readonly withdrawn: readonly ArchivedEntry[];
}

/** @param former the version before; a removed block holds nothing */
export function sightChange(former: BlockState | undefined, after: BlockState): SightChange {
  const outBefore = outOfSight(former);
  const outNow = outOfSight(after);
  return {
    label: after.label,
    hidden: outNow.filter((entry) => !outBefore.some((other) => isSame(entry, other))),
    withdrawn: outBefore.filter(({ field, entry }) => !entriesOf(after.values, field).includes(entry)),
  };
}

function outOfSight(state: BlockState | undefined): readonly ArchivedEntry[] {
  return state?.schema === "human" && state.form === undefined ? entriesOutOfSight(state.values) : [];
}

function entriesOf(values: BlockValues, field: string): readonly string[] {
  const value = blockValue(values, field);
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

function isSame(left: ArchivedEntry, right: ArchivedEntry): boolean {
  return left.field === right.field && left.entry === right.entry;
}
