import {
  keptTurnStateFromProto,
  optionalEtagToProto,
  proto,
  sessionKey,
  type TurnStateNews,
  turnStateNewsToProto,
  turnStateToProto,
} from "@loci/api";
import type { CallOptions, KeptTurnState, SessionKeyInput, TurnStateApi } from "@loci/domain";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";

const service = proto.SessionServiceService;

/** Turn states, kept by a server. */
export function remoteTurnState(calls: RunningCalls, server: ServerCalls): TurnStateApi {
  const get = async (
    key: SessionKeyInput,
    options: CallOptions | undefined,
    withSummary = false,
  ): Promise<proto.GetTurnStateResponse> =>
    calls.run(options, async (call) =>
      server.unary(service.getTurnState, { ...sessionKey.toProto(key), withSummary }, call),
    );
  const load = async (key: SessionKeyInput, options: CallOptions | undefined): Promise<KeptTurnState> =>
    server.read((await get(key, options)).turnState, keptTurnStateFromProto);
  const merge = async (
    key: SessionKeyInput,
    news: TurnStateNews,
    options: CallOptions | undefined,
  ): Promise<KeptTurnState> =>
    calls.run(options, async (call) => {
      const sent = { ...sessionKey.toProto(key), news: turnStateNewsToProto(news), requestId: call.requestId };
      const { turnState } = await server.unary(service.mergeTurnState, sent, call);
      return server.read(turnState, keptTurnStateFromProto);
    });
  return {
    load,
    save: (key, state, precondition, options) =>
      calls.run(options, async (call) => {
        const sent = {
          ...sessionKey.toProto(key),
          turnState: turnStateToProto(state),
          etag: optionalEtagToProto(precondition),
          requestId: call.requestId,
        };
        const { turnState } = await server.unary(service.saveTurnState, sent, call);
        return server.read(turnState, keptTurnStateFromProto);
      }),
    merge: (key, fresh, options) => merge(key, { fresh }, options),
    recordDecision: (key, decision, options) => merge(key, { decision }, options),
    recordAction: (key, action, options) => merge(key, { action }, options),
    markBlocked: (key, blockedReason, options) => merge(key, { blockedReason }, options),
    isTerminal: async (key, options) => (await load(key, options)).isTerminal,
    summaryForContext: async (key, options) => (await get(key, options, true)).summary,
  };
}
