import {
  type CaptureSetting,
  checkFields,
  type DailyLogRequest,
  type Etag,
  fieldsOf,
  type KeptSession,
  type ListSessionsRequest,
  type ListSessionsResult,
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
import { identifierToProto } from "./memory-content.ts";
import { pageTokenFromProto, pageTokenToProto } from "./page-token.ts";
import { required, withoutUndefined } from "./read-value.ts";
import { scopeFromProto, scopesFromProto, scopesToProto, scopeToProto } from "./scope.ts";
import { optionally, writableBoolean, writableInt32, writableText } from "./writable-value.ts";

const inputFields = fieldsOf<SessionInput>({
  scope: true,
  id: true,
  agent: true,
  project: true,
  title: true,
  capture: true,
  rememberTurns: true,
  keepSecrets: true,
  createdAt: true,
});
const everyTurnsFields: ReadonlySet<string> = new Set(["everyTurns"]);
const listFields = fieldsOf<ListSessionsRequest>({ scopes: true, state: true, pageSize: true, pageToken: true });
const dailyLogFields = fieldsOf<DailyLogRequest>({ scope: true, date: true, timeZone: true });

const moments = new Enumeration<"onClose" | "off", CaptureMoment>({
  onClose: CaptureMoment.ON_CLOSE,
  off: CaptureMoment.OFF,
});

const states = new Enumeration<SessionState, ProtoSessionState>({
  open: ProtoSessionState.OPEN,
  closed: ProtoSessionState.CLOSED,
});

/** @throws LociError with the reason the engine has for the field at fault */
export function sessionInputToProto(input: SessionInput): ProtoSession {
  checkFields(input, inputFields, "session");
  return {
    ...ProtoSession.create(),
    scope: scopeToProto(input.scope, "scope"),
    id: identifierToProto(input.id, "id"),
    agent: optionally(input.agent, "agent", identifierToProto),
    project: optionally(input.project, "project", identifierToProto),
    title: optionally(input.title, "title", writableText),
    capture: optionally(input.capture, "capture", captureToProto),
    rememberTurns: optionally(input.rememberTurns, "rememberTurns", writableBoolean) ?? false,
    keepSecrets: optionally(input.keepSecrets, "keepSecrets", writableBoolean) ?? false,
    createTime: optionalInstantToProto(input.createdAt, "createdAt"),
  };
}

/** @throws LociError with the field at fault */
export function sessionInputFromProto(message: ProtoSession | undefined): SessionInput {
  const session = required(message, "session");
  return withoutUndefined<SessionInput>({
    scope: scopeFromProto(session.scope, "scope"),
    id: session.id,
    agent: session.agent,
    project: session.project,
    title: session.title,
    capture: captureFromProto(session.capture),
    // On the wire false is the same as nothing.
    rememberTurns: session.rememberTurns ? true : undefined,
    keepSecrets: session.keepSecrets ? true : undefined,
    createdAt: optionalInstantFromProto(session.createTime, "createdAt"),
  });
}

export function sessionToProto(session: KeptSession): ProtoSession {
  return {
    scope: scopeToProto(session.scope, "scope"),
    id: session.id,
    agent: session.agent,
    project: session.project,
    title: session.title,
    capture: captureToProto(session.capture, "capture"),
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
    scope: scopeFromProto(session.scope, "session.scope"),
    id: session.id,
    agent: session.agent,
    project: session.project,
    title: session.title,
    capture: captureFromProto(session.capture) ?? "onClose",
    rememberTurns: session.rememberTurns,
    keepSecrets: session.keepSecrets,
    state: states.fromProto(session.state, "session.state"),
    lastTurn: session.lastTurn,
    createdAt: instantFromProto(session.createTime, "session.createdAt"),
    updatedAt: instantFromProto(session.updateTime, "session.updatedAt"),
    etag: session.etag as Etag,
  });
}

/** @throws LociError with the reason the engine has for the field at fault */
export function listSessionsRequestToProto(request: ListSessionsRequest): ProtoListSessionsRequest {
  checkFields(request, listFields, "request");
  return {
    scopes: scopesToProto(request.scopes, "scopes"),
    state: states.optionalToProto(request.state, "state"),
    pageSize: optionally(request.pageSize, "pageSize", writableInt32),
    pageToken: optionally(request.pageToken, "pageToken", pageTokenToProto) ?? "",
  };
}

/** @throws LociError with the field at fault */
export function listSessionsRequestFromProto(request: ProtoListSessionsRequest): ListSessionsRequest {
  return withoutUndefined<ListSessionsRequest>({
    scopes: scopesFromProto(request.scopes, "scopes"),
    state: states.optionalFromProto(request.state, "state"),
    pageSize: request.pageSize,
    pageToken: pageTokenFromProto(request.pageToken),
  });
}

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

/** @throws LociError with the reason the engine has for the field at fault */
export function dailyLogRequestToProto(request: DailyLogRequest): GetDailyLogRequest {
  checkFields(request, dailyLogFields, "request");
  return {
    scope: scopeToProto(request.scope, "scope"),
    date: writableText(request.date, "date", "INVALID_REQUEST"),
    timeZone: optionally(request.timeZone, "timeZone", (zone, field) => writableText(zone, field, "INVALID_REQUEST")),
  };
}

/** @throws LociError with the field at fault */
export function dailyLogRequestFromProto({ scope, date, timeZone }: GetDailyLogRequest): DailyLogRequest {
  return withoutUndefined<DailyLogRequest>({ scope: scopeFromProto(scope, "scope"), date, timeZone });
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
