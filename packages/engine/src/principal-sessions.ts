import { authorize, type SessionsApi } from "@loci/domain";
import { assemble } from "./assembly/assemble.ts";
import { appendAndCapture } from "./capture/append-and-capture.ts";
import { checkSessionContext } from "./assembly/validate-assemble-request.ts";
import type { RunCall } from "./run-call.ts";
import { appendTurns } from "./sessions/append-turns.ts";
import { closeSession, createSession, deleteSession, reopenSession } from "./sessions/change-session.ts";
import { getSession, listSessions } from "./sessions/list-sessions.ts";
import { listTurns } from "./sessions/list-turns.ts";
import { readDailyLog } from "./sessions/read-daily-log.ts";
import {
  loadTurnState,
  markTurnBlocked,
  mergeIntoTurnState,
  recordTurnAction,
  recordTurnDecision,
  saveTurnState,
  summarizeTurnState,
} from "./sessions/turn-state.ts";

/** The calls on sessions as one principal may make them. */
export function principalSessions(run: RunCall): SessionsApi {
  return {
    create: (input, options) => run(options, (services, call) => createSession(services, call, input)),
    get: (key, options) => run(options, (services, call) => getSession(services, call, key)),
    list: (request, options) => run(options, (services, call) => listSessions(services, call, request)),
    close: (key, precondition, options) =>
      run(options, (services, call) => closeSession(services, call, key, precondition)),
    reopen: (key, precondition, options) =>
      run(options, (services, call) => reopenSession(services, call, key, precondition)),
    delete: (key, precondition, options) =>
      run(options, (services, call) => deleteSession(services, call, key, precondition)),
    append: (key, request, options) => run(options, (services, call) => appendTurns(services, call, key, request)),
    appendAndAssemble: (key, request, context, options) =>
      run(options, async (services, call) => {
        const given = checkSessionContext(context);
        // Before anything is written: what comes of it is read.
        authorize(call.principal, "read", []);
        const appended = await appendTurns(services, call, key, request);
        return { appended, context: await assemble(services, call, { ...given, session: key }) };
      }),
    appendAndCapture: (session, request, options) =>
      run(options, (services, call) => appendAndCapture(services, call, session, request)),
    turns: (key, request, options) => run(options, (services, call) => listTurns(services, call, key, request)),
    turnState: {
      load: (key, options) => run(options, (services, call) => loadTurnState(services, call, key)),
      save: (key, state, precondition, options) =>
        run(options, (services, call) => saveTurnState(services, call, { key, state, precondition })),
      merge: (key, fresh, options) => run(options, (services, call) => mergeIntoTurnState(services, call, key, fresh)),
      recordDecision: (key, made, options) =>
        run(options, (services, call) => recordTurnDecision(services, call, key, made)),
      recordAction: (key, done, options) =>
        run(options, (services, call) => recordTurnAction(services, call, key, done)),
      markBlocked: (key, reason, options) =>
        run(options, (services, call) => markTurnBlocked(services, call, key, reason)),
      isTerminal: (key, options) =>
        run(options, async (services, call) => (await loadTurnState(services, call, key)).isTerminal),
      summaryForContext: (key, options) => run(options, (services, call) => summarizeTurnState(services, call, key)),
    },
    dailyLog: (request, options) => run(options, (services, call) => readDailyLog(services, call, request)),
  };
}
