import type { Ref } from "@loci/domain";
import type { RowVersion } from "@loci/store";
import { packRef, refBytes, unpackRef } from "./segments/ref-bytes.ts";
import type { SentRows } from "./worker/protocol.ts";

/** Unpacks what came from the index thread. */
export function rowVersions({ refs, versions }: SentRows): RowVersion[] {
  return Array.from(versions, (version, index) => ({ ref: unpackRef(refs, index * refBytes), version }));
}

interface PackedRefs {
  /** Those that were packed: others are in no index. */
  readonly asked: readonly Ref[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Packs refs for the index thread. */
export function packRefs(refs: readonly Ref[]): PackedRefs {
  const bytes = new Uint8Array(refs.length * refBytes);
  const asked = refs.filter((ref, index) => packRef(ref, bytes, index * refBytes));
  return asked.length === refs.length ? { asked, bytes } : packRefs(asked);
}

/** The numbers of one row, out of those of all rows, so many a row. */
export function numbersOfRow(numbers: Float64Array, row: number, perRow: number): number[] {
  // An array that grows reserves room for many.
  if (perRow === 1) return [numbers[row] as number];
  const own: number[] = [];
  for (let at = row * perRow; at < (row + 1) * perRow; at++) own.push(numbers[at] as number);
  return own;
}
