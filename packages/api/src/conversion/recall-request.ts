import { checkChoice, checkFields, fieldsOf, LociError, type RecallRequest } from "@loci/domain";
import {
  RecallFallback,
  type RecallMemoriesRequest,
  type RecallOptions,
  RecallStrategy,
} from "../gen/loci/v1/recall.ts";
import { categoriesToProto } from "./categories.ts";
import { Enumeration } from "./enumeration.ts";
import { filterFromProto, filterToProto } from "./filter.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { nonEmptyList, withoutUndefined } from "./read-value.ts";
import { rotationFromProto, rotationToProto } from "./recall-rotation.ts";
import { scopesFromProto, scopesToProto } from "./scope.ts";
import { profileFromProto, profileToProto } from "./scoring-profile.ts";
import {
  optionally,
  writableBoolean,
  writableDouble,
  writableInt32,
  writableList,
  writablePrompt,
  writableText,
} from "./writable-value.ts";

const strategies = new Enumeration<NonNullable<RecallRequest["strategy"]>, RecallStrategy>({
  union: RecallStrategy.UNION,
  cascade: RecallStrategy.CASCADE,
});

const fallbacks = new Enumeration<NonNullable<RecallRequest["fallback"]>, RecallFallback>({
  none: RecallFallback.NONE,
  recent: RecallFallback.RECENT,
});

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

/** How to search and score: what a recall and the recall of an assembly have in common. */
export type RecallSettings = Omit<RecallRequest, "query" | "scopes" | "evaluationTime" | "recordUsage" | "explain">;

/** @throws LociError with the reason the engine has for the field at fault */
export function recallRequestToProto(request: RecallRequest): RecallMemoriesRequest {
  checkFields(request, recallFields, "request");
  return {
    query: { $case: "text", value: writablePrompt(request.query, "query") },
    scopes: scopesToProto(request.scopes, "scopes"),
    options: recallSettingsToProto(request, ""),
    evaluationTime: optionalInstantToProto(request.evaluationTime, "evaluationTime"),
    explain: optionally(request.explain, "explain", writableBoolean),
    recordUsage: optionally(request.recordUsage, "recordUsage", recordingToProto),
  };
}

/** @throws LociError with the field at fault */
export function recallRequestFromProto(request: RecallMemoriesRequest): RecallRequest {
  if (request.query === undefined)
    throw new LociError("INVALID_REQUEST", {
      message: "The query is missing, or of a kind this server does not know.",
      field: "query",
      advice: "Set text.",
    });
  return withoutUndefined({
    query: request.query.value,
    scopes: scopesFromProto(request.scopes, "scopes"),
    ...recallSettingsFromProto(request.options, ""),
    evaluationTime: optionalInstantFromProto(request.evaluationTime, "evaluationTime"),
    explain: request.explain,
    recordUsage: request.recordUsage === undefined ? undefined : request.recordUsage ? "kept" : "none",
  });
}

/**
 * @param path put before the names of fields, such as `recall.`
 * @throws LociError with the reason the engine has for the field at fault
 */
export function recallSettingsToProto(settings: RecallSettings, path: string): RecallOptions {
  return {
    categories: optionally(settings.categories, `${path}categories`, categoriesToProto) ?? [],
    where: optionally(settings.where, `${path}where`, filterToProto),
    limit: optionally(settings.limit, `${path}limit`, writableInt32),
    procedureLimit: optionally(settings.procedureLimit, `${path}procedureLimit`, writableInt32),
    maxTokens: optionally(settings.maxTokens, `${path}maxTokens`, writableInt32),
    maxTokensPerMemory: optionally(settings.maxTokensPerMemory, `${path}maxTokensPerMemory`, writableInt32),
    profile: optionally(settings.profile, `${path}profile`, profileToProto),
    strategy: strategies.optionalToProto(settings.strategy, `${path}strategy`),
    validAt: optionalInstantToProto(settings.validAt, `${path}validAt`),
    fallback: fallbacks.optionalToProto(settings.fallback, `${path}fallback`),
    knownAt: optionalInstantToProto(settings.knownAt, `${path}knownAt`),
    rotation: optionally(settings.rotation, `${path}rotation`, rotationToProto),
    usedTokens: optionally(settings.usedTokens, `${path}usedTokens`, writableInt32),
    tools: optionally(settings.tools, `${path}tools`, toolsToProto) ?? [],
    relevanceFloor: optionally(settings.relevanceFloor, `${path}relevanceFloor`, writableDouble),
  };
}

/** @throws LociError with the field at fault */
export function recallSettingsFromProto(options: RecallOptions | undefined, path: string): RecallSettings {
  if (options === undefined) return {};
  return withoutUndefined<RecallSettings>({
    categories: nonEmptyList(options.categories),
    where: optionally(options.where, `${path}where`, filterFromProto),
    limit: options.limit,
    procedureLimit: options.procedureLimit,
    maxTokens: options.maxTokens,
    maxTokensPerMemory: options.maxTokensPerMemory,
    profile: profileFromProto(options.profile),
    strategy: strategies.optionalFromProto(options.strategy, `${path}strategy`),
    validAt: optionalInstantFromProto(options.validAt, `${path}validAt`),
    fallback: fallbacks.optionalFromProto(options.fallback, `${path}fallback`),
    knownAt: optionalInstantFromProto(options.knownAt, `${path}knownAt`),
    rotation: optionally(options.rotation, `${path}rotation`, rotationFromProto),
    usedTokens: options.usedTokens,
    tools: nonEmptyList(options.tools),
    relevanceFloor: options.relevanceFloor,
  });
}

function toolsToProto(tools: readonly string[], field: string): string[] {
  return writableList(tools, field, "INVALID_REQUEST").map((tool, index) =>
    writableText(tool, `${field}[${index}]`, "INVALID_IDENTIFIER"),
  );
}

function recordingToProto(recordUsage: "kept" | "none", field: string): boolean {
  return checkChoice(recordUsage, ["kept", "none"], field) === "kept";
}
