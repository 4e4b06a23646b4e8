import {
  appendAndAssembleFromProto,
  appendAndCaptureFromProto,
  appendTurns,
  assembledContextToProto,
  capturedTurnsToProto,
  dailyLogRequest,
  keptTurnStateToProto,
  listSessionsRequest,
  listSessionsResultToProto,
  listTurnsRequest,
  listTurnsResultToProto,
  optionalPreconditionFromProto,
  type proto,
  sessionInputFromProto,
  sessionKeyFromProto,
  sessionToProto,
  turnStateFromProto,
  turnStateNewsFromProto,
} from "@loci/api";
import type { CallOptions, KeptTurnState, SessionKeyInput, TurnStateApi } from "@loci/loci";
import type { MethodsOf } from "../calls/served-calls.ts";
import { writing } from "./writing-options.ts";

/** Keeping sessions, their turns and turn states. Ids are checked by the engine, after the caller's rights. */
export const sessionMethods: MethodsOf<typeof proto.SessionServiceService> = {
  createSession: async (request, { loci, options }) => {
    const session = await loci.sessions.create(sessionInputFromProto(request.session), writing(options, request));
    return { session: sessionToProto(session) };
  },
  getSession: async (request, { loci, options }) => ({
    session: sessionToProto(await loci.sessions.get(sessionKeyFromProto(request), options)),
  }),
  listSessions: async (request, { loci, options }) =>
    listSessionsResultToProto(await loci.sessions.list(listSessionsRequest.fromProto(request), options)),
  closeSession: async (request, { loci, options }) => {
    const [key, precondition] = [sessionKeyFromProto(request), optionalPreconditionFromProto(request.etag)];
    return { session: sessionToProto(await loci.sessions.close(key, precondition, writing(options, request))) };
  },
  reopenSession: async (request, { loci, options }) => {
    const [key, precondition] = [sessionKeyFromProto(request), optionalPreconditionFromProto(request.etag)];
    return { session: sessionToProto(await loci.sessions.reopen(key, precondition, writing(options, request))) };
  },
  deleteSession: async (request, { loci, options }) => {
    const [key, precondition] = [sessionKeyFromProto(request), optionalPreconditionFromProto(request.etag)];
    await loci.sessions.delete(key, precondition, writing(options, request));
    return {};
  },
  appendTurns: async (request, { loci, options }) =>
    loci.sessions.append(sessionKeyFromProto(request), appendTurns.fromProto(request), options),
  appendTurnsAndAssembleContext: async (request, { loci, options }) => {
    const { key, turns, context } = appendAndAssembleFromProto(request);
    const result = await loci.sessions.appendAndAssemble(key, turns, context, options);
    return { appended: result.appended, context: assembledContextToProto(result.context) };
  },
  appendTurnsAndCapture: async (request, { loci, options }) => {
    const { session, request: asked } = appendAndCaptureFromProto(request);
    return capturedTurnsToProto(await loci.sessions.appendAndCapture(session, asked, writing(options, request)));
  },
  listTurns: async (request, { loci, options }) =>
    listTurnsResultToProto(
      await loci.sessions.turns(sessionKeyFromProto(request), listTurnsRequest.fromProto(request), options),
    ),
  getTurnState: async (request, { loci, options }) => {
    const key = sessionKeyFromProto(request);
    const { turnState } = loci.sessions;
    return {
      turnState: keptTurnStateToProto(await turnState.load(key, options)),
      summary: request.withSummary ? await turnState.summaryForContext(key, options) : "",
    };
  },
  saveTurnState: async (request, { loci, options }) => {
    const key = sessionKeyFromProto(request);
    const precondition = optionalPreconditionFromProto(request.etag);
    const state = turnStateFromProto(request.turnState);
    const kept = await loci.sessions.turnState.save(key, state, precondition, writing(options, request));
    return { turnState: keptTurnStateToProto(kept) };
  },
  mergeTurnState: async (request, { loci, options }) => {
    const kept = await merge(loci.sessions.turnState, request, writing(options, request));
    return { turnState: keptTurnStateToProto(kept) };
  },
  getDailyLog: async (request, { loci, options }) => ({
    text: await loci.sessions.dailyLog(dailyLogRequest.fromProto(request), options),
  }),
};

async function merge(
  turnState: TurnStateApi,
  request: proto.MergeTurnStateRequest,
  options: CallOptions,
): Promise<KeptTurnState> {
  const key: SessionKeyInput = sessionKeyFromProto(request);
  const news = turnStateNewsFromProto(request.news);
  if ("fresh" in news) return turnState.merge(key, news.fresh, options);
  if ("decision" in news) return turnState.recordDecision(key, news.decision, options);
  if ("action" in news) return turnState.recordAction(key, news.action, options);
  return turnState.markBlocked(key, news.blockedReason, options);
}
