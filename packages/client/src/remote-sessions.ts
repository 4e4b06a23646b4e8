import {
  appendAndAssembleToProto,
  appendAndCaptureToProto,
  appendedContextFromProto,
  appendedTurnsFromProto,
  appendTurns,
  capturedTurnsFromProto,
  dailyLogRequest,
  listSessionsRequest,
  listSessionsResultFromProto,
  listTurnsRequest,
  listTurnsResultFromProto,
  optionalEtagToProto,
  proto,
  sessionFromProto,
  sessionInputToProto,
  sessionKey,
} from "@loci/api";
import type { SessionsApi } from "@loci/domain";
import { remoteTurnState } from "./remote-turn-state.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";

const service = proto.SessionServiceService;

/** Sessions, kept by a server. */
export function remoteSessions(calls: RunningCalls, server: ServerCalls): SessionsApi {
  const readSession = (response: {
    readonly session: proto.Session | undefined;
  }): ReturnType<typeof sessionFromProto> => server.read(response.session, sessionFromProto);
  return {
    create: (input, options) =>
      calls.run(options, async (call) => {
        const request = { session: sessionInputToProto(input), requestId: call.requestId };
        return readSession(await server.unary(service.createSession, request, call));
      }),
    get: (key, options) =>
      calls.run(options, async (call) =>
        readSession(await server.unary(service.getSession, sessionKey.toProto(key), call)),
      ),
    list: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.listSessions, listSessionsRequest.toProto(request), call);
        return server.read(response, listSessionsResultFromProto);
      }),
    close: (key, precondition, options) =>
      calls.run(options, async (call) => {
        const etag = optionalEtagToProto(precondition);
        const request = { ...sessionKey.toProto(key), etag, requestId: call.requestId };
        return readSession(await server.unary(service.closeSession, request, call));
      }),
    reopen: (key, precondition, options) =>
      calls.run(options, async (call) => {
        const etag = optionalEtagToProto(precondition);
        const request = { ...sessionKey.toProto(key), etag, requestId: call.requestId };
        return readSession(await server.unary(service.reopenSession, request, call));
      }),
    delete: (key, precondition, options) =>
      calls.run(options, async (call) => {
        const etag = optionalEtagToProto(precondition);
        const request = { ...sessionKey.toProto(key), etag, requestId: call.requestId };
        await server.unary(service.deleteSession, request, call);
      }),
    append: (key, request, options) =>
      calls.run(options, async (call) => {
        const sent = { ...sessionKey.toProto(key), ...appendTurns.toProto(request) };
        return server.read(await server.unary(service.appendTurns, sent, call), appendedTurnsFromProto);
      }),
    appendAndAssemble: (key, request, context, options) =>
      calls.run(options, async (call) => {
        const sent = appendAndAssembleToProto(key, request, context);
        const response = await server.unary(service.appendTurnsAndAssembleContext, sent, call);
        return server.read(response, appendedContextFromProto);
      }),
    appendAndCapture: (session, request, options) =>
      calls.run(options, async (call) => {
        const sent = { ...appendAndCaptureToProto(session, request), requestId: call.requestId };
        const response = await server.unary(service.appendTurnsAndCapture, sent, call);
        return server.read(response, capturedTurnsFromProto);
      }),
    turns: (key, request, options) =>
      calls.run(options, async (call) => {
        const sent = { ...sessionKey.toProto(key), ...listTurnsRequest.toProto(request ?? {}) };
        return server.read(await server.unary(service.listTurns, sent, call), listTurnsResultFromProto);
      }),
    turnState: remoteTurnState(calls, server),
    dailyLog: (request, options) =>
      calls.run(options, async (call) => {
        const { text } = await server.unary(service.getDailyLog, dailyLogRequest.toProto(request), call);
        return text;
      }),
  };
}
