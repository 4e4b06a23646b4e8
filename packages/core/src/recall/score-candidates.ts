import { type MemoryId, type MemoryRecord, nthSmallest, sameScope, type ScoreParts } from "@loci/domain";
import { compositeScoreParts } from "../scoring/composite-score.ts";
import { askingFactor } from "./asking-turns.ts";
import { type Answers, answersOf } from "./candidate-relevance.ts";
import { compareScored, type RecallCandidate, type ScoredCandidate } from "./candidate.ts";
import { heldSince } from "./newer-first.ts";
import { betterNeighbourScores, noBoosts, scoreBoosts } from "./neighbours.ts";
import { type PreparedCandidates, type PreparedFactors, prepareCandidates } from "./prepare-candidates.ts";
import { answerFloorAmong, closenessOf } from "./relevance-floor.ts";
import type { RankingInput } from "./ranking-input.ts";

/** How much of a turn's closeness its neighbours have at least: what it says may be told only by what was asked. */
const neighbourShare = 0.6;

/**
 * What the relevance of a turn with an assistant is multiplied by: 1.3 / 1.4, as much less as its exchange gives a person's turn more.
 * Among memories that have no neighbours, such as pieces of documents, it stands where it would without. Turns of such
 * conversations keep their order.
 */
const besideOthers = 0.93;

/**
 * The scores of candidates, those below the relevance floor too: a turn that says little itself may have a neighbour that
 * does. Numbers only; what a score is made of is put together for those that are shown.
 */
export class CandidateScores {
  readonly #input: RankingInput;
  readonly #prepared: PreparedCandidates;
  readonly #answers: Answers;
  /** With what the question's time, the speaker, what the turn asks or tells and the reranker make of them. */
  readonly #relevances: Float64Array;
  /** How close each comes to the question, for the floor. */
  readonly #closeness: Float64Array;
  /** How close the closest must come. */
  readonly #answerFloor: number;
  /** False when not even the closest comes close enough. */
  readonly #isAnswered: boolean;
  readonly #neighbours: Float64Array;
  readonly #scores: Float64Array;
  readonly #lowestRerank: number;
  /** What the question's time has of relevance. Where it alone is asked for, the larger share: what shares a word with `two days ago` is not meant. */
  readonly #timeShare: number;

  /** @param prepared of the same candidates, when they are scored again */
  constructor(input: RankingInput, prepared: PreparedCandidates = prepareCandidates(input)) {
    const { candidates, subQueries, embedder, profile, reranked } = input;
    this.#input = input;
    const { timeShare } = profile;
    this.#timeShare = input.isForTimeAlone === true && timeShare > 0 ? Math.max(timeShare, 1 - timeShare) : timeShare;
    this.#prepared = prepared;
    const { composites } = prepared;
    this.#lowestRerank = reranked === undefined ? 0 : Math.min(1, ...reranked.values());
    this.#answers = answersOf(candidates, subQueries, prepared.textShares, embedder.relevanceWeight);
    this.#relevances = new Float64Array(candidates.length);
    this.#closeness = new Float64Array(candidates.length);
    const own = new Float64Array(candidates.length);
    // What a turn gives its neighbours does not depend on who said it.
    const given = new Float64Array(candidates.length);
    for (let index = 0; index < candidates.length; index++) {
      const candidate = candidates[index] as RecallCandidate;
      const factors = this.#factors(index);
      const answer = this.#adjusted(this.#answers.relevances[index] as number, factors, candidate);
      const said = prepared.places[index]?.conversation.isAssisted === true ? besideOthers * answer : answer;
      const relevance = factors.role === undefined ? said : said * factors.role;
      this.#relevances[index] = relevance;
      given[index] = composites.scoreOf(index, said);
      this.#closeness[index] = closenessOf(candidate, subQueries, prepared.coverages, index);
      own[index] = factors.role === undefined ? (given[index] as number) : composites.scoreOf(index, relevance);
    }
    this.#answerFloor = answerFloorAmong(candidates.length, embedder);
    this.#isAnswered = this.#closeness.some((closeness) => closeness >= this.#answerFloor);
    const heard = betterNeighbourScores(prepared.places, this.#closeness, prepared.factors, noBoosts);
    for (let index = 0; index < heard.length; index++)
      this.#closeness[index] = Math.max(this.#closeness[index] as number, neighbourShare * (heard[index] as number));
    const { neighbourFactor } = profile;
    this.#neighbours = betterNeighbourScores(prepared.places, given, prepared.factors, scoreBoosts);
    for (let index = 0; index < own.length; index++)
      this.#neighbours[index] = neighbourFactor * (this.#neighbours[index] as number);
    this.#scores = own;
    for (let index = 0; index < own.length; index++)
      own[index] = (own[index] as number) + (this.#neighbours[index] as number);
  }

  /** Those that may be recalled, best first. */
  relevant(): ScoredCandidate[] {
    const relevant: ScoredCandidate[] = [];
    for (let index = 0; index < this.#scores.length; index++) {
      const foundBy = this.#foundBy(index);
      if (foundBy !== undefined) relevant.push(this.#scored(index, foundBy));
    }
    const slots = relevant.filter(({ memory }) => memory.slot !== undefined);
    for (const index of slots.length === 0 ? [] : this.#scores.keys()) {
      const { memory } = this.#input.candidates[index] as RecallCandidate;
      if (memory.slot === undefined || this.#foundBy(index) !== undefined) continue;
      const replaces = slots.some((found) => isNewerValue(memory, found.memory));
      if (replaces) relevant.push(this.#scored(index, "relevance"));
    }
    return relevant.toSorted(compareScored);
  }

  /** How close a candidate comes to the question, 0 to 1. */
  closenessOf({ index }: Pick<ScoredCandidate, "index">): number {
    return this.#closeness[index] as number;
  }

  /**
   * Unread candidates by whose closeness, as far as it is known, the question is answered, when no candidate that was read
   * answers it: at most so many, the closest first. The ranking holds only once there are none.
   */
  undecided(most: number): readonly MemoryId[] {
    const { candidates } = this.#input;
    if (!this.#isAnswered) return [];
    const deciding: number[] = [];
    for (let index = 0; index < candidates.length; index++) {
      if ((this.#closeness[index] as number) < this.#answerFloor) continue;
      if (candidates[index]?.isUnread !== true) return [];
      deciding.push(index);
    }
    const closeness = new Float64Array(deciding.length);
    for (let place = 0; place < deciding.length; place++)
      closeness[place] = this.#closeness[deciding[place] as number] as number;
    return greatestPlaces(closeness, most).map(
      (place) => (candidates[deciding[place] as number] as RecallCandidate).memory.id,
    );
  }

  /**
   * Those that may not, because neither their closeness nor rare words or a tag get them past the floor.
   *
   * @param relevant those that may
   */
  belowFloor(relevant: readonly ScoredCandidate[]): readonly ScoredCandidate[] {
    const below: ScoredCandidate[] = [];
    const above = new Set(relevant.map(({ index }) => index));
    for (const index of this.#scores.keys()) if (!above.has(index)) below.push(this.#scored(index, "relevance"));
    return below;
  }

  /** How close a candidate must come. Where nothing answers at all: how close the closest must. */
  get floor(): number {
    return this.#isAnswered ? this.#input.embedder.relevanceFloor : this.#answerFloor;
  }

  /** What the score of a candidate is made of. */
  partsOf({ index, candidate }: Pick<ScoredCandidate, "index" | "candidate">): ScoreParts {
    const query = this.#answers.subQueries[index] as number;
    const cosine = candidate.cosines[query];
    const { time, speaker, asking, role, instruction } = this.#factors(index);
    const { queryTags, profile, evaluationTime } = this.#input;
    const { memory, usage, lastRecalledAt } = candidate;
    const scored = { memory, usage, relevance: 0, lastRecalledAt, queryTags };
    const { relevance: _, ...factors } = compositeScoreParts(scored, profile, evaluationTime);
    return {
      relevance: this.#relevances[index] as number,
      ...(cosine === undefined ? {} : { cosine }),
      text: this.#prepared.textShares[query]?.[index] ?? 0,
      ...(time === undefined ? {} : { time }),
      ...(speaker === undefined ? {} : { speaker }),
      ...(asking > 0 ? { asking: askingFactor(asking) } : {}),
      ...(role === undefined ? {} : { role }),
      ...(instruction === undefined ? {} : { instruction }),
      ...(this.#input.reranked === undefined ? {} : { rerank: this.#rerank(candidate) }),
      ...factors,
      neighbours: this.#neighbours[index] as number,
    };
  }

  #factors(index: number): PreparedFactors {
    return this.#prepared.factors[index] as PreparedFactors;
  }

  #scored(index: number, foundBy: ScoredCandidate["foundBy"]): ScoredCandidate {
    const candidate = this.#input.candidates[index] as RecallCandidate;
    return new Scored(candidate, index, this.#scores[index] as number, foundBy);
  }

  /** Whether it answers at all is not for its time, its speaker, its questions or the reranker to say. */
  #foundBy(index: number): ScoredCandidate["foundBy"] | undefined {
    const closeness = this.#closeness[index] as number;
    const isRelevant = this.#isAnswered && closeness >= this.#input.embedder.relevanceFloor && closeness > 0;
    return isRelevant ? "relevance" : this.#factors(index).pastFloor;
  }

  #adjusted(
    answer: number,
    { time, speaker, asking, instruction }: PreparedFactors,
    candidate: RecallCandidate,
  ): number {
    const { profile, reranked } = this.#input;
    const timeShare = this.#timeShare;
    let relevance = time === undefined ? answer : (1 - timeShare) * answer + timeShare * time;
    if (speaker !== undefined) relevance *= speaker;
    if (asking > 0) relevance *= askingFactor(asking);
    if (instruction !== undefined) relevance = Math.min(1, relevance * instruction);
    if (reranked === undefined) return relevance;
    return (1 - profile.rerankShare) * relevance + profile.rerankShare * this.#rerank(candidate);
  }

  #rerank({ memory }: RecallCandidate): number {
    return this.#input.reranked?.get(memory.id) ?? this.#lowestRerank;
  }
}

/** One of hundreds at once, and so of a class: see decision 85. */
class Scored implements ScoredCandidate {
  readonly id: MemoryId;
  readonly index: number;
  readonly candidate: RecallCandidate;
  readonly memory: MemoryRecord;
  readonly score: number;
  readonly foundBy: ScoredCandidate["foundBy"];

  constructor(candidate: RecallCandidate, index: number, score: number, foundBy: ScoredCandidate["foundBy"]) {
    const { memory } = candidate;
    this.id = memory.id;
    this.index = index;
    this.candidate = candidate;
    this.memory = memory;
    this.score = score;
    this.foundBy = foundBy;
  }
}

/** The places of the greatest so many numbers, ascending; of equal ones the first. */
function greatestPlaces(numbers: Float64Array, most: number): readonly number[] {
  if (numbers.length <= most) return [...numbers.keys()];
  const least = nthSmallest(numbers.slice(), numbers.length - most);
  let equal = most;
  for (const number of numbers) if (number > least) equal--;
  const places: number[] = [];
  for (let place = 0; place < numbers.length; place++)
    if ((numbers[place] as number) > least || (numbers[place] === least && equal-- > 0)) places.push(place);
  return places;
}

/** A newer value of a slot whose older one answers comes with it, however it is put. */
function isNewerValue(memory: MemoryRecord, found: MemoryRecord): boolean {
  return memory.slot === found.slot && heldSince(memory) > heldSince(found) && sameScope(memory.scope, found.scope);
}

/** The best candidates that may be recalled at all, best first: what a reranker is asked about. */
export function rerankable(
  input: RankingInput,
  most: number,
  prepared: PreparedCandidates = prepareCandidates(input),
): readonly { readonly id: MemoryId; readonly text: string }[] {
  const best = new CandidateScores(input, prepared).relevant().slice(0, most);
  return best.map(({ id, memory }) => ({ id, text: memory.text }));
}
