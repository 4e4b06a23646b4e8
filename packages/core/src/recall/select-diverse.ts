import type { DropReason, Memory, MemoryId } from "@loci/domain";
import type { ScoredCandidate } from "./candidate.ts";
import { KeptTexts } from "./kept-texts.ts";
import { Rivals } from "./rivals.ts";
import type { Contradiction } from "./newer-first.ts";
import { stepLength, type Steps } from "./steps.ts";
import { ToldTwice } from "./told-twice.ts";
import type { UnreadOf } from "./unread-candidates.ts";

export interface SelectionLimits {
  /** Places for everything but procedures. */
  readonly limit: number;
  readonly procedureLimit: number;
  /** Cosine from which two texts say the same thing. */
  readonly duplicateGate: number;
}

/** Told of each candidate that gets no place. */
export type Reject = (rejected: ScoredCandidate, reason: DropReason, inFavourOf?: MemoryId) => void;

export interface Selection {
  /** In the order they were given a place. */
  readonly kept: readonly ScoredCandidate[];
  /** Those kept in nearly the same words of which at most one holds, where the question does not tell them apart. */
  readonly contradictions: readonly Contradiction[];
  /**
   * Candidates that must be read to tell whether those that came up for a place deserve it. Without any the selection is
   * final: whoever did not come up with the score it has at most, would not with the one it has.
   */
  readonly unread: readonly MemoryId[];
}

/** Most places for memories of one provenance source, so that no source can fill the answer with paraphrases. */
const placesPerSource = 5;

/**
 * Gives out the places, first come first served: procedures and everything else have their own.
 *
 * - What a kept memory already says gets none. What contradicts it does: see `agreementOf`.
 * - One provenance source gets at most 5 places in all, unless it is a conversation.
 * - One category gets at most half of the places (at least one) while others follow that score half as much or more; those
 *   that stood back for them come right after them.
 *
 * A long text at a time.
 *
 * @param ordered in the order of who comes first
 * @param unreadOf which unread candidates a score depends on
 */
export function* selectDiverse(
  ordered: readonly ScoredCandidate[],
  limits: SelectionLimits,
  unreadOf: UnreadOf,
  reject: Reject,
): Steps<Selection> {
  const kept: ScoredCandidate[] = [];
  const unread = new Set<MemoryId>();
  const texts = new KeptTexts(limits.duplicateGate);
  const told = new ToldTwice();
  const sources = new Map<string, number>();
  const archival = newPlaces(limits.limit);
  const procedures = newPlaces(limits.procedureLimit);
  const placesFor = ({ memory }: ScoredCandidate): Places => (memory.category === "procedure" ? procedures : archival);

  const hasPlace = (scored: ScoredCandidate, position: number): boolean => {
    const places = placesFor(scored);
    if (places.left === 0) reject(scored, gaveWay(places, scored, position) ? "CATEGORY_SHARE" : "OVER_LIMIT");
    return places.left > 0;
  };

  const place = (scored: ScoredCandidate, position: number): void => {
    for (const id of unreadOf(scored.index)) unread.add(id);
    const source = cappedSource(scored.memory);
    const taken = source === undefined ? 0 : (sources.get(source) ?? 0);
    if (taken >= placesPerSource) {
      reject(scored, "SOURCE_SHARE");
      return;
    }
    const twin = told.find(scored) ?? texts.keep(scored);
    if (twin !== undefined) {
      reject(scored, "NEAR_DUPLICATE", twin.id);
      return;
    }
    kept.push(scored);
    told.add(scored);
    if (source !== undefined) sources.set(source, taken + 1);
    const places = placesFor(scored);
    places.left--;
    const { count } = ofCategory(places, scored);
    places.byCategory.set(scored.memory.category, { count: count + 1, last: position });
  };

  const rivals = new Rivals(ordered);
  // By category, each in the order.
  const waiting = new Map<string, Waiting[]>();
  const standBack = (candidate: Waiting): void => {
    const { category } = candidate.scored.memory;
    const ofOneCategory = waiting.get(category);
    if (ofOneCategory === undefined) waiting.set(category, [candidate]);
    else ofOneCategory.push(candidate);
  };
  for (let position = 0; position < ordered.length; position++) {
    if (waiting.size > 0)
      for (const { scored: waited, position: stood } of overtaken(waiting, rivals, position)) {
        if (!hasPlace(waited, stood)) continue;
        if (isLong(waited)) yield;
        place(waited, stood);
      }
    const scored = ordered[position] as ScoredCandidate;
    const places = placesFor(scored);
    if (places.left === 0) reject(scored, "OVER_LIMIT");
    else if (ofCategory(places, scored).count >= places.perCategory && rivals.mayGoBefore(scored, position + 1))
      standBack({ position, scored });
    else {
      if (isLong(scored)) yield;
      place(scored, position);
    }
  }
  const stillWaiting = [...waiting.values()].flat().toSorted((one, other) => one.position - other.position);
  for (const { scored, position } of stillWaiting) {
    if (!hasPlace(scored, position)) continue;
    if (isLong(scored)) yield;
    place(scored, position);
  }
  return { kept, contradictions: texts.contradictions, unread: [...unread] };
}

/** Takes out those before whom nobody of another category may go any more. */
function overtaken(waiting: ReadonlyMap<string, Waiting[]>, rivals: Rivals, position: number): readonly Waiting[] {
  const taken: Waiting[] = [];
  for (const ofOneCategory of waiting.values())
    while (ofOneCategory[0] !== undefined && !rivals.mayGoBefore(ofOneCategory[0].scored, position))
      taken.push(ofOneCategory.shift() as Waiting);
  return taken;
}

/** Whether it takes a step of its own. */
function isLong({ memory }: ScoredCandidate): boolean {
  return memory.text.length > stepLength;
}

/** How many of the memories could be given a place at most, if nothing else stood in their way. */
export function placeableOf(memories: Iterable<Pick<Memory, "provenance">>): number {
  const sources = new Map<string, number>();
  let placeable = 0;
  for (const memory of memories) {
    const source = cappedSource(memory);
    const taken = source === undefined ? 0 : (sources.get(source) ?? 0);
    if (taken >= placesPerSource) continue;
    if (source !== undefined) sources.set(source, taken + 1);
    placeable++;
  }
  return placeable;
}

/** A candidate that stands back for those of other categories that may go before it. */
interface Waiting {
  readonly position: number;
  readonly scored: ScoredCandidate;
}

interface Places {
  left: number;
  readonly perCategory: number;
  readonly byCategory: Map<string, CategoryPlaces>;
}

interface CategoryPlaces {
  readonly count: number;
  /** Where the last one that got a place stood in the order. */
  readonly last: number;
}

const noPlaces: CategoryPlaces = { count: 0, last: -1 };

function ofCategory({ byCategory }: Places, { memory }: ScoredCandidate): CategoryPlaces {
  return byCategory.get(memory.category) ?? noPlaces;
}

/** Whether another category was given a place although it came later. */
function gaveWay({ byCategory }: Places, { memory }: ScoredCandidate, position: number): boolean {
  return byCategory.entries().some(([category, { last }]) => category !== memory.category && last > position);
}

function newPlaces(places: number): Places {
  return { left: places, perCategory: Math.max(1, Math.floor(places / 2)), byCategory: new Map() };
}

/** The source whose places are counted, or `undefined` for a memory that cites none or rests on a conversation. */
function cappedSource({ provenance }: Pick<Memory, "provenance">): string | undefined {
  return provenance === undefined || provenance.kind === "conversation"
    ? undefined
    : `${provenance.kind}\n${provenance.sourceId}`;
}
