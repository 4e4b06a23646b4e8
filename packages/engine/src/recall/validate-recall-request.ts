import {
  type Category,
  checkBoolean,
  checkChoice,
  checkFields,
  checkFilter,
  checkIdentifier,
  checkList,
  fieldsOf,
  type Filter,
  type Instant,
  type NonEmpty,
  parseInstant,
  parseScopes,
  type RecallRequest,
  type Scope,
  type ScoringProfile,
} from "@loci/domain";
import { scoringProfile } from "@loci/core";
import { type CheckedRotation, checkRotation } from "./validate-rotation.ts";
import type { DeclaredMetadata } from "../projections/declared-metadata.ts";
import { checkCategories } from "../validation/validate-labels.ts";
import { checkShare, checkWholeNumber } from "../validation/validate-number.ts";
import { checkPromptText } from "../validation/validate-text.ts";

const recallFields = fieldsOf<RecallRequest>({
  query: true,
  scopes: true,
  categories: true,
  where: true,
  limit: true,
  procedureLimit: true,
  maxTokens: true,
  maxTokensPerMemory: true,
  usedTokens: true,
  tools: true,
  relevanceFloor: true,
  profile: true,
  strategy: true,
  validAt: true,
  knownAt: true,
  rotation: true,
  evaluationTime: true,
  recordUsage: true,
  fallback: true,
  explain: true,
});

/** A recall request with every default filled in. */
export interface CheckedRecallRequest {
  readonly query: string;
  readonly scopes: NonEmpty<Scope>;
  readonly categories: readonly Category[] | undefined;
  readonly where: Filter | undefined;
  readonly limit: number;
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
  readonly recordUsage: "kept" | "none";
  readonly fallback: "none" | "recent";
  readonly explain: boolean;
  /** What the messages of an assembly say, as `saidText` gives it: turns that say the same are left out. */
  readonly inHistory: ReadonlySet<string>;
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

const maxHits = 1_000;
const maxTokens = 10_000_000;

type WholeNumberField = "limit" | "procedureLimit" | "maxTokens" | "usedTokens" | "maxTokensPerMemory";

/**
 * @param path what stands before the names of fields in errors, such as `recall.`
 * @throws LociError with the field at fault; `SCOPE_REQUIRED` for an empty scope list
 */
export function checkRecallRequest(
  request: RecallRequest,
  { now, profile, relevanceFloor, metadata }: RecallDefaults,
  path = "",
): CheckedRecallRequest {
  checkFields(request, recallFields, "request");
  const whole = (field: WholeNumberField, standard: number, most: number, least = 1): number => {
    const value = request[field];
    return value === undefined ? standard : checkWholeNumber(value, path + field, { least, most });
  };
  return {
    query: checkPromptText(request.query, `${path}query`),
    scopes: parseScopes(request.scopes, `${path}scopes`),
    categories: request.categories === undefined ? undefined : checkCategories(request.categories, `${path}categories`),
    where: request.where === undefined ? undefined : checkWhere(request.where, metadata, `${path}where`),
    limit: whole("limit", 15, maxHits),
    procedureLimit: whole("procedureLimit", 10, maxHits, 0),
    maxTokens: Math.max(0, whole("maxTokens", 1_500, maxTokens) - whole("usedTokens", 0, maxTokens, 0)),
    tools: request.tools === undefined ? [] : checkTools(request.tools, `${path}tools`),
    relevanceFloor:
      request.relevanceFloor === undefined
        ? relevanceFloor
        : checkShare(request.relevanceFloor, `${path}relevanceFloor`),
    maxTokensPerMemory: whole("maxTokensPerMemory", 500, maxTokens),
    profile: scoringProfile(request.profile, profile),
    strategy: request.strategy === undefined ? "union" : checkChoice(request.strategy, strategies, `${path}strategy`),
    validAt: request.validAt === undefined ? undefined : parseInstant(request.validAt, `${path}validAt`),
    knownAt: request.knownAt === undefined ? undefined : parseInstant(request.knownAt, `${path}knownAt`),
    rotation: request.rotation === undefined ? undefined : checkRotation(request.rotation, `${path}rotation`),
    evaluationTime:
      request.evaluationTime === undefined ? now : parseInstant(request.evaluationTime, `${path}evaluationTime`),
    fallback: request.fallback === undefined ? "none" : checkChoice(request.fallback, fallbacks, `${path}fallback`),
    explain: request.explain === undefined ? false : checkBoolean(request.explain, `${path}explain`),
    inHistory: new Set(),
    recordUsage:
      request.recordUsage === undefined
        ? defaultRecording(request)
        : checkChoice(request.recordUsage, recordings, `${path}recordUsage`),
  };
}

const mostTools = 128;

function checkTools(tools: readonly string[], field: string): readonly string[] {
  checkList(tools, field, { least: 0, most: mostTools });
  return tools.map((tool, index) => checkIdentifier(tool, `${field}[${index}]`));
}

function checkWhere(where: Filter, metadata: DeclaredMetadata, field: string): Filter {
  const filter = checkFilter(where, field);
  metadata.checkFilter(filter, field);
  return filter;
}

/** Looking at another time than now, or at how an answer came about, is not use. */
export function defaultRecording({
  evaluationTime,
  knownAt,
  explain,
}: Pick<RecallRequest, "evaluationTime" | "knownAt" | "explain">): "kept" | "none" {
  return evaluationTime === undefined && knownAt === undefined && explain !== true ? "kept" : "none";
}

const strategies = ["union", "cascade"] as const;
const fallbacks = ["none", "recent"] as const;
const recordings = ["kept", "none"] as const;
