import {
  type DroppedCandidate,
  type Filter,
  filterFields,
  filterOperators,
  type MemoryAccount,
  type OutdatedMark,
  type RecallHit,
  type RecallRequest,
  type RecallResult,
  type RecallRotation,
  type ScoreParts,
  type ScoringProfile,
  type ScoringProfileChanges,
} from "@loci/domain";
import fc from "fast-check";
import { memory, memoryId, scopes } from "./memories.ts";
import { double, doubleWithOneZero, instant, int32, namedValues, recordOf, text, tokens } from "./plain-values.ts";

const filterValue = fc.oneof(
  text.map((value) => value.replaceAll("\0", "")),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);

const comparison: fc.Arbitrary<Filter> = fc
  .record({
    field: fc.constantFrom(...filterFields, "metadata.project" as const),
    operator: fc.constantFrom(...filterOperators),
    values: fc.array(filterValue, { minLength: 1, maxLength: 3 }),
  })
  .map(({ field, operator, values }) => ({
    field,
    operator,
    value: operator === "in" || operator === "notIn" ? values : values[0]!,
  }));

export const filter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    comparison,
    fc.array(tie("filter"), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie("filter"), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
    tie("filter").map((not) => ({ not })),
  ),
})).filter;

const atLeastOne = (record: object): boolean => Object.keys(record).length > 0;

const profileChanges = fc.record(
  {
    weights: fc.record(
      { relevance: double, recency: double, importance: double, frequency: double },
      { requiredKeys: [], noNullPrototype: true },
    ),
    recencyHalfLifeHours: double,
    importanceHalfLifeDays: namedValues(doubleWithOneZero).filter(atLeastOne),
    importanceFloor: double,
    staleFactor: double,
    staleWindowMilliseconds: double,
    boostPerTag: double,
    maxBoostingTags: double,
    neighbourFactor: double,
    passageShare: double,
    timeShare: double,
    speakerBoost: double,
    assistantFactor: double,
    combination: fc.constantFrom("product" as const, "sum" as const),
    rerankShare: double,
  },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<ScoringProfileChanges>;

export const recallSettings = {
  categories: fc.array(text, { minLength: 1, maxLength: 3 }),
  where: filter,
  limit: int32,
  procedureLimit: int32,
  maxTokens: int32,
  maxTokensPerMemory: int32,
  usedTokens: int32,
  tools: fc.array(text, { minLength: 1, maxLength: 3 }),
  relevanceFloor: double,
  profile: fc.oneof(fc.constantFrom("balanced" as const, "archive" as const, "assistant" as const), profileChanges),
  strategy: fc.constantFrom("union" as const, "cascade" as const),
  validAt: instant,
  knownAt: instant,
  rotation: recordOf<RecallRotation>(
    { owner: text, session: text },
    {
      key: fc.constantFrom("owner" as const, "session" as const, "off" as const),
      inWindow: fc.array(memoryId, { minLength: 1, maxLength: 3 }),
    },
  ),
  fallback: fc.constantFrom("none" as const, "recent" as const),
  timeZone: text,
};

export const recallRequest: fc.Arbitrary<RecallRequest> = recordOf<RecallRequest>(
  { query: text, scopes },
  {
    ...recallSettings,
    evaluationTime: instant,
    recordUsage: fc.constantFrom("kept" as const, "none" as const),
    explain: fc.boolean(),
    also: fc.array(memoryId, { minLength: 1, maxLength: 3 }),
  },
);

export const scoreParts: fc.Arbitrary<ScoreParts> = recordOf<ScoreParts>(
  {
    relevance: doubleWithOneZero,
    text: doubleWithOneZero,
    recency: doubleWithOneZero,
    importance: doubleWithOneZero,
    frequency: doubleWithOneZero,
    stale: doubleWithOneZero,
    tagBoost: doubleWithOneZero,
    neighbours: doubleWithOneZero,
  },
  {
    cosine: double,
    time: double,
    speaker: double,
    asking: double,
    role: double,
    instruction: double,
    rerank: double,
  },
);

export const droppedCandidate: fc.Arbitrary<DroppedCandidate> = recordOf<DroppedCandidate>(
  { id: memoryId, reason: fc.constantFrom("NEAR_DUPLICATE", "OVER_TOKENS") },
  { inFavourOf: memoryId, score: double, parts: scoreParts, closeness: double, floor: double },
);

const account: fc.Arbitrary<MemoryAccount> = recordOf<MemoryAccount>(
  { id: memoryId },
  {
    reason: fc.constantFrom("NEAR_DUPLICATE", "OTHER_SCOPE", "NOT_A_CANDIDATE"),
    inFavourOf: memoryId,
    score: double,
    parts: scoreParts,
    closeness: double,
    floor: double,
    rank: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  },
);

const hit: fc.Arbitrary<RecallHit> = recordOf<RecallHit>(
  {
    memory,
    score: doubleWithOneZero,
    parts: scoreParts,
    text,
    tokens,
    truncated: fc.boolean(),
    foundBy: fc.constantFrom("relevance", "tag", "recent"),
  },
  {
    outdated: recordOf<OutdatedMark>(
      { since: instant, isInPart: fc.boolean(), replacedBy: fc.array(memoryId, { maxLength: 2 }) },
      {},
    ),
  },
);

export const recallResult: fc.Arbitrary<RecallResult> = recordOf<RecallResult>(
  {
    hits: fc.array(hit, { maxLength: 3 }),
    dropped: fc.array(droppedCandidate, { maxLength: 3 }),
    evaluationTime: instant,
    degraded: fc.subarray([
      "INDEX_BEHIND",
      "EMBEDDING_UNAVAILABLE",
      "TEXT_INDEX_UNAVAILABLE",
      "VECTOR_INDEX_UNAVAILABLE",
      "RERANKER_UNAVAILABLE",
    ]),
    usedFallback: fc.boolean(),
    timings: namedValues(doubleWithOneZero),
  },
  {
    accounts: fc.array(account, { minLength: 1, maxLength: 3 }),
    profile: profileChanges as fc.Arbitrary<ScoringProfile>,
  },
);
