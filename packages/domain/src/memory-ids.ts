import type { Filter } from "./filter.ts";
import type { MemoryId, Sequence } from "./identifiers.ts";
import type { Instant } from "./instant.ts";
import type { Category, MemoryState } from "./memory.ts";
import type { ScopeInput } from "./scope.ts";

/**
 * What memories are ordered by, the largest first; those that are alike by id. `created` and `updated`: their times. `used`: the time
 * of the last use, where what never was used comes last. `uses`: how often. `importance`: what it says.
 */
export const memoryOrders = ["created", "updated", "used", "uses", "importance"] as const;

export type MemoryOrder = (typeof memoryOrders)[number];

/** Which ids to list, and in which order. */
export interface MemoryIdsRequest {
  /** `*`: every scope that the credential covers. */
  readonly scopes: readonly ScopeInput[] | "*";
  /** Default active ones. `quarantined` needs the role `approve`, too. */
  readonly states?: readonly MemoryState[] | undefined;
  /** Default all. */
  readonly categories?: readonly Category[] | undefined;
  /** Metadata that no index has can be asked for, too: each memory is read for it. */
  readonly where?: Filter | undefined;
  /** What the text of a memory holds, 1 to 1,000 bytes. Capital and small letters are the same. Each memory is read for it. */
  readonly text?: string | undefined;
  /** Default `created`. */
  readonly orderBy?: MemoryOrder | undefined;
  /** As of when expired memories are left out, whatever their state. Default now. */
  readonly evaluationTime?: Instant | undefined;
}

/** A part of the list. Of an empty list there is one part, without ids. */
export interface MemoryIdsPart {
  /** Up to 4,096 ids of 16 bytes each, one behind the other. `unpackedMemoryIds` gives them as texts. */
  readonly ids: Uint8Array;
  /** The place of the first of them in the list. At 0 the list begins: anew, when the connection was lost midway. */
  readonly offset: number;
  /** How many ids the whole list has. */
  readonly total: number;
  /** Up to which change of the log the list is complete. What came behind it may be in the list, or not. */
  readonly sequence: Sequence;
  /** The same place, for `memories.watch`, which tells what was changed since. */
  readonly cursor: string;
}

/** How many bytes a packed id has. */
export const packedIdBytes = 16;

/** Ids as `memories.ids` gives them: 16 bytes each. What the last bytes are short of a whole id is left out. */
export function unpackedMemoryIds(packed: Uint8Array): readonly MemoryId[] {
  const ids: MemoryId[] = [];
  for (let start = 0; start + packedIdBytes <= packed.length; start += packedIdBytes) {
    let digits = "";
    for (let at = start; at < start + packedIdBytes; at++) digits += digitsOf[packed[at] as number];
    ids.push(
      `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}` as MemoryId,
    );
  }
  return ids;
}

const digitsOf: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
