import {
  asGiven,
  type AssembleRequest,
  type AssemblyRecall,
  type ChatMessage,
  checkBoolean,
  checkChoice,
  checkFields,
  checksOf,
  type DayLog,
  type HistoryOptions,
  type Instant,
  isPlainObject,
  type LayeredFiles,
  LociError,
  optional,
  parseInstant,
  type RankProfile,
  type RecallRequest,
  type RecallRotation,
  type SectionSource,
  type SessionContextRequest,
  type WaterfallMode,
  type WindowOverrides,
} from "@loci/domain";
import { askedTogether, findLayout, hasImage, type HistoryCache, type Layout, messageText } from "@loci/core";
import type { TurnQuestion } from "../recall/running-turns.ts";
import { checkTimeZone } from "../validation/validate-time-zone.ts";
import { checkLayeredFiles } from "./validate-layered-files.ts";
import { checkAssemblyMessages } from "../validation/validate-messages.ts";
import {
  type CheckedRecallRequest,
  checkRecallRequest,
  defaultRecording,
  type RecallDefaults,
  recallFields,
} from "../recall/validate-recall-request.ts";
import { checkPromptText } from "../validation/validate-text.ts";

const profiles = ["conversation", "rag"] as const;
const modes = ["fill", "cascade", "last", "sequential"] as const;
const recordings = ["kept", "none"] as const;

/** Its numbers are checked by the rules that use them. */
const checkWindow = checksOf<WindowOverrides>()("window", {
  sections: optional((sections: Readonly<Record<string, number>>, path) => {
    checkFields(sections, new Set(Object.keys(sections)), path);
    return sections;
  }),
  query: asGiven,
  response: asGiven,
  safetyBuffer: asGiven,
  scaleTo: asGiven,
  fillWindow: optional(checkBoolean),
  preset: asGiven,
  maxTokens: asGiven,
});

/** Its numbers are checked by the rules that use them. */
const checkHistory = checksOf<HistoryOptions>()("history", {
  strategy: optional((strategy, path) => checkChoice(strategy, ["summary", "window"] as const, path)),
  lastTurns: asGiven,
  maxTokens: asGiven,
  turnNumbers: optional(checkBoolean),
});

/** What depends on the session, on the layout or on each other is as it was given. */
const check = checksOf<AssembleRequest>()("request", {
  model: optional(checkPromptText),
  window: optional(checkWindow),
  timeZone: optional((timeZone, path) => checkTimeZone(timeZone, path)),
  explain: (explain = false, path) => checkBoolean(explain, path),
  evaluationTime: optional(parseInstant),
  layout: asGiven,
  messages: asGiven,
  session: asGiven,
  blockOwners: asGiven,
  recall: asGiven,
  memoryDates: (memoryDates = false, path) => checkBoolean(memoryDates, path),
  query: asGiven,
  profile: (profile = "conversation", path) => checkChoice(profile, profiles, path),
  mode: optional((mode, path) => checkChoice(mode, modes, path)),
  system: optional(checkPromptText),
  project: optional(checkPromptText),
  task: optional(checkPromptText),
  coreMemory: optional(checkPromptText),
  files: optional((files) => checkLayeredFiles(files)),
  history: (history = {}, path) => checkHistory(history, path),
  recordUsage: optional((recordUsage, path) => checkChoice(recordUsage, recordings, path)),
});

const sessionContextFields: ReadonlySet<string> = new Set(
  [...check.names].filter((name) => name !== "session" && name !== "messages"),
);

/** What the assembly itself says about its recall is no field of it. */
const assemblyRecallFields: ReadonlySet<string> = new Set(
  [...recallFields].filter((name) => !["evaluationTime", "recordUsage", "explain", "also"].includes(name)),
);

/** What a session adds to a request that names one. */
export interface SessionContent {
  readonly messages: readonly ChatMessage[];
  readonly title?: string | undefined;
  /** The logs of its scope's latest days, where the layout shows days and the request has none. */
  readonly days?: readonly DayLog[] | undefined;
  readonly rotation: RecallRotation;
}

/** Which limits of a recall the caller has named, and which are to be found. */
export interface NamedLimits {
  readonly limit: boolean;
  readonly procedureLimit: boolean;
  readonly maxTokens: boolean;
}

/** An assembly request with every default filled in, save those that the model decides. */
export interface CheckedAssembleRequest {
  readonly layout: Layout;
  readonly profile: RankProfile;
  readonly mode: WaterfallMode;
  readonly model: string | undefined;
  readonly window: WindowOverrides | undefined;
  readonly system: string | undefined;
  readonly project: string | undefined;
  readonly task: string | undefined;
  readonly coreMemory: string | undefined;
  readonly files: LayeredFiles | undefined;
  readonly messages: readonly ChatMessage[];
  readonly history: HistoryOptions;
  /** Absent in the middle of a turn: the question stands where it was said. */
  readonly query: string | undefined;
  readonly question: TurnQuestion;
  readonly recall: CheckedRecallRequest | undefined;
  readonly namedLimits: NamedLimits;
  /** True when recall has a query of its own. */
  readonly hasTopic: boolean;
  /** The time zone of the days that memories are dated by. Absent: they are not dated. */
  readonly dateZone: string | undefined;
  readonly evaluationTime: Instant;
  readonly recordUsage: "kept" | "none";
  readonly explain: boolean;
}

/**
 * The layout of a request that has only fields there are.
 *
 * @throws LociError `INVALID_REQUEST`, `INVALID_LAYOUT`
 */
export function checkAssembleFields(request: AssembleRequest): Layout {
  checkFields(request, check.names, "request");
  return findLayout(request.layout);
}

/**
 * What a context of a session is assembled with, before anything of it is read.
 *
 * @throws LociError `INVALID_REQUEST` for a field that is none, or that says which conversation it is; `INVALID_LAYOUT`
 */
export function checkSessionContext(context: SessionContextRequest = {}): SessionContextRequest {
  checkFields(context, sessionContextFields, "context");
  findLayout(context.layout);
  return context;
}

/** Whether a request gives the text of a section itself. */
export function givesText(request: CheckedAssembleRequest, source: SectionSource): boolean {
  const file = source.startsWith("file:") ? request.files?.files : undefined;
  const name = source.slice("file:".length);
  const text =
    source === "system" || source === "project" || source === "task" || source === "coreMemory"
      ? request[source]
      : file !== undefined && Object.hasOwn(file, name)
        ? file[name]
        : undefined;
  return (text ?? "").trim() !== "";
}

/**
 * Numbers of the window are checked by the rules that use them.
 *
 * @param conversations whose messages were checked before
 * @param session whose turns stand for the request's messages
 * @throws LociError with the field at fault
 */
export function checkAssembleRequest(
  request: AssembleRequest & { readonly layout: Layout },
  defaults: RecallDefaults,
  conversations: HistoryCache,
  session?: SessionContent,
): CheckedAssembleRequest {
  const { layout } = request;
  const checked = check(request);
  const { explain, recordUsage } = checked;
  const messages =
    session?.messages ?? (request.messages === undefined ? [] : checkAssemblyMessages(request.messages, conversations));
  const recall = request.recall && withSession(request.recall, layout, session);
  const { query, question } = checkQuery(request.query, messages);
  const topic = recall?.query ?? question.text;
  // What is no text is refused below.
  const asked = typeof topic === "string" ? askedTogether(topic, saidBefore(messages, question.position)) : topic;
  const evaluationTime = checked.evaluationTime ?? defaults.now;
  const recordByDefault = defaultRecording({ ...request, knownAt: recall?.knownAt });
  return {
    layout,
    profile: checked.profile,
    mode: checked.mode ?? layout.mode,
    model: checked.model,
    window: checked.window,
    system: checked.system,
    project: checked.project,
    task: checked.task,
    coreMemory: checked.coreMemory,
    files: withDays(checked.files, session?.days),
    messages,
    history: checked.history,
    query,
    question,
    recall:
      recall === undefined
        ? undefined
        : checkAssemblyRecall(recall, { query: asked, explain, evaluationTime, timeZone: checked.timeZone }, defaults),
    namedLimits: {
      limit: recall?.limit !== undefined,
      procedureLimit: recall?.procedureLimit !== undefined,
      maxTokens: recall?.maxTokens !== undefined,
    },
    hasTopic: recall?.query !== undefined,
    dateZone: checked.memoryDates ? (checked.timeZone ?? "UTC") : undefined,
    evaluationTime,
    recordUsage: recordUsage ?? recordByDefault,
    explain,
  };
}

/** Days that a session has stand where none are given. */
function withDays(files: LayeredFiles | undefined, days: readonly DayLog[] | undefined): LayeredFiles | undefined {
  return days === undefined || days.length === 0 || (files?.days ?? []).length > 0 ? files : { ...files, days };
}

/** Memories are noted as shown to the session, and where a layout recalls by a topic it is the session's title. */
function withSession(
  recall: AssemblyRecall,
  { sections }: Layout,
  session: SessionContent | undefined,
): AssemblyRecall {
  if (session === undefined || !isPlainObject(recall)) return recall;
  const hasOwned = sections.some(({ source }) => source === "teamMemories" || source === "personalMemories");
  const topic = hasOwned && session.title !== undefined ? { query: session.title } : {};
  return { ...topic, rotation: session.rotation, ...definedOf(recall) };
}

function definedOf(recall: AssemblyRecall): AssemblyRecall {
  return Object.fromEntries(
    Object.entries(recall).filter(([, value]) => value !== undefined),
  ) as unknown as AssemblyRecall;
}

/**
 * The question, and the query as far as it stands apart: it stands where it was said when something follows it there.
 *
 * @throws LociError `INVALID_TEXT` when there is neither a query nor a message of the user
 */
function checkQuery(
  given: string | undefined,
  messages: readonly ChatMessage[],
): { readonly query: string | undefined; readonly question: TurnQuestion } {
  const position = messages.findLastIndex(({ role }) => role === "user");
  const latest = messages[position];
  if (latest === undefined && (given === undefined || given === ""))
    throw new LociError("INVALID_TEXT", {
      message: "There is no query, and no message of the user that could be it.",
      field: "query",
      advice: "Pass what the user asks as query, or as a message of the user.",
    });
  if (latest === undefined || (given !== undefined && given !== "")) {
    const query = checkPromptText(given, "query");
    const repeats = latest !== undefined && !hasImage(latest) && messageText(latest) === query;
    const question = { text: query, position: repeats ? position : messages.length };
    return { query: repeats && endsInToolCalls(messages) ? undefined : query, question };
  }
  const question = { text: messageText(latest), position };
  const isLast = position === messages.length - 1 && !hasImage(latest);
  return { query: isLast ? question.text : undefined, question };
}

/** What the user said before the question, the newest first. */
function* saidBefore(messages: readonly ChatMessage[], position: number): Generator<string> {
  for (let index = position - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role === "user") yield messageText(message);
  }
}

function endsInToolCalls(messages: readonly ChatMessage[]): boolean {
  const last = messages.at(-1);
  return last?.role === "tool" || (last?.tool_calls ?? []).length > 0;
}

function checkAssemblyRecall(
  recall: AssemblyRecall,
  {
    query,
    timeZone,
    ...asked
  }: Pick<RecallRequest, "query" | "timeZone"> & { explain: boolean; evaluationTime: Instant },
  defaults: RecallDefaults,
): CheckedRecallRequest {
  checkFields(recall, assemblyRecallFields, "recall");
  return checkRecallRequest(
    { ...recall, ...asked, query, timeZone: recall.timeZone ?? timeZone },
    { ...defaults, now: asked.evaluationTime },
    "recall",
  );
}
