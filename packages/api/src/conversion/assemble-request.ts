import {
  type AssembleRequest,
  type AssemblyRecall,
  checkFields,
  fieldsOf,
  isPlainObject,
  type LayoutDefinition,
  LociError,
} from "@loci/domain";
import { UsageRecording } from "../gen/loci/v1/context.ts";
import type { AssembleContextRequest, AssemblyRecall as ProtoAssemblyRecall } from "../gen/loci/v1/context_service.ts";
import { chatMessagesFromProto, chatMessagesToProto } from "./chat-message.ts";
import { Enumeration } from "./enumeration.ts";
import { historyOptionsFromProto, historyOptionsToProto } from "./history-options.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { layeredFilesFromProto, layeredFilesToProto, layoutFromProto, layoutToProto } from "./layout.ts";
import { nonEmptyList, withoutUndefined } from "./read-value.ts";
import { recallSettingsFromProto, recallSettingsToProto } from "./recall-request.ts";
import { scopesFromProto, scopesToProto } from "./scope.ts";
import { sessionReferenceFromProto, sessionReferenceToProto } from "./session-reference.ts";
import { rankProfiles, waterfallModes, windowOverridesFromProto, windowOverridesToProto } from "./window.ts";
import { optionally, writableBoolean, writablePrompt, writableText } from "./writable-value.ts";

const recordings = new Enumeration<NonNullable<AssembleRequest["recordUsage"]>, UsageRecording>({
  kept: UsageRecording.KEPT,
  none: UsageRecording.NONE,
});

/** The fields of a request. */
export const assembleFields: ReadonlySet<string> = fieldsOf<AssembleRequest>({
  layout: true,
  profile: true,
  mode: true,
  model: true,
  window: true,
  system: true,
  project: true,
  task: true,
  coreMemory: true,
  files: true,
  messages: true,
  session: true,
  blockOwners: true,
  timeZone: true,
  history: true,
  query: true,
  recall: true,
  evaluationTime: true,
  recordUsage: true,
  explain: true,
});

const recallFields = fieldsOf<AssemblyRecall>({
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
  fallback: true,
});

/** @throws LociError with the reason the engine has for the field at fault */
export function assembleRequestToProto(request: AssembleRequest): AssembleContextRequest {
  checkFields(request, assembleFields, "request");
  const { layout } = request;
  return {
    ...(isDefinition(layout)
      ? { layout: undefined, layoutDefinition: layoutToProto(layout, "layout") }
      : { layout: optionally(layout, "layout", writableLayoutName), layoutDefinition: undefined }),
    profile: rankProfiles.optionalToProto(request.profile, "profile"),
    mode: waterfallModes.optionalToProto(request.mode, "mode"),
    model: optionally(request.model, "model", writablePrompt),
    window: optionally(request.window, "window", windowOverridesToProto),
    system: optionally(request.system, "system", writablePrompt),
    project: optionally(request.project, "project", writablePrompt),
    task: optionally(request.task, "task", writablePrompt),
    coreMemory: optionally(request.coreMemory, "coreMemory", writablePrompt),
    files: optionally(request.files, "files", layeredFilesToProto),
    messages: optionally(request.messages, "messages", chatMessagesToProto) ?? [],
    session: optionally(request.session, "session", sessionReferenceToProto),
    blockOwners: optionally(request.blockOwners, "blockOwners", scopesToProto) ?? [],
    timeZone: optionally(request.timeZone, "timeZone", writablePrompt),
    history: optionally(request.history, "history", historyOptionsToProto),
    query: optionally(request.query, "query", writablePrompt) ?? "",
    recall: optionally(request.recall, "recall", assemblyRecallToProto),
    evaluationTime: optionalInstantToProto(request.evaluationTime, "evaluationTime"),
    recordUsage: recordings.optionalToProto(request.recordUsage, "recordUsage"),
    explain: optionally(request.explain, "explain", writableBoolean),
  };
}

/** @throws LociError with the field at fault */
export function assembleRequestFromProto(request: AssembleContextRequest): AssembleRequest {
  return withoutUndefined<AssembleRequest>({
    layout: layoutOf(request),
    profile: rankProfiles.optionalFromProto(request.profile, "profile"),
    mode: waterfallModes.optionalFromProto(request.mode, "mode"),
    model: request.model,
    window: optionally(request.window, "window", windowOverridesFromProto),
    system: request.system,
    project: request.project,
    task: request.task,
    coreMemory: request.coreMemory,
    files: request.files === undefined ? undefined : layeredFilesFromProto(request.files),
    messages: nonEmptyList(chatMessagesFromProto(request.messages, "messages")),
    session: optionally(request.session, "session", sessionReferenceFromProto),
    blockOwners: nonEmptyList(scopesFromProto(request.blockOwners, "blockOwners")),
    timeZone: request.timeZone,
    history: optionally(request.history, "history", historyOptionsFromProto),
    // An empty query is as good as none.
    query: request.query === "" ? undefined : request.query,
    recall: optionally(request.recall, "recall", assemblyRecallFromProto),
    evaluationTime: optionalInstantFromProto(request.evaluationTime, "evaluationTime"),
    recordUsage: recordings.optionalFromProto(request.recordUsage, "recordUsage"),
    explain: request.explain,
  });
}

function layoutOf({ layout, layoutDefinition }: AssembleContextRequest): AssembleRequest["layout"] {
  // Like every word that is a string on the wire, for the engine to check.
  if (layoutDefinition === undefined) return layout as AssembleRequest["layout"];
  if (layout === undefined) return layoutFromProto(layoutDefinition, "layout");
  throw new LociError("INVALID_LAYOUT", {
    message: "There are two layouts: one by name, and one that is defined.",
    field: "layout",
    advice: "Set layout or layout_definition.",
  });
}

function isDefinition(layout: AssembleRequest["layout"]): layout is LayoutDefinition {
  return isPlainObject(layout);
}

function writableLayoutName(layout: string, field: string): string {
  return writableText(layout, field, "INVALID_LAYOUT");
}

function assemblyRecallToProto(recall: AssemblyRecall, field: string): ProtoAssemblyRecall {
  checkFields(recall, recallFields, field);
  return {
    scopes: scopesToProto(recall.scopes, `${field}.scopes`),
    options: recallSettingsToProto(recall, `${field}.`),
    query: optionally(recall.query, `${field}.query`, writablePrompt),
  };
}

function assemblyRecallFromProto(recall: ProtoAssemblyRecall, field: string): AssemblyRecall {
  return withoutUndefined<AssemblyRecall>({
    query: recall.query,
    scopes: scopesFromProto(recall.scopes, `${field}.scopes`),
    ...recallSettingsFromProto(recall.options, `${field}.`),
  });
}
