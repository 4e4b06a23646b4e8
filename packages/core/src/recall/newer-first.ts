import type { Instant, MemoryRecord } from "@loci/domain";
import type { ScoredCandidate } from "./candidate.ts";

/** Two candidates of which at most one holds, in any order. */
export type Contradiction = readonly [ScoredCandidate, ScoredCandidate];

/**
 * Lets those that contradict each other change places among themselves, so that of them the newest stands first. Everything
 * else stays where it is.
 *
 * The values of one slot always contradict each other. They are newer when they have been true since later, or else were
 * said later; among equally new ones the order stays.
 *
 * @param ordered in the order of who comes first
 * @param contradictions besides those of slots. Who is not in the list is passed over
 */
export function newerFirst(
  ordered: readonly ScoredCandidate[],
  contradictions: readonly Contradiction[] = [],
): readonly ScoredCandidate[] {
  const groups = new Groups();
  const slots = new Map<string, number>();
  for (const { index, memory } of ordered) {
    if (memory.slot === undefined) continue;
    const first = slots.get(memory.slot);
    if (first === undefined) slots.set(memory.slot, index);
    else groups.join(first, index);
  }
  for (const [left, right] of contradictions) groups.join(left.index, right.index);
  if (groups.isEmpty) return ordered;

  const places = new Map<number, number[]>();
  for (const [place, { index }] of ordered.entries()) {
    const group = groups.of(index);
    const others = places.get(group);
    if (others === undefined) places.set(group, [place]);
    else others.push(place);
  }
  const turned = [...ordered];
  for (const of of places.values()) {
    if (of.length === 1) continue;
    const newest = of
      .map((place) => ordered[place] as ScoredCandidate)
      .toSorted((left, right) => heldSince(right.memory) - heldSince(left.memory));
    for (const [turn, place] of of.entries()) turned[place] = newest[turn] as ScoredCandidate;
  }
  return turned;
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

/** Numbers that belong together. Each one that was never joined is a group of its own. */
class Groups {
  readonly #parents = new Map<number, number>();

  get isEmpty(): boolean {
    return this.#parents.size === 0;
  }

  /** The same number for all members of a group. */
  of(member: number): number {
    let root = member;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent;
    return root;
  }

  join(left: number, right: number): void {
    const [one, other] = [this.of(left), this.of(right)];
    if (one !== other) this.#parents.set(Math.max(one, other), Math.min(one, other));
  }
}
