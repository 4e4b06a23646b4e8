import {
  etagOf,
  type Instant,
  type Memory,
  memoryId,
  type Origin,
  parseScope,
  parseScopes,
  type Provenance,
  type ScopeText,
  type ScoreParts,
} from "@loci/domain";
import {
  analyseText,
  approxTokenCounter,
  namedSpeakers,
  namedTimes,
  queryTerms,
  type RankingInput,
  type RankingLimits,
  type RecallCandidate,
  scoreOfParts,
  scoringProfile,
  speakersOf,
  subQueries,
  termCount,
} from "../../src/index.ts";

export const now: Instant = Date.UTC(2026, 5, 1);
export const day = 86_400_000;

/** What a test says about a memory. Everything else has a plain default. */
export interface Sketch {
  readonly id: number;
  readonly text: string;
  readonly scope?: ScopeText;
  readonly category?: string;
  readonly daysOld?: number;
  readonly importance?: number;
  readonly tags?: readonly string[];
  readonly slot?: string;
  readonly provenance?: Provenance;
  readonly origin?: Origin;
  readonly cosine?: number;
  readonly vectors?: readonly Float32Array[];
  readonly foundByTag?: boolean;
}

export function idOf(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
}

export function memoryOf(sketch: Sketch): Memory {
  const id = memoryId(idOf(sketch.id));
  const createdAt = now - (sketch.daysOld ?? 0) * day;
  return {
    id,
    text: sketch.text,
    category: sketch.category ?? "fact",
    scope: parseScope(sketch.scope ?? "user:ada"),
    importance: sketch.importance ?? 0.5,
    confidence: 1,
    isStatic: false,
    tags: sketch.tags ?? [],
    ...(sketch.slot === undefined ? {} : { slot: sketch.slot }),
    origin: sketch.origin ?? "manual",
    ...(sketch.provenance === undefined ? {} : { provenance: sketch.provenance }),
    trust: "trusted",
    metadata: {},
    createdAt,
    updatedAt: createdAt,
    version: 1,
    state: "active",
    etag: etagOf(id, 1),
    recordedAt: createdAt,
    usage: { accessCount: 0 },
    embedding: sketch.vectors === undefined ? "pending" : "ready",
  };
}

/** A ranking of the sketches for a prompt, as if they were all that the tenant has. */
export function rankingOf(
  prompt: string,
  sketches: readonly Sketch[],
  changes: Partial<Omit<RankingInput, "limits">> & { readonly limits?: Partial<RankingLimits> } = {},
): RankingInput {
  const { terms, subQueries: analysed } = queryTerms(subQueries(prompt));
  const texts = sketches.map(({ text }) => analyseText(text));
  const candidates = sketches.map((sketch, index): RecallCandidate => {
    const frequencies = texts[index] ?? new Map<string, number>();
    const memory = memoryOf(sketch);
    return {
      memory,
      usage: memory.usage,
      recordedAt: memory.recordedAt,
      cosines: analysed.map(() => sketch.cosine),
      vectors: sketch.vectors,
      frequencies: terms.map((term) => frequencies.get(term) ?? 0),
      length: termCount(frequencies),
      foundByTag: sketch.foundByTag,
    };
  });
  return {
    candidates,
    subQueries: analysed,
    textStatistics: {
      documents: texts.length,
      totalLength: texts.reduce((sum, text) => sum + termCount(text), 0),
      documentFrequencies: terms.map((term) => texts.filter((text) => text.has(term)).length),
    },
    embedder: { relevanceWeight: 0.5, relevanceFloor: 0.2, answerFloor: 0.2, duplicateGate: 0.95 },
    profile: scoringProfile(),
    queryTags: new Set(),
    namedTimes: namedTimes(prompt, now).map(({ span }) => span),
    namedSpeakers: namedSpeakers(prompt, speakersOf(candidates.map(({ memory }) => memory))),
    evaluationTime: now,
    scopes: parseScopes(["user:ada", "project:loci", "global"]),
    strategy: "union",
    counter: approxTokenCounter,
    explain: true,
    ...changes,
    limits: { limit: 15, procedureLimit: 10, maxTokens: 1_500, maxTokensPerMemory: 500, ...changes.limits },
  };
}

/** An embedder by which everything answers that shares a word or some meaning with the question. */
export const openToAll: RankingInput["embedder"] = {
  relevanceWeight: 0.5,
  relevanceFloor: 0.001,
  answerFloor: 0.001,
  duplicateGate: 0.95,
};

/** The score that the parts alone give: what "parts reproduce the score" means. */
export function scoreAgain(parts: ScoreParts, input: RankingInput): number {
  return scoreOfParts(parts, input.profile);
}
