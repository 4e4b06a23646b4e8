import type { Bm25Statistics, Instant, MemoryId, NonEmpty, Scope, ScoringProfile } from "@loci/domain";
import type { CountedMemories } from "../tokens/counted-memories.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { RecallCandidate } from "./candidate.ts";
import type { TimeSpan } from "./named-times.ts";
import type { PassageQuestion } from "./found-passage.ts";
import type { AnalysedSubQuery } from "./query-terms.ts";
import type { SlotValue } from "./scope-overrides.ts";
import type { ToldAnyway } from "./said-already.ts";

/** Everything a ranking depends on. */
export interface RankingInput {
  /** Each memory once, in any order. */
  readonly candidates: readonly RecallCandidate[];
  readonly subQueries: readonly AnalysedSubQuery[];
  /** Of the union of the sub-queries' terms, over everything the tenant can find. */
  readonly textStatistics: Bm25Statistics;
  /** What the embedder declares of itself. */
  readonly embedder: {
    /** Weight of the cosine in relevance, 0 to 1. */
    readonly relevanceWeight: number;
    /** Closeness below which a memory does not answer at all. */
    readonly relevanceFloor: number;
    /** Closeness that the closest memory must have, or else none answers. */
    readonly answerFloor: number;
    /** True when that floor goes on growing from 100 candidates on. Default false. */
    readonly answerFloorGrows?: boolean | undefined;
    readonly duplicateGate: number;
    /** Cosine from which two texts speak of related things. Absent: not known. */
    readonly relatedGate?: number | undefined;
    /** Whether vectors tell what a text means. Absent: of every text. */
    readonly understands?: ((text: string) => boolean) | undefined;
  };
  readonly profile: ScoringProfile;
  /** Tags that the question names, as `queryTags` gives them. */
  readonly queryTags: ReadonlySet<string>;
  /** True when the question asks for the latest, as `asksForLatest` tells. Default false. */
  readonly isForLatest?: boolean | undefined;
  /** True when the question asks for the course of something, as `asksForCourse` tells. Default false. */
  readonly isForCourse?: boolean | undefined;
  /** True when it asks for what the assistant said, as `asksForAnswers` tells. Default false. */
  readonly isForAnswers?: boolean | undefined;
  /** True when it asks for what an assistant can tell anybody, as `asksForHelp` tells. Default false. */
  readonly isForHelp?: boolean | undefined;
  /** Terms of the union that name something, as `namingTerms` tells. Default none. */
  readonly namingTerms?: readonly number[] | undefined;
  /** Times that the question speaks of, as `questionTimes` gives them. */
  readonly namedTimes: readonly TimeSpan[];
  /** True when it asks for them alone. Default false. */
  readonly isForTimeAlone?: boolean | undefined;
  /** Speakers that the question names, as `namedSpeakers` gives them. */
  readonly namedSpeakers: ReadonlySet<string>;
  /** What a reranker said of some candidates, 0 to 1. Absent without a reranker, or when it did not answer. */
  readonly reranked?: ReadonlyMap<MemoryId, number> | undefined;
  readonly evaluationTime: Instant;
  /** As asked for. A cascade takes the nearer kind first, scopes of one kind in this order. */
  readonly scopes: NonEmpty<Scope>;
  readonly strategy: "union" | "cascade";
  readonly limits: RankingLimits;
  readonly counter: TokenCounter;
  /** Kept from one recall to the next, so that what is known is not counted again. */
  readonly counted?: CountedMemories | undefined;
  /** What passages of long texts are chosen by. Absent: long texts are cut to their beginnings. */
  readonly question?: Pick<PassageQuestion, "terms" | "analyser"> | undefined;
  /** Values of the candidates' slots in other scopes, found or not: nearer ones override farther ones. Absent: none. */
  readonly slotValues?: readonly SlotValue[] | undefined;
  /** What no turn of a conversation need repeat. Absent: nothing. */
  readonly told?: ToldAnyway | undefined;
  /** Also return what was dropped. */
  readonly explain: boolean;
  /** Also say how many had no place among so many. Default false. */
  readonly countsLeftOut?: boolean | undefined;
}

export interface RankingLimits {
  /** Most memories that are not procedures. */
  readonly limit: number;
  readonly procedureLimit: number;
  /** Most tokens of all texts together. */
  readonly maxTokens: number;
  readonly maxTokensPerMemory: number;
}
