import { inverseDocumentFrequencies } from "@loci/domain";
import { CompositeScores } from "../scoring/composite-score.ts";
import { askingShare } from "./asking-turns.ts";
import { briefFactor } from "./brief-turns.ts";
import { placesOfTurns, type TurnPlace } from "./conversation-turns.ts";
import type { RecallCandidate } from "./candidate.ts";
import { closenessTo } from "./named-times.ts";
import { numberedNames, weighNumberedNames } from "./numbered-names.ts";
import type { RankingInput } from "./ranking-input.ts";
import { type Coverages, coverages, rareTerms, wayPastFloor } from "./relevance-floor.ts";
import { instructionFactor } from "./standing-instructions.ts";
import { type TextShares, textSharesOf } from "./text-shares.ts";

/** What a ranking takes of candidates that does not depend on their vectors. All lists are in the candidates' order. */
export interface PreparedCandidates {
  readonly textShares: TextShares;
  readonly places: readonly (TurnPlace | undefined)[];
  readonly factors: readonly PreparedFactors[];
  readonly coverages: Coverages;
  readonly composites: CompositeScores;
}

/** The factors of one candidate's score that its relevance has no part in. */
export interface PreparedFactors {
  /** How close it was made to the times that the question names; `undefined` when it names none. */
  readonly time: number | undefined;
  /** What its relevance is multiplied by when the question names its speaker. */
  readonly speaker: number | undefined;
  /** How much of it asks, 0 to 1. Only turns among people do. */
  readonly asking: number;
  /** How much of it calls for an answer, 0 to 1: what asks among people, and what an assistant asks. */
  readonly elicits: number;
  /** What its relevance is multiplied by when an assistant or a tool said it, or a person says next to nothing with it. */
  readonly role: number | undefined;
  /** What its relevance is multiplied by when it tells an assistant how to be from now on. */
  readonly instruction: number | undefined;
  /** How it gets past the relevance floor if its closeness does not suffice. */
  readonly pastFloor: "relevance" | "tag" | "time" | undefined;
}

/**
 * An assistant's turn counts in full up to so many terms: what is said shortly repeats nothing at length. Chosen on RealMem: 60 to
 * 120 give the same within 0.6 points.
 */
const saidShortly = 90;

/**
 * The same where somebody asks about themselves: what an assistant says at some length is then rarely more than an echo of what they told it. At 0 a
 * question of a pupil's chat is lost, from 45 on histories of one user with an assistant lose. See decision 152.
 */
const saidShortlyOfWhoAsks = 30;

/**
 * What the relevance of a turn of an assistant or a tool is multiplied by. An assistant's counts less the longer it is, and at least
 * the factor given. What a tool puts out is said to nobody, so that it counts no more for being short.
 */
function roleFactor({ role }: TurnPlace, length: number, assistantFactor: number, isForHelp: boolean): number {
  const inFull = isForHelp ? saidShortly : saidShortlyOfWhoAsks;
  return role === "tool" ? assistantFactor : Math.max(assistantFactor, Math.min(1, inFull / length));
}

function saidFactor(
  place: TurnPlace,
  { length, memory: { provenance } }: RecallCandidate,
  { profile, isForAnswers, isForHelp }: Pick<RankingInput, "profile" | "isForAnswers" | "isForHelp">,
): number | undefined {
  const { isAssisted, isAmongPeople } = place.conversation;
  if (place.role === "person")
    return isAssisted || isAmongPeople ? briefFactor(length, provenance?.speaker) : undefined;
  if (isForAnswers === true && place.role === "assistant") return undefined;
  return roleFactor(place, length, profile.assistantFactor, isForHelp === true);
}

/** One of hundreds at once, and so of a class: see decision 85. */
class CandidateFactors implements PreparedFactors {
  readonly time: number | undefined;
  readonly speaker: number | undefined;
  readonly asking: number;
  readonly elicits: number;
  readonly role: number | undefined;
  readonly instruction: number | undefined;
  readonly pastFloor: PreparedFactors["pastFloor"];

  /** @param wayPast the floor, whatever its time */
  constructor(
    candidate: RecallCandidate,
    place: TurnPlace | undefined,
    wayPast: PreparedFactors["pastFloor"],
    input: RankingInput,
  ) {
    const { profile, namedTimes, namedSpeakers, isForTimeAlone, isForAnswers, isForHelp, question } = input;
    const { memory } = candidate;
    const isAssisted = place?.conversation.isAssisted === true;
    const isPersons = place?.role === "person";
    const speaker = memory.provenance?.speaker;
    this.time = namedTimes.length === 0 ? undefined : closenessTo(namedTimes, memory.createdAt);
    this.speaker = speaker !== undefined && namedSpeakers.has(speaker) ? 1 + profile.speakerBoost : undefined;
    this.elicits = isAssisted && place.role !== "assistant" ? 0 : askingShare(memory);
    this.asking = isAssisted ? 0 : this.elicits;
    this.role = place && saidFactor(place, candidate, input);
    this.instruction =
      isAssisted && isPersons
        ? instructionFactor(memory.text, isForHelp === true && isForAnswers !== true ? question : undefined)
        : undefined;
    const isOfTime = isForTimeAlone === true && this.time === 1 && memory.category !== "procedure";
    this.pastFloor = wayPast ?? (isOfTime ? "time" : undefined);
  }
}

/** Once for all rounds in which the same candidates, in the same order, are ranked. */
export function prepareCandidates(input: RankingInput): PreparedCandidates {
  const { candidates, subQueries, textStatistics, queryTags, profile, evaluationTime, question } = input;
  const places = placesOfTurns(candidates);
  const rare = rareTerms(textStatistics);
  const names = question === undefined ? [] : numberedNames(question.terms, question.analyser);
  const weights = weighNumberedNames(inverseDocumentFrequencies(textStatistics), names);
  const covered = coverages(candidates, subQueries, weights);
  const factors = candidates.map(
    (candidate, index) =>
      new CandidateFactors(candidate, places[index], wayPastFloor(candidate, rare, covered[0]?.[index] ?? 0), input),
  );
  const composites = new CompositeScores(candidates, queryTags, profile, evaluationTime);
  return { textShares: textSharesOf(input, places, names), places, factors, coverages: covered, composites };
}
