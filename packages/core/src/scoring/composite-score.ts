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
  input: CompositeScoreInput,
  profile: ScoringProfile,
  evaluationTime: Instant,
): OwnScoreParts {
  return new CompositeScoreParts(input, profile, evaluationTime);
}

/** One of hundreds at once, and so of a class: see decision 85. */
class CompositeScoreParts implements OwnScoreParts {
  readonly relevance: number;
  readonly recency: number;
  readonly importance: number;
  readonly frequency: number;
  readonly stale: number;
  readonly tagBoost: number;

  constructor(
    { memory, usage: { lastAccessedAt, accessCount }, relevance, lastRecalledAt, queryTags }: CompositeScoreInput,
    profile: ScoringProfile,
    evaluationTime: Instant,
  ) {
    const lastUse = lastAccessedAt ?? memory.createdAt;
    const lastTouch = Math.max(lastUse, memory.createdAt);
    const importanceDecay = memory.isStatic
      ? 1
      : halved(age(evaluationTime, lastTouch) / millisecondsPerDay, halfLifeDays(profile, memory.category));
    const isStale =
      lastRecalledAt !== undefined && age(evaluationTime, lastRecalledAt) < profile.staleWindowMilliseconds;
    this.relevance = relevance;
    this.recency = memory.isStatic
      ? 1
      : halved(age(evaluationTime, lastUse) / millisecondsPerHour, profile.recencyHalfLifeHours);
    this.importance = Math.max(profile.importanceFloor, memory.importance * importanceDecay);
    this.frequency = Math.min(1, 0.1 * Math.log2(1 + accessCount));
    this.stale = isStale ? profile.staleFactor : 1;
    this.tagBoost = memory.category === "procedure" ? tagBoost(memory.tags, queryTags, profile) : 1;
  }
}

/**
 * The score that factors make, plus what the neighbours add: (Σ weight × factor) × stale × tag boost, or in a product
 * relevance × (weight of relevance + Σ weight × factor of the others) × stale × tag boost.
 */
export function scoreOfParts(
  parts: OwnScoreParts & Partial<Pick<ScoreParts, "neighbours">>,
  profile: ScoringProfile,
): number {
  return scoreOf(parts.relevance, parts, profile) + (parts.neighbours ?? 0);
}

/** The same with another relevance, without neighbours. */
export function scoreOf(
  relevance: number,
  { recency, importance, frequency, stale, tagBoost }: Omit<OwnScoreParts, "relevance">,
  { combination, weights }: ScoringProfile,
): number {
  const others = weights.recency * recency + weights.importance * importance + weights.frequency * frequency;
  const weighted =
    combination === "product" ? relevance * (weights.relevance + others) : weights.relevance * relevance + others;
  return weighted * stale * tagBoost;
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

function tagBoost(tags: readonly string[], queryTags: ReadonlySet<string>, profile: ScoringProfile): number {
  if (queryTags.size === 0) return 1;
  const matching = new Set(tags.map((tag) => tag.toLowerCase()).filter((tag) => queryTags.has(tag)));
  return 1 + profile.boostPerTag * Math.min(profile.maxBoostingTags, matching.size);
}
