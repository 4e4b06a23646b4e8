import type { Filter } from "./filter.ts";
import type { MemoryId } from "./identifiers.ts";
import type { Instant } from "./instant.ts";
import type { Category, Memory } from "./memory.ts";
import type { ScopeInput } from "./scope.ts";

/** The weights, windows and floors of the composite score. Defaults are those of the profile `balanced`. */
export interface ScoringProfile {
  /**
   * What the score is made of. `product` (default): relevance × (Σ weight × part), so that recency, importance and use
   * decide among what is relevant, and nothing irrelevant comes in by them. `sum`: Σ weight × part, the published formula.
   */
  readonly combination: ScoreCombination;
  /** Weights of relevance, recency, importance and frequency. Relevance itself counts as 1 in a product. */
  readonly weights: {
    readonly relevance: number;
    readonly recency: number;
    readonly importance: number;
    readonly frequency: number;
  };
  /** Hours after which recency is halved. Default 720. */
  readonly recencyHalfLifeHours: number;
  /** Days after which importance is halved, by category; `default` (90) for every other. */
  readonly importanceHalfLifeDays: Readonly<Record<string, number>> & { readonly default: number };
  /** Least importance after decay. Default 0.1. */
  readonly importanceFloor: number;
  /** Factor for what the same owner recalled in another session within `staleWindowMilliseconds`. Default 0.5. */
  readonly staleFactor: number;
  /** Default 3,600,000, exclusive; at most 30 days. Marks are kept as long as the window of the recall that made them. */
  readonly staleWindowMilliseconds: number;
  /** What each matching tag of a procedure adds. Default 0.1, for at most `maxBoostingTags` (5). */
  readonly boostPerTag: number;
  readonly maxBoostingTags: number;
  /** What the better neighbouring turn's score adds to a conversation turn; see `ScoreParts.neighbours`. Default 0.3. */
  readonly neighbourFactor: number;
  /**
   * How much of a conversation turn's text share the passage around it makes, 0 to 1; in a conversation with an assistant a third of
   * the rest as well, unless it is 0. Default 0.7.
   */
  readonly passageShare: number;
  /** What a conversation turn's relevance gains as a share of it when the question names its speaker. Default 0.2. */
  readonly speakerBoost: number;
  /**
   * What the relevance of a long turn is multiplied by when an assistant or a tool said it: a person's words are the evidence,
   * an assistant repeats them at length. Up to 90 terms an assistant's turn counts in full, a longer one 90 / terms, and at least this.
   * Default 0.5.
   */
  readonly assistantFactor: number;
  /** How much of relevance the time makes when the question names one, such as `in May`, 0 to 1. Default 0.25. */
  readonly timeShare: number;
  /** How much of relevance a reranker makes, where there is one, 0 to 1. Default 0.7. */
  readonly rerankShare: number;
}

/** How the parts of a score are put together. */
export const scoreCombinations = ["product", "sum"] as const;

export type ScoreCombination = (typeof scoreCombinations)[number];

/**
 * Names of the profiles that ship. `balanced`, the default: relevance decides, recency, importance and use decide among
 * what is relevant. `archive`: the same without recency, where it says nothing when something was told. `assistant`: the
 * published formula, a sum in which a memory of today may outdo a better answer of last month.
 */
export type ScoringProfileName = "balanced" | "archive" | "assistant";

/** What to change in a profile. What is left out stays, single weights and half-lives too. */
export interface ScoringProfileChanges extends Changes<Omit<ScoringProfile, "weights" | "importanceHalfLifeDays">> {
  readonly weights?: Changes<ScoringProfile["weights"]> | undefined;
  readonly importanceHalfLifeDays?: Readonly<Record<string, number>> | undefined;
}

/** Some of the fields; one that is `undefined` is not changed. */
type Changes<Shape> = { readonly [Field in keyof Shape]?: Shape[Field] | undefined };

export interface RecallRequest {
  /**
   * The question, in natural language, at most 1 MiB. Text is data: nothing in it acts as an operator. Its words are searched
   * for up to the 1,000th that is not among those before it.
   */
  readonly query: string;
  /** At least one, at most 1,000. */
  readonly scopes: readonly ScopeInput[];
  /** Only these categories. Default all; procedures are then found separately from the rest. */
  readonly categories?: readonly Category[] | undefined;
  readonly where?: Filter | undefined;
  /** Most archival memories to return, 1 to 1,000. Default 15. */
  readonly limit?: number | undefined;
  /** Most procedures to return, 0 to 1,000. Default 10. */
  readonly procedureLimit?: number | undefined;
  /**
   * Most tokens of all texts together. Default 1,500; where `limit` is given, and `usedTokens` is not, as many as so many memories
   * and procedures take.
   */
  readonly maxTokens?: number | undefined;
  /** A longer memory is cut to this: to the passage that the query is about. Default 500. */
  readonly maxTokensPerMemory?: number | undefined;
  /** Tokens of `maxTokens` that others have used already, such as an earlier recall for the same context. Default 0. */
  readonly usedTokens?: number | undefined;
  /**
   * Names of the tools in use, at most 128 of 1 to 200 bytes: procedures with a tag that they name are found like those
   * whose tag the query names. Default none.
   */
  readonly tools?: readonly string[] | undefined;
  /**
   * How close a memory must come to the query, 0 to 1, in place of the embedder's measured floors. 0: whatever is found.
   * Default: the tenant's, else the embedder's.
   */
  readonly relevanceFloor?: number | undefined;
  /** Weights of the score: a shipped profile by name, or changes to it. Default `balanced`. */
  readonly profile?: ScoringProfileName | ScoringProfileChanges | undefined;
  /** `union` (default) searches all scopes at once; `cascade` fills up scope by scope, nearest first. */
  readonly strategy?: "union" | "cascade" | undefined;
  /** Only what was true then. Default: the evaluation time. */
  readonly validAt?: Instant | undefined;
  /**
   * Only what had been recorded by then, by the ledger's clock, and as it was then: later edits, removals and uses count
   * for nothing. An exact scan of at most 20,000 memories: `TOO_MANY_VERSIONS` when the scopes held more. Default: all.
   */
  readonly knownAt?: Instant | undefined;
  /** Who asks, so that a session is not shown again what the same owner was just shown in another one. Default nobody. */
  readonly rotation?: RecallRotation | undefined;
  /** The "now" of every score. Default now. The same request at the same evaluation time gives the same bytes. */
  readonly evaluationTime?: Instant | undefined;
  /**
   * Whose days `yesterday`, `last month` and `3 May` in the query are: an IANA name such as `Europe/Berlin`. Default `UTC`; in an
   * assembly its `timeZone`.
   */
  readonly timeZone?: string | undefined;
  /**
   * `kept`: the memories returned are noted for rotation; nothing counts as used. Default `kept`, but `none` with
   * `evaluationTime`, `knownAt` or `explain`. Without `rotation` there is nothing to note.
   */
  readonly recordUsage?: "kept" | "none" | undefined;
  /**
   * What to do when nothing clears the relevance floor. `recent`: the newest instead, marked. Default `none`. A question for all that is known,
   * `What do you know about me?`, is answered by the newest whatever stands here: it names nothing that they could be near to.
   */
  readonly fallback?: "none" | "recent" | undefined;
  /** Also return every dropped candidate with its reason, and the profile in force. Default false. */
  readonly explain?: boolean | undefined;
  /**
   * Memories to account for, at most 20, only with `explain`: why each of them is not among the hits, also where nothing
   * brought it among the candidates.
   */
  readonly also?: readonly MemoryId[] | undefined;
}

/** Who asks, and what counts as shown lately. */
export interface RecallRotation {
  /** Whose sessions they are, such as a user. Credentials with other scope patterns mean another one by the same name. */
  readonly owner: string;
  /** The session that asks; unique among the owner's. */
  readonly session: string;
  /**
   * Whose marks make a memory stale: `owner` those of the owner's other sessions, `session` those of this session itself,
   * `off` none, and then none are made either. Default `owner`.
   */
  readonly key?: "owner" | "session" | "off" | undefined;
  /** Memories that the session's window holds, at most 1,000. They are never stale. */
  readonly inWindow?: readonly MemoryId[] | undefined;
}

/**
 * Every factor of a score. Its own is (Σ weight × part) × stale × tagBoost; in a product relevance × (its weight + Σ weight
 * × part of the others) × stale × tagBoost. `score` is that + neighbours.
 */
export interface ScoreParts {
  /**
   * 0 to 1: how well it answers the query, `w·max(0, cosine) + (1 − w)·text` of the sub-query it answers best, times
   * that sub-query's weight. When the query names a time, `timeShare` of it is `time`; when it names the speaker, that is
   * multiplied by `speaker`, by `asking` for a turn that asks, by `role` for one of an assistant or of few words and by `instruction` for
   * one that tells it how to be; turns of a conversation with an assistant count 0.93; when a reranker answered, `rerankShare` of the whole is `rerank`.
   */
  readonly relevance: number;
  /** Cosine with that sub-query, or absent when the memory or the query has no vector. */
  readonly cosine?: number | undefined;
  /**
   * BM25 with that sub-query, as a share of the best among the candidates. `passageShare` of a conversation turn's is
   * that of the passage around it.
   */
  readonly text: number;
  /** How close it was made to a time that the query names, 0 to 1. Absent when the query names none. */
  readonly time?: number | undefined;
  /** 1 + `speakerBoost` for turns of a speaker whom the query names. Absent for everything else. */
  readonly speaker?: number | undefined;
  /**
   * 1 − 0.15 × how much of the turn is questions, 1 from half of its text on; in conversations among people only. What it
   * asks is given to the turn after it: see `neighbours`. Absent for everything else.
   */
  readonly asking?: number | undefined;
  /**
   * `assistantFactor` to 1 for turns that an assistant or a tool said, by their length, unless the question asks for what the assistant
   * said; 0.5 to 1 for those of fewer than six words, stop
   * words not counted, in conversations among people. Absent for everything else.
   */
  readonly role?: number | undefined;
  /**
   * 1.2 for turns in which a person tells an assistant how to be from now on, and 3 where that says of itself that it holds for what is
   * asked: `when I ask about snacks`. With it relevance is 1 at most. Absent for everything else.
   */
  readonly instruction?: number | undefined;
  /** What the reranker said, 0 to 1; where it was not asked, its lowest answer. Absent without a reranker. */
  readonly rerank?: number | undefined;
  readonly recency: number;
  readonly importance: number;
  readonly frequency: number;
  readonly stale: number;
  readonly tagBoost: number;
  /**
   * What the better neighbouring turn added: `neighbourFactor` of its score, and up to 1.7 times that of a turn before it
   * that asks. With an assistant, the other turn of the exchange: 4/3 times that for a person's turn, and up to 8/3 times where the
   * assistant before it only asks. 0 for everything but conversation turns.
   */
  readonly neighbours: number;
}

/** What is known to be over of a memory that is shown all the same. */
export interface OutdatedMark {
  /** Since when: of several things that are over the first. */
  readonly since: Instant;
  /**
   * True: something that a turn of a conversation says is over, and what else it says may hold still. False: all of it is, since a newer
   * value of its slot is known.
   */
  readonly isInPart: boolean;
  /**
   * What holds in its place, as far as that meets the conditions of the request: scopes, `where` and time. Empty when nothing took its
   * place, or nothing that does. They need not be among the hits: `memories.getMany` reads them.
   */
  readonly replacedBy: readonly MemoryId[];
}

export interface RecallHit {
  readonly memory: Memory;
  readonly score: number;
  readonly parts: ScoreParts;
  /**
   * The text within `maxTokensPerMemory`; equal to `memory.text` when nothing was cut. Of a longer one the sentences that hold
   * most of the query's words and what stands around them, with `...` where something was left out; its beginning when it was
   * found by meaning alone.
   */
  readonly text: string;
  /** Of `text`, its `...` included. */
  readonly tokens: number;
  /** True when `text` is only a part. */
  readonly truncated: boolean;
  /**
   * How it got in: by meaning or words; only by a tag; only because it was made at the time that is asked for, as in `What
   * happened last week?`; or because nothing relevant was found.
   */
  readonly foundBy: "relevance" | "tag" | "time" | "recent";
  /** What of it is over. Absent: nothing is known to be. */
  readonly outdated?: OutdatedMark | undefined;
}

/**
 * Why a candidate is not among the hits. For turns of conversations: `IN_HISTORY`, an assembly's messages hold the same words;
 * `REPEATS_QUERY`, it asks the same question; `NO_ANSWER`, it says only that its speaker does not know. For what has left a block:
 * `IN_BLOCK`, a block of an assembly tells it again.
 */
export type DropReason =
  | "BELOW_RELEVANCE_FLOOR"
  | "NEAR_DUPLICATE"
  | "CATEGORY_SHARE"
  | "SOURCE_SHARE"
  | "OVERRIDDEN_BY_SCOPE"
  | "IN_HISTORY"
  | "IN_BLOCK"
  | "REPEATS_QUERY"
  | "NO_ANSWER"
  | "OVER_LIMIT"
  | "OVER_TOKENS"
  | "EXPIRED"
  | "NOT_VALID_THEN"
  | "SUPERSEDED"
  | "NOT_ACTIVE"
  | "DELETED";

export interface DroppedCandidate {
  readonly id: MemoryId;
  readonly reason: DropReason;
  /** What it lost to: the hit it repeats (`NEAR_DUPLICATE`), or the memory of a nearer scope (`OVERRIDDEN_BY_SCOPE`). */
  readonly inFavourOf?: MemoryId | undefined;
  /** Absent when it was dropped before scoring. */
  readonly score?: number | undefined;
  readonly parts?: ScoreParts | undefined;
  /**
   * Only with `BELOW_RELEVANCE_FLOOR`: how close it comes to the question, 0 to 1, and how close it had to come. Where nothing
   * answers at all that is what the closest had to.
   */
  readonly closeness?: number | undefined;
  readonly floor?: number | undefined;
}

/**
 * Why a memory that a recall was asked to account for was not even a candidate:
 *
 * - `OTHER_SCOPE`: it is in none of the scopes that were asked; the same for one that the caller may not read, and for one that
 *   there is not
 * - `NOT_RECORDED_THEN`: nothing was known of it at `knownAt`
 * - `FILTERED_OUT`: `categories` or `where` leave it out
 * - `NOT_A_CANDIDATE`: neither its words nor its meaning brought it among the candidates
 */
export type AbsenceReason = "OTHER_SCOPE" | "NOT_RECORDED_THEN" | "FILTERED_OUT" | "NOT_A_CANDIDATE";

/** What became of a memory that a recall was asked to account for. */
export interface MemoryAccount extends Omit<DroppedCandidate, "reason"> {
  /** Why it is not among the hits. Absent: it is one of them. */
  readonly reason?: DropReason | AbsenceReason | undefined;
  /**
   * Its place by score among all candidates that were scored, hits and dropped, from 1. Hits that contradict each other stand in
   * another order. Absent when it was not scored.
   */
  readonly rank?: number | undefined;
}

/**
 * Why an answer is less than it could be. It is still correct for what it says. With `TEXT_INDEX_UNAVAILABLE` memories were
 * looked for by meaning alone, with `VECTOR_INDEX_UNAVAILABLE` by words alone; when neither index answers, that is an error.
 */
export type Degradation =
  | "INDEX_BEHIND"
  | "EMBEDDING_UNAVAILABLE"
  | "TEXT_INDEX_UNAVAILABLE"
  | "VECTOR_INDEX_UNAVAILABLE"
  | "RERANKER_UNAVAILABLE";

export interface RecallResult {
  /**
   * Archival memories and procedures together, best first; ties by nearness of scope, then id. Of those that contradict each
   * other (two values of one slot, or the same words but for a number, a name or a negation, where the question does not
   * tell them apart) the newest takes the best of their places, and what holds in the place of something that a turn says stands before
   * the turn. For a question for the course of something the places of turns go
   * to each conversation in turn. A fallback: newest first.
   */
  readonly hits: readonly RecallHit[];
  /** Only with `explain`; by reason in pipeline order, then score, then id. */
  readonly dropped: readonly DroppedCandidate[];
  /** Only with `explain` and `also`: of each memory asked for, in that order, what became of it. */
  readonly accounts?: readonly MemoryAccount[] | undefined;
  /** Only with `explain`: what the scores were made with. */
  readonly profile?: ScoringProfile | undefined;
  readonly evaluationTime: Instant;
  readonly degraded: readonly Degradation[];
  /** True when nothing was relevant and the newest memories stand in. */
  readonly usedFallback: boolean;
  /** Milliseconds for each step. Not part of what is deterministic. */
  readonly timings: Readonly<Record<string, number>>;
}
