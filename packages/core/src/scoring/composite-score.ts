import type { Instant, MemoryRecord, MemoryUsage, ScoreParts, ScoringProfile } from "@loci/domain";

const millisecondsPerHour = 3_600_000;
const millisecondsPerDay = 86_400_000;

/** What is known about a memory and the question before it is scored. */
export interface CompositeScoreInput {
  readonly memory: Pick<MemoryRecord, "category" | "createdAt" | "importance" | "isStatic" | "tags">;
  readonly usage: MemoryUsage;
  /** 0 to 1. */
  readonly relevance: number;
  /** When another session of the same owner was last shown it. Absent: not, or not known. */
  readonly lastRecalledAt?: Instant | undefined;
  /** Tags that the question and the tools in use name, in lower case. */
  readonly queryTags: ReadonlySet<string>;
}

/** The factors of a score that the memory itself gives, without neighbours. */
export type OwnScoreParts = Omit<
  ScoreParts,
  "cosine" | "text" | "time" | "speaker" | "asking" | "role" | "instruction" | "rerank" | "neighbours"
>;

/**
 * The factors of a memory's composite score. {@link scoreOfParts} makes the score from them.
 *
 * - recency = 0.5^(hours since the last access, else since creation / half-life); 1 when static
 * - importance = max(floor, importance × 0.5^(days since the later of access and creation / the category's half-life));
 *   without the decay when static
 * - frequency = min(1, 0.1 × log2(1 + access count))
 * - stale = `staleFactor` when it was recalled less than `staleWindowMilliseconds` ago, else 1
 * - tagBoost = 1 + `boostPerTag` × matching tags, each once, at most `maxBoostingTags`; procedures only
 *
 * An age below 0 counts as 0: a clock that runs ahead makes nothing newer than new.
 */
export function compositeScoreParts(
  { memory, usage, relevance, lastRecalledAt, queryTags }: CompositeScoreInput,
  profile: ScoringProfile,
  evaluationTime: Instant,
): OwnScoreParts {
  return {
    relevance,
    recency: recencyOf(memory, usage, profile, evaluationTime),
    importance: importanceOf(memory, usage, profile, evaluationTime),
    frequency: frequencyOf(usage),
    stale: staleOf(lastRecalledAt, profile, evaluationTime),
    tagBoost: tagBoostOf(memory, queryTags, profile),
  };
}

type ScoredMemory = CompositeScoreInput["memory"];

function recencyOf(
  { isStatic, createdAt }: ScoredMemory,
  { lastAccessedAt }: MemoryUsage,
  { recencyHalfLifeHours }: ScoringProfile,
  evaluationTime: Instant,
): number {
  if (isStatic) return 1;
  return halved(age(evaluationTime, lastAccessedAt ?? createdAt) / millisecondsPerHour, recencyHalfLifeHours);
}

function importanceOf(
  { isStatic, createdAt, importance, category }: ScoredMemory,
  { lastAccessedAt }: MemoryUsage,
  profile: ScoringProfile,
  evaluationTime: Instant,
): number {
  const lastTouch = Math.max(lastAccessedAt ?? createdAt, createdAt);
  const decay = isStatic
    ? 1
    : halved(age(evaluationTime, lastTouch) / millisecondsPerDay, halfLifeDays(profile, category));
  return Math.max(profile.importanceFloor, importance * decay);
}

function frequencyOf({ accessCount }: MemoryUsage): number {
  return Math.min(1, 0.1 * Math.log2(1 + accessCount));
}

function staleOf(lastRecalledAt: Instant | undefined, profile: ScoringProfile, evaluationTime: Instant): number {
  const isStale = lastRecalledAt !== undefined && age(evaluationTime, lastRecalledAt) < profile.staleWindowMilliseconds;
  return isStale ? profile.staleFactor : 1;
}

function tagBoostOf(
  { category, tags }: ScoredMemory,
  queryTags: ReadonlySet<string>,
  { boostPerTag, maxBoostingTags }: ScoringProfile,
): number {
  if (category !== "procedure" || queryTags.size === 0) return 1;
  const matching = new Set(tags.map((tag) => tag.toLowerCase()).filter((tag) => queryTags.has(tag)));
  return 1 + boostPerTag * Math.min(maxBoostingTags, matching.size);
}

/**
 * The score that factors make, plus what the neighbours add: (Σ weight × factor) × stale × tag boost, or in a product
 * relevance × (weight of relevance + Σ weight × factor of the others) × stale × tag boost.
 */
export function scoreOfParts(
  parts: OwnScoreParts & Partial<Pick<ScoreParts, "neighbours">>,
  profile: ScoringProfile,
): number {
  const { relevance, recency, importance, frequency, stale, tagBoost, neighbours = 0 } = parts;
  const others = weightedOthers(recency, importance, frequency, profile);
  return combined(relevance, others, profile) * stale * tagBoost + neighbours;
}

/** What the scores of many memories are made of besides their relevances, in a few lists of numbers. */
export class CompositeScores {
  readonly #profile: ScoringProfile;
  /** Σ weight × factor of all but relevance. */
  readonly #others: Float64Array;
  readonly #stale: Float64Array;
  readonly #tagBoosts: Float64Array;

  /** @param memories whose relevances are not known yet */
  constructor(
    memories: readonly Omit<CompositeScoreInput, "relevance" | "queryTags">[],
    queryTags: ReadonlySet<string>,
    profile: ScoringProfile,
    evaluationTime: Instant,
  ) {
    this.#profile = profile;
    this.#others = new Float64Array(memories.length);
    this.#stale = new Float64Array(memories.length);
    this.#tagBoosts = new Float64Array(memories.length);
    for (let index = 0; index < memories.length; index++) {
      const { memory, usage, lastRecalledAt } = memories[index] as (typeof memories)[number];
      this.#others[index] = weightedOthers(
        recencyOf(memory, usage, profile, evaluationTime),
        importanceOf(memory, usage, profile, evaluationTime),
        frequencyOf(usage),
        profile,
      );
      this.#stale[index] = staleOf(lastRecalledAt, profile, evaluationTime);
      this.#tagBoosts[index] = tagBoostOf(memory, queryTags, profile);
    }
  }

  /** The score of one of them with a relevance, without neighbours. */
  scoreOf(index: number, relevance: number): number {
    const score = combined(relevance, this.#others[index] as number, this.#profile);
    return score * (this.#stale[index] as number) * (this.#tagBoosts[index] as number);
  }
}

function weightedOthers(recency: number, importance: number, frequency: number, { weights }: ScoringProfile): number {
  return weights.recency * recency + weights.importance * importance + weights.frequency * frequency;
}

function combined(relevance: number, others: number, { combination, weights }: ScoringProfile): number {
  return combination === "product" ? relevance * (weights.relevance + others) : weights.relevance * relevance + others;
}

function age(evaluationTime: Instant, since: Instant): number {
  return Math.max(0, evaluationTime - since);
}

function halved(elapsed: number, halfLife: number): number {
  return 0.5 ** (elapsed / halfLife);
}

/** A category may have any name, so one such as `constructor` must not find what every object has. */
function halfLifeDays({ importanceHalfLifeDays }: ScoringProfile, category: string): number {
  return Object.hasOwn(importanceHalfLifeDays, category)
    ? (importanceHalfLifeDays[category] as number)
    : importanceHalfLifeDays.default;
}
