import {
  type CapturedCategory,
  type CapturedSessionInput,
  type CaptureSetting,
  checkFields,
  type DailyLogRequest,
  type Etag,
  type KeptSession,
  type ListSessionsRequest,
  type ListSessionsResult,
  optional,
  type SessionInput,
  type SessionState,
} from "@loci/domain";
import { CaptureMoment, Session as ProtoSession, SessionState as ProtoSessionState } from "../gen/loci/v1/session.ts";
import type {
  GetDailyLogRequest,
  ListSessionsRequest as ProtoListSessionsRequest,
  ListSessionsResponse,
} from "../gen/loci/v1/session_service.ts";
import { Enumeration } from "./enumeration.ts";
import { instantFromProto, instantToProto, optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { identifierToProto } from "./identifier.ts";
import { optionalPageTokenToProto, pageTokenFromProto } from "./page-token.ts";
import { nonEmptyList, required, withoutUndefined } from "./read-value.ts";
import {
  field,
  type FieldForms,
  listOf,
  optionalList,
  optionalSwitch,
  optionalWord,
  RequestForm,
  sameField,
} from "./request-form.ts";
import {
  keptScopeFromProto,
  keptScopeToProto,
  scopeFromProto,
  scopeToProto,
  scopesFromProto,
  scopesToProto,
} from "./scope.ts";
import { optionally, optionalWritableInt32, writableBoolean, writableInt32, writableText } from "./writable-value.ts";

const everyTurnsFields: ReadonlySet<string> = new Set(["everyTurns"]);

const moments = new Enumeration<"onClose" | "off", CaptureMoment>({
  onClose: CaptureMoment.ON_CLOSE,
  off: CaptureMoment.OFF,
});

const states = new Enumeration<SessionState, ProtoSessionState>({
  open: ProtoSessionState.OPEN,
  closed: ProtoSessionState.CLOSED,
});

/** What a session has that nobody gives it. */
type OutputOnly = "state" | "lastTurn" | "updateTime" | "etag";

/** Which of them there are the engine knows. */
const capturedCategories = listOf<CapturedCategory, string>({
  write: (category, path) => writableText(category, path, "INVALID_REQUEST"),
  read: (category) => category as CapturedCategory,
});

const sessionFields: Omit<FieldForms<SessionInput, ProtoSession>, "id"> = {
  scope: field("scope", scopeToProto, scopeFromProto),
  agent: sameField("agent", optional(identifierToProto)),
  project: sameField("project", optional(identifierToProto)),
  title: sameField("title", optional(writableText)),
  capture: field("capture", optional(captureToProto), captureFromProto),
  captureInstructions: sameField("captureInstructions", optional(writableText)),
  captureExcept: optionalList("captureExcept", capturedCategories),
  rememberTurns: optionalSwitch("rememberTurns", writableBoolean),
  keepSecrets: optionalSwitch("keepSecrets", writableBoolean),
  createdAt: field("createTime", optionalInstantToProto, optionalInstantFromProto),
};

const sessionInput: RequestForm<SessionInput, ProtoSession, OutputOnly> = new RequestForm<
  SessionInput,
  ProtoSession,
  OutputOnly
>("session", { ...sessionFields, id: sameField("id", identifierToProto) });

const capturedSession: RequestForm<CapturedSessionInput, ProtoSession, OutputOnly> = new RequestForm<
  CapturedSessionInput,
  ProtoSession,
  OutputOnly
>("session", {
  ...sessionFields,
  id: field(
    "id",
    (id: string | undefined, path) => optionally(id, path, identifierToProto) ?? "",
    (id: string) => (id === "" ? undefined : id),
  ),
});

/** @throws LociError with the reason the engine has for the field at fault */
export function sessionInputToProto(input: SessionInput): ProtoSession {
  return { ...ProtoSession.create(), ...sessionInput.toProto(input) };
}

/** @throws LociError with the field at fault */
export function sessionInputFromProto(message: ProtoSession | undefined): SessionInput {
  return sessionInput.fromProto(required(message, "session"));
}

/** @throws LociError with the reason the engine has for the field at fault */
export function capturedSessionToProto(input: CapturedSessionInput): ProtoSession {
  return { ...ProtoSession.create(), ...capturedSession.toProto(input) };
}

/** @throws LociError with the field at fault */
export function capturedSessionFromProto(message: ProtoSession | undefined): CapturedSessionInput {
  return capturedSession.fromProto(required(message, "session"));
}

export function sessionToProto(session: KeptSession): ProtoSession {
  return {
    scope: keptScopeToProto(session.scope, "scope"),
    id: session.id,
    agent: session.agent,
    project: session.project,
    title: session.title,
    capture: captureToProto(session.capture, "capture"),
    captureInstructions: session.captureInstructions,
    captureExcept: [...(session.captureExcept ?? [])],
    rememberTurns: session.rememberTurns,
    keepSecrets: session.keepSecrets,
    state: states.toProto(session.state, "state"),
    lastTurn: session.lastTurn,
    createTime: instantToProto(session.createdAt, "createdAt"),
    updateTime: instantToProto(session.updatedAt, "updatedAt"),
    etag: session.etag,
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function sessionFromProto(message: ProtoSession | undefined): KeptSession {
  const session = required(message, "session");
  return withoutUndefined<KeptSession>({
    scope: keptScopeFromProto(session.scope, "session.scope"),
    id: session.id,
    agent: session.agent,
    project: session.project,
    title: session.title,
    capture: captureFromProto(session.capture) ?? "onClose",
    captureInstructions: session.captureInstructions,
    captureExcept: nonEmptyList(session.captureExcept) as readonly CapturedCategory[] | undefined,
    rememberTurns: session.rememberTurns,
    keepSecrets: session.keepSecrets,
    state: states.fromProto(session.state, "session.state"),
    lastTurn: session.lastTurn,
    createdAt: instantFromProto(session.createTime, "session.createdAt"),
    updatedAt: instantFromProto(session.updateTime, "session.updatedAt"),
    etag: session.etag as Etag,
  });
}

export const listSessionsRequest: RequestForm<ListSessionsRequest, ProtoListSessionsRequest> = new RequestForm<
  ListSessionsRequest,
  ProtoListSessionsRequest
>("request", {
  scopes: field("scopes", scopesToProto, scopesFromProto),
  state: optionalWord("state", states),
  pageSize: sameField("pageSize", optionalWritableInt32),
  pageToken: field("pageToken", optionalPageTokenToProto, pageTokenFromProto),
});

export function listSessionsResultToProto({ sessions, nextPageToken }: ListSessionsResult): ListSessionsResponse {
  return { sessions: sessions.map(sessionToProto), nextPageToken: nextPageToken ?? "" };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function listSessionsResultFromProto(response: ListSessionsResponse): ListSessionsResult {
  return withoutUndefined<ListSessionsResult>({
    sessions: response.sessions.map(sessionFromProto),
    nextPageToken: pageTokenFromProto(response.nextPageToken),
  });
}

export const dailyLogRequest: RequestForm<DailyLogRequest, GetDailyLogRequest> = new RequestForm<
  DailyLogRequest,
  GetDailyLogRequest
>("request", {
  scope: field("scope", scopeToProto, scopeFromProto),
  date: sameField("date", asked),
  timeZone: sameField("timeZone", optional(asked)),
});

function asked(text: string, path: string): string {
  return writableText(text, path, "INVALID_REQUEST");
}

function captureToProto(capture: CaptureSetting, field: string): NonNullable<ProtoSession["capture"]> {
  if (typeof capture !== "object" || capture === null)
    return { $case: "captureMoment", value: moments.toProto(capture, field) };
  checkFields(capture, everyTurnsFields, field);
  return { $case: "captureEveryTurns", value: writableInt32(capture.everyTurns, `${field}.everyTurns`) };
}

function captureFromProto(capture: ProtoSession["capture"]): CaptureSetting | undefined {
  if (capture === undefined) return undefined;
  if (capture.$case === "captureEveryTurns") return { everyTurns: capture.value };
  return moments.optionalFromProto(capture.value, "capture");
}
