import { checkChoice, checkFields, LociError, optional, type RecallRequest } from "@loci/domain";
import {
  RecallFallback,
  type RecallMemoriesRequest,
  type RecallOptions,
  RecallStrategy,
} from "../gen/loci/v1/recall.ts";
import { categoriesToProto } from "./categories.ts";
import { Enumeration } from "./enumeration.ts";
import { filterFromProto, filterToProto } from "./filter.ts";
import { identifierToProto } from "./identifier.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { memoryIds } from "./memory-ids.ts";
import { rotation } from "./recall-rotation.ts";
import { field, listOf, optionalList, optionalPart, optionalWord, RequestForm, sameField } from "./request-form.ts";
import { scopesFromProto, scopesToProto } from "./scope.ts";
import { profileFromProto, profileToProto } from "./scoring-profile.ts";
import { optionalWritableInt32, same, writableBoolean, writableDouble, writablePrompt } from "./writable-value.ts";

const strategies = new Enumeration<NonNullable<RecallRequest["strategy"]>, RecallStrategy>({
  union: RecallStrategy.UNION,
  cascade: RecallStrategy.CASCADE,
});

const fallbacks = new Enumeration<NonNullable<RecallRequest["fallback"]>, RecallFallback>({
  none: RecallFallback.NONE,
  recent: RecallFallback.RECENT,
});

/** How to search and score: what a recall and the recall of an assembly have in common. */
export type RecallSettings = Omit<
  RecallRequest,
  "query" | "scopes" | "evaluationTime" | "recordUsage" | "explain" | "also"
>;

export const recallSettings: RequestForm<RecallSettings, RecallOptions> = new RequestForm<
  RecallSettings,
  RecallOptions
>("options", {
  categories: optionalList("categories", { write: categoriesToProto, read: same }),
  where: optionalPart("where", { write: filterToProto, read: filterFromProto }),
  limit: sameField("limit", optionalWritableInt32),
  procedureLimit: sameField("procedureLimit", optionalWritableInt32),
  maxTokens: sameField("maxTokens", optionalWritableInt32),
  maxTokensPerMemory: sameField("maxTokensPerMemory", optionalWritableInt32),
  profile: field("profile", optional(profileToProto), profileFromProto),
  strategy: optionalWord("strategy", strategies),
  validAt: field("validAt", optionalInstantToProto, optionalInstantFromProto),
  fallback: optionalWord("fallback", fallbacks),
  knownAt: field("knownAt", optionalInstantToProto, optionalInstantFromProto),
  rotation: optionalPart("rotation", rotation),
  usedTokens: sameField("usedTokens", optionalWritableInt32),
  tools: optionalList("tools", listOf({ write: identifierToProto, read: same })),
  relevanceFloor: sameField("relevanceFloor", optional(writableDouble)),
  timeZone: sameField("timeZone", optional(writablePrompt)),
});

type Asking = Omit<RecallRequest, keyof RecallSettings>;

/** What a recall says besides its settings. */
const asking: RequestForm<Asking, RecallMemoriesRequest, "options"> = new RequestForm<
  Asking,
  RecallMemoriesRequest,
  "options"
>("request", {
  query: field("question", queryToProto, queryFromProto),
  scopes: field("scopes", scopesToProto, scopesFromProto),
  evaluationTime: field("evaluationTime", optionalInstantToProto, optionalInstantFromProto),
  explain: sameField("explain", optional(writableBoolean)),
  also: optionalList("also", memoryIds),
  recordUsage: field("recordUsage", optional(recordingToProto), optional(recordingFromProto)),
});
const recallFields: ReadonlySet<string> = new Set([...asking.names, ...recallSettings.names]);

/** @throws LociError with the reason the engine has for the field at fault */
export function recallRequestToProto(request: RecallRequest): RecallMemoriesRequest {
  checkFields(request, recallFields, "request");
  return { ...asking.writeFields(request, ""), options: recallSettings.writeFields(request, "") };
}

/** @throws LociError with the field at fault */
export function recallRequestFromProto(request: RecallMemoriesRequest): RecallRequest {
  return { ...asking.fromProto(request), ...recallSettingsFromProto(request.options, "") };
}

/** @param prefix put before the names of fields, such as `recall.` */
export function recallSettingsFromProto(options: RecallOptions | undefined, prefix: string): RecallSettings {
  return options === undefined ? {} : recallSettings.readFields(options, prefix);
}

function queryToProto(query: string, path: string): RecallMemoriesRequest["question"] {
  return { $case: "query", value: writablePrompt(query, path) };
}

function queryFromProto(question: RecallMemoriesRequest["question"]): string {
  if (question !== undefined) return question.value;
  throw new LociError("INVALID_REQUEST", {
    message: "The query is missing, or of a kind this server does not know.",
    field: "query",
    advice: "Set query.",
  });
}

function recordingToProto(recordUsage: "kept" | "none", path: string): boolean {
  return checkChoice(recordUsage, ["kept", "none"], path) === "kept";
}

function recordingFromProto(isRecorded: boolean): "kept" | "none" {
  return isRecorded ? "kept" : "none";
}
