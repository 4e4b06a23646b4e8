import type { Instant, MemoryRecord } from "@loci/domain";
import type { ScoredCandidate } from "./candidate.ts";

/** Two candidates of which at most one holds, in any order. */
export type Contradiction = readonly [ScoredCandidate, ScoredCandidate];

/**
 * Lets the values of one slot change places among themselves, so that of them the newest stands first. Everything else stays
 * where it is.
 *
 * They are newer when they have been true since later, or else were said later; among equally new ones the order stays.
 *
 * @param ordered in the order of who comes first
 */
export function newerFirst(ordered: readonly ScoredCandidate[]): readonly ScoredCandidate[] {
  const places = new Map<string, number[]>();
  for (const [place, { memory }] of ordered.entries()) {
    if (memory.slot === undefined) continue;
    const others = places.get(memory.slot);
    if (others === undefined) places.set(memory.slot, [place]);
    else others.push(place);
  }
  if (places.size === 0) return ordered;
  const turned = [...ordered];
  for (const of of places.values()) {
    if (of.length === 1) continue;
    const newest = newestFirst(of.map((place) => ordered[place] as ScoredCandidate));
    for (const [turn, place] of of.entries()) turned[place] = newest[turn] as ScoredCandidate;
  }
  return turned;
}

/**
 * Puts those of some that are newer than the best placed of them right before it, the newest first. It loses one place to each of
 * these, however far behind they stood: what matches best holds what is asked for, if not the latest of it. Everything else
 * stays in its order.
 *
 * @param ordered in the order of who comes first
 * @param some who is not in the list is passed over
 */
export function newestOf(
  ordered: readonly ScoredCandidate[],
  some: readonly ScoredCandidate[],
): readonly ScoredCandidate[] {
  const meant = new Set(some.map(({ index }) => index));
  const best = ordered.findIndex(({ index }) => meant.has(index));
  const first = ordered[best];
  if (first === undefined) return ordered;
  const isNewer = ({ index, memory }: ScoredCandidate): boolean =>
    meant.has(index) && heldSince(memory) > heldSince(first.memory);
  const behind = ordered.slice(best);
  return [
    ...ordered.slice(0, best),
    ...newestFirst(behind.filter(isNewer)),
    ...behind.filter((scored) => !isNewer(scored)),
  ];
}

function newestFirst(some: readonly ScoredCandidate[]): readonly ScoredCandidate[] {
  return some.toSorted((left, right) => heldSince(right.memory) - heldSince(left.memory));
}

/**
 * Puts the newer one of each pair right before the older one, if it comes behind it. Of several newer ones the order stays;
 * each of them has what is newer than itself before it in turn. Everything else stays where it is.
 *
 * @param ordered in the order of who comes first
 * @param pairs who is not in the list is passed over
 */
export function newerBeforeOlder(
  ordered: readonly ScoredCandidate[],
  pairs: readonly Contradiction[],
): readonly ScoredCandidate[] {
  const places = placesByIndex(ordered);
  /** Where the newer ones stand, of each older one by its place. */
  const newer = new Map<number, number[]>();
  for (const [left, right] of pairs) {
    const since = heldSince(left.memory);
    const other = heldSince(right.memory);
    if (since === other) continue;
    const isInOrder = since < other;
    const place = places[(isInOrder ? left : right).index] ?? -1;
    const ofLater = places[(isInOrder ? right : left).index] ?? -1;
    if (place < 0 || ofLater < 0) continue;
    const known = newer.get(place);
    if (known === undefined) newer.set(place, [ofLater]);
    else known.push(ofLater);
  }
  if (newer.size === 0) return ordered;
  const isPut = new Uint8Array(ordered.length);
  const turned: ScoredCandidate[] = [];
  const put = (place: number): void => {
    if (isPut[place] === 1) return;
    const before = newer.get(place);
    // Each step leads to a newer one, so that it ends.
    if (before !== undefined) for (const at of before.toSorted((left, right) => left - right)) put(at);
    isPut[place] = 1;
    turned.push(ordered[place] as ScoredCandidate);
  };
  for (let place = 0; place < ordered.length; place++) put(place);
  return turned;
}

/** -1 for those that are not in the list. */
function placesByIndex(ordered: readonly ScoredCandidate[]): Int32Array {
  let most = 0;
  for (const { index } of ordered) most = Math.max(most, index);
  const places = new Int32Array(most + 1).fill(-1);
  for (let place = 0; place < ordered.length; place++) places[(ordered[place] as ScoredCandidate).index] = place;
  return places;
}

/** When a memory began to hold, or else was said: the later one is the newer. */
export function heldSince({ validFrom, createdAt }: Pick<MemoryRecord, "validFrom" | "createdAt">): Instant {
  return validFrom ?? createdAt;
}
