import {
  asGiven,
  type Category,
  checkBoolean,
  checkChoice,
  checkFilter,
  checkIdentifier,
  checkList,
  checksOf,
  type Filter,
  type Instant,
  LociError,
  type MemoryId,
  memoryId,
  type NonEmpty,
  optional,
  parseInstant,
  parseScopes,
  type RecallRequest,
  type Scope,
  type ScoringProfile,
} from "@loci/domain";
import { SaidTexts, scoringProfile } from "@loci/core";
import { type CheckedRotation, checkRotation } from "./validate-rotation.ts";
import type { DeclaredMetadata } from "../projections/declared-metadata.ts";
import { checkTimeZone } from "../validation/validate-time-zone.ts";
import { checkCategories } from "../validation/validate-labels.ts";
import { checkShare, checkWholeNumber } from "../validation/validate-number.ts";
import { checkPromptText } from "../validation/validate-text.ts";

const maxHits = 1_000;
const maxTokens = 10_000_000;
/** Of all texts together, where nobody says how many memories or tokens are wanted. */
const standardTokens = 1_500;
const mostTools = 128;
const mostAccounts = 20;
const strategies = ["union", "cascade"] as const;
const fallbacks = ["none", "recent"] as const;
const recordings = ["kept", "none"] as const;

const nothingSaid = new SaidTexts();

const check = checksOf<RecallRequest>()("request", {
  query: checkPromptText,
  scopes: parseScopes,
  categories: optional(checkCategories),
  where: optional(checkFilter),
  limit: whole({ standard: 15, least: 1, most: maxHits }),
  procedureLimit: whole({ standard: 10, least: 0, most: maxHits }),
  maxTokens: optional((value: number, path) => checkWholeNumber(value, path, { least: 1, most: maxTokens })),
  usedTokens: optional((value: number, path) => checkWholeNumber(value, path, { least: 0, most: maxTokens })),
  tools: (tools = [], path) =>
    checkList(tools, path, { least: 0, most: mostTools }).map((tool, index) =>
      checkIdentifier(tool, `${path}[${index}]`),
    ),
  relevanceFloor: optional(checkShare),
  maxTokensPerMemory: whole({ standard: 500, least: 1, most: maxTokens }),
  profile: asGiven,
  strategy: (strategy = "union", path) => checkChoice(strategy, strategies, path),
  validAt: optional(parseInstant),
  knownAt: optional(parseInstant),
  rotation: optional(checkRotation),
  evaluationTime: optional(parseInstant),
  timeZone: optional((timeZone, path) => checkTimeZone(timeZone, path)),
  fallback: (fallback = "none", path) => checkChoice(fallback, fallbacks, path),
  explain: (explain = false, path) => checkBoolean(explain, path),
  also: (also = [], path) => [
    ...new Set(checkList(also, path, { least: 0, most: mostAccounts }).map((id) => memoryId(id))),
  ],
  recordUsage: optional((recordUsage, path) => checkChoice(recordUsage, recordings, path)),
});

function whole({ standard, ...bounds }: { readonly standard: number; readonly least: number; readonly most: number }) {
  return (value: number | undefined, path: string): number =>
    value === undefined ? standard : checkWholeNumber(value, path, bounds);
}

/** The fields of a recall request. */
export const recallFields: ReadonlySet<string> = check.names;

/** A recall request with every default filled in. */
export interface CheckedRecallRequest {
  readonly query: string;
  readonly scopes: NonEmpty<Scope>;
  readonly categories: readonly Category[] | undefined;
  readonly where: Filter | undefined;
  readonly limit: number;
  /** True when `limit` is the least, and as many more are wanted as `maxTokens` have room for. Absent: false. */
  readonly fills?: boolean | undefined;
  readonly procedureLimit: number;
  /** What is left of them: what others have used is taken off. */
  readonly maxTokens: number;
  readonly maxTokensPerMemory: number;
  readonly tools: readonly string[];
  /** Instead of the embedder's. */
  readonly relevanceFloor: number | undefined;
  readonly profile: ScoringProfile;
  readonly strategy: "union" | "cascade";
  /** As asked; `undefined` stands for the evaluation time. */
  readonly validAt: Instant | undefined;
  readonly knownAt: Instant | undefined;
  /** Absent when nobody asks, or rotation is off. */
  readonly rotation: CheckedRotation | undefined;
  readonly evaluationTime: Instant;
  /** `undefined` is UTC. */
  readonly timeZone: string | undefined;
  readonly recordUsage: "kept" | "none";
  readonly fallback: "none" | "recent";
  readonly explain: boolean;
  /** Memories to account for, each once. None without `explain`. */
  readonly also: readonly MemoryId[];
  /** What the messages of an assembly say: turns that say the same are left out. */
  readonly inHistory: SaidTexts;
}

/** What a request is checked against, and completed from. */
export interface RecallDefaults {
  readonly now: Instant;
  /** Of the tenant. */
  readonly profile: ScoringProfile;
  /** Of the tenant. Absent: the embedder's. */
  readonly relevanceFloor?: number | undefined;
  readonly metadata: DeclaredMetadata;
}

/**
 * @param path where the request stood in a larger one, such as `recall`. Left out: fields are named without it
 * @throws LociError with the field at fault; `SCOPE_REQUIRED` for an empty scope list
 */
export function checkRecallRequest(
  request: RecallRequest,
  { now, profile, relevanceFloor, metadata }: RecallDefaults,
  path?: string,
): CheckedRecallRequest {
  const { usedTokens, ...checked } = check(request, path);
  if (checked.also.length > 0 && !checked.explain)
    throw new LociError("INVALID_REQUEST", {
      message: "also asks why memories are not among the hits, and nothing is explained.",
      field: path === undefined ? "also" : `${path}.also`,
      advice: "Set explain as well.",
    });
  if (checked.where !== undefined) metadata.checkFilter(checked.where, path === undefined ? "where" : `${path}.where`);
  // Who says how many memories are wanted, and nothing of tokens, gets as many.
  const isCounted = request.limit !== undefined && usedTokens === undefined;
  const { limit, procedureLimit, maxTokensPerMemory } = checked;
  const room = isCounted ? (limit + procedureLimit) * maxTokensPerMemory : standardTokens;
  return {
    ...checked,
    maxTokens: Math.max(0, (checked.maxTokens ?? room) - (usedTokens ?? 0)),
    relevanceFloor: checked.relevanceFloor ?? relevanceFloor,
    profile: scoringProfile(checked.profile, profile),
    evaluationTime: checked.evaluationTime ?? now,
    recordUsage: checked.recordUsage ?? defaultRecording(request),
    inHistory: nothingSaid,
  };
}

/** Looking at another time than now, or at how an answer came about, is not use. */
export function defaultRecording({
  evaluationTime,
  knownAt,
  explain,
}: Pick<RecallRequest, "evaluationTime" | "knownAt" | "explain">): "kept" | "none" {
  return evaluationTime === undefined && knownAt === undefined && explain !== true ? "kept" : "none";
}
