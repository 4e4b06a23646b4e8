import {
  type AssembleRequest,
  type AssemblyRecall,
  checkFields,
  isPlainObject,
  type LayoutDefinition,
  LociError,
  optional,
} from "@loci/domain";
import { UsageRecording } from "../gen/loci/v1/context.ts";
import type { AssembleContextRequest, AssemblyRecall as ProtoAssemblyRecall } from "../gen/loci/v1/context_service.ts";
import { chatMessagesFromProto, chatMessagesToProto } from "./chat-message.ts";
import { Enumeration } from "./enumeration.ts";
import { historyOptions } from "./history-options.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { layeredFiles, layoutDefinition } from "./layout.ts";
import { type RecallSettings, recallSettings, recallSettingsFromProto } from "./recall-request.ts";
import { field, optionalList, optionalPart, optionalWord, RequestForm, sameField } from "./request-form.ts";
import { scopeList, scopesFromProto, scopesToProto } from "./scope.ts";
import { sessionKey } from "./session-key.ts";
import { rankProfiles, waterfallModes, windowOverrides } from "./window.ts";
import { optionally, writableBoolean, writablePrompt, writableText } from "./writable-value.ts";

const recordings = new Enumeration<NonNullable<AssembleRequest["recordUsage"]>, UsageRecording>({
  kept: UsageRecording.KEPT,
  none: UsageRecording.NONE,
});

type ProtoLayout = "layout" | "layoutDefinition";

/** All of a request but its layout, which is in one of two fields of the message. */
const others: RequestForm<Omit<AssembleRequest, "layout">, AssembleContextRequest, ProtoLayout> = new RequestForm<
  Omit<AssembleRequest, "layout">,
  AssembleContextRequest,
  ProtoLayout
>("request", {
  profile: optionalWord("profile", rankProfiles),
  mode: optionalWord("mode", waterfallModes),
  model: sameField("model", optional(writablePrompt)),
  window: optionalPart("window", windowOverrides),
  system: sameField("system", optional(writablePrompt)),
  project: sameField("project", optional(writablePrompt)),
  task: sameField("task", optional(writablePrompt)),
  coreMemory: sameField("coreMemory", optional(writablePrompt)),
  files: optionalPart("files", layeredFiles),
  messages: optionalList("messages", { write: chatMessagesToProto, read: chatMessagesFromProto }),
  session: optionalPart("session", sessionKey),
  blockOwners: optionalList("blockOwners", scopeList),
  timeZone: sameField("timeZone", optional(writablePrompt)),
  history: optionalPart("history", historyOptions),
  // An empty query is as good as none.
  query: field(
    "query",
    (query, path) => (query === undefined ? "" : writablePrompt(query, path)),
    (query: string) => (query === "" ? undefined : query),
  ),
  recall: optionalPart("recall", { write: assemblyRecallToProto, read: assemblyRecallFromProto }),
  memoryDates: sameField("memoryDates", optional(writableBoolean)),
  evaluationTime: field("evaluationTime", optionalInstantToProto, optionalInstantFromProto),
  recordUsage: optionalWord("recordUsage", recordings),
  explain: sameField("explain", optional(writableBoolean)),
});

/** The fields of a request. */
export const assembleFields: ReadonlySet<string> = new Set(["layout", ...others.names]);

/** @throws LociError with the reason the engine has for the field at fault */
export function assembleRequestToProto(request: AssembleRequest): AssembleContextRequest {
  checkFields(request, assembleFields, "request");
  const { layout } = request;
  return {
    ...(isDefinition(layout)
      ? { layout: undefined, layoutDefinition: layoutDefinition.write(layout, "layout") }
      : { layout: optionally(layout, "layout", writableLayoutName), layoutDefinition: undefined }),
    ...others.writeFields(request, ""),
  };
}

/** @throws LociError with the field at fault */
export function assembleRequestFromProto(request: AssembleContextRequest): AssembleRequest {
  const layout = layoutOf(request);
  return { ...(layout === undefined ? {} : { layout }), ...others.fromProto(request) };
}

function layoutOf({ layout, layoutDefinition: defined }: AssembleContextRequest): AssembleRequest["layout"] {
  // Like every word that is a string on the wire, for the engine to check.
  if (defined === undefined) return layout as AssembleRequest["layout"];
  if (layout === undefined) return layoutDefinition.read(defined, "layout");
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

type AskedRecall = Omit<AssemblyRecall, keyof RecallSettings>;

/** What the recall of an assembly says besides its settings. */
const askedRecall: RequestForm<AskedRecall, ProtoAssemblyRecall, "options"> = new RequestForm<
  AskedRecall,
  ProtoAssemblyRecall,
  "options"
>("recall", {
  query: sameField("query", optional(writablePrompt)),
  scopes: field("scopes", scopesToProto, scopesFromProto),
});
const recallFields: ReadonlySet<string> = new Set([...askedRecall.names, ...recallSettings.names]);

function assemblyRecallToProto(recall: AssemblyRecall, path: string): ProtoAssemblyRecall {
  checkFields(recall, recallFields, path);
  const prefix = `${path}.`;
  return { ...askedRecall.writeFields(recall, prefix), options: recallSettings.writeFields(recall, prefix) };
}

function assemblyRecallFromProto(recall: ProtoAssemblyRecall, path: string): AssemblyRecall {
  return { ...askedRecall.read(recall, path), ...recallSettingsFromProto(recall.options, `${path}.`) };
}
