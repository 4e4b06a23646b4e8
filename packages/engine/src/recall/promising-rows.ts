import { type AnalysedSubQuery, relevance } from "@loci/core";
import { nthSmallest, type Ref } from "@loci/domain";
import type { TextHit } from "@loci/store";
import type { FoundRow, FoundRows } from "./found-rows.ts";

/** What the vectors of all sub-queries have found. */
export interface FoundByMeaning {
  readonly rows: readonly FoundRow[];
  /** True when there are no more. */
  readonly isExhausted: boolean;
  /** As `FoundRows` has them. */
  readonly unfoundCosines: readonly number[] | undefined;
}

/** What the words of one sub-query have found. */
export interface FoundByWords {
  /** In no order. */
  readonly rows: readonly ScoredRow[];
  /** Of the rows; 0 without one. */
  readonly bestScore: number;
  readonly isExhausted: boolean;
  /** What a row that was not found may score at most. */
  readonly unfoundScore: number;
}

/** A row and its BM25 for one sub-query. */
export interface ScoredRow extends FoundRow {
  readonly score: number;
}

/** A row that was found by meaning and by words. One of hundreds at once, and so of a class: see decision 85. */
class RowOfBoth implements FoundRow {
  readonly ref: Ref;
  readonly version: number;
  readonly cosines: FoundRow["cosines"];
  readonly isUnfound: FoundRow["isUnfound"];
  readonly words: TextHit;

  constructor({ ref, version, cosines, isUnfound }: FoundRow, words: TextHit) {
    this.ref = ref;
    this.version = version;
    this.cosines = cosines;
    this.isUnfound = isUnfound;
    this.words = words;
  }
}

/** What all searches have found. */
export interface FoundTogether {
  readonly byMeaning: FoundByMeaning;
  /** In the order of the sub-queries. */
  readonly byWords: readonly FoundByWords[];
  readonly subQueries: readonly AnalysedSubQuery[];
  /** Weight of the cosine in relevance, 0 to 1. */
  readonly relevanceWeight: number;
}

/** The best so many, ties by ref. They are put in order only where there are more. */
export function bestByWords(scored: readonly ScoredRow[], limit: number): FoundByWords {
  const rows = scored.length <= limit ? scored : scored.toSorted(compareScored).slice(0, limit);
  let bestScore = 0;
  let lastScore = Infinity;
  for (const { score } of rows) {
    if (score > bestScore) bestScore = score;
    if (score < lastScore) lastScore = score;
  }
  return rows.length < limit
    ? { rows, bestScore, isExhausted: true, unfoundScore: 0 }
    : { rows, bestScore, isExhausted: false, unfoundScore: lastScore };
}

/**
 * The rows that may be the most relevant, out of those that the searches found: the best `limit` by what the relevance of
 * each with a vector is at most, ties by ref. So a memory that both searches found in the middle is not pushed out by those that one of
 * them found there, and what is then looked up does not grow with the number of searches.
 */
export function promisingRows(found: FoundTogether, limit: number): FoundRows {
  const rows: FoundRow[] = [];
  const places = new Map<Ref, number>();
  const add = (row: FoundRow): void => {
    const place = places.get(row.ref);
    if (place === undefined) {
      places.set(row.ref, rows.length);
      rows.push(row);
    } else if (row.words !== undefined) rows[place] = new RowOfBoth(rows[place] as FoundRow, row.words);
  };
  for (const row of found.byMeaning.rows) add(row);
  for (const words of found.byWords) for (const row of words.rows) add(row);
  const isExhausted = found.byMeaning.isExhausted && found.byWords.every((words) => words.isExhausted);
  if (rows.length <= limit) return { rows, isExhausted };
  return { rows: bestRows(rows, mostRelevances(found, rows, places), limit), isExhausted: false };
}

/** The best so many, ties by ref; in no order. @param limit less than there are */
function bestRows(rows: readonly FoundRow[], relevances: Float64Array, limit: number): readonly FoundRow[] {
  const last = nthSmallest(relevances.slice(), rows.length - limit);
  const best: FoundRow[] = [];
  const equal: FoundRow[] = [];
  for (let index = 0; index < rows.length; index++) {
    const relevance = relevances[index] as number;
    if (relevance > last) best.push(rows[index] as FoundRow);
    else if (relevance === last) equal.push(rows[index] as FoundRow);
  }
  for (const row of equal.toSorted(compareRefs).slice(0, limit - best.length)) best.push(row);
  return best;
}

/** What the relevance of each row is at most, if it has a vector. @param places of the rows in their list */
function mostRelevances(
  { byMeaning, byWords, subQueries, relevanceWeight }: FoundTogether,
  rows: readonly FoundRow[],
  places: ReadonlyMap<Ref, number>,
): Float64Array {
  const most = new Float64Array(rows.length);
  for (const [query, { weight }] of subQueries.entries()) {
    const shares = textShares(byWords[query], places);
    const unfoundCosine = byMeaning.unfoundCosines?.[query];
    for (let index = 0; index < rows.length; index++) {
      // A row that was not found by nearness is rated as one that is just not near enough. As one without a vector, whose
      // words alone count, it would push out what both searches found: how much, the store's bounds would decide.
      const cosine = rows[index]?.cosines?.[query] ?? unfoundCosine;
      const value = weight * relevance(cosine, shares[index] as number, relevanceWeight);
      if (value > (most[index] as number)) most[index] = value;
    }
  }
  return most;
}

/** What the text share of each row is at most for one sub-query. */
function textShares(words: FoundByWords | undefined, places: ReadonlyMap<Ref, number>): Float64Array {
  const shares = new Float64Array(places.size);
  if (words === undefined || words.bestScore === 0) return shares;
  const { rows, bestScore, unfoundScore } = words;
  shares.fill(unfoundScore / bestScore);
  for (const { ref, score } of rows) shares[places.get(ref) as number] = score / bestScore;
  return shares;
}

function compareScored(left: ScoredRow, right: ScoredRow): number {
  return right.score - left.score || compareRefs(left, right);
}

function compareRefs(left: FoundRow, right: FoundRow): number {
  return left.ref < right.ref ? -1 : left.ref > right.ref ? 1 : 0;
}
