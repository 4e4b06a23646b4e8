import * as api from "@loci/api";
import type { CapturedTurns, Etag, KeptSession, KeptTurnState, Ref } from "@loci/domain";
import { expect } from "vitest";
import { sampleMemory } from "../sample-memory.ts";
import { requestId, scope, type Exchanges } from "./exchange.ts";
import { assembled } from "./sample-context.ts";

const key = { scope: "user:alice", id: "s-1" } as const;
const sentKey = { scope, id: "s-1" };

const session: KeptSession = {
  scope: { kind: "user", id: "alice" },
  id: "s-1",
  title: "Ferries",
  capture: { everyTurns: 20 },
  rememberTurns: true,
  keepSecrets: false,
  state: "open",
  lastTurn: 1,
  createdAt: 1_001,
  updatedAt: 2_002,
  etag: "e" as Etag,
};

const oneSession = { session: api.sessionToProto(session) };

const kept: KeptTurnState = {
  state: { sessionId: "s-1", createdAt: 5, own: [1] } as unknown as KeptTurnState["state"],
  etag: "t" as Etag,
  isTerminal: false,
};

const oneState = { turnState: api.keptTurnStateToProto(kept), summary: "Session: s-1" };
const turn = { role: "user", content: "Hi.", at: 1_001, number: 1, recalled: false } as const;

const capturedTurns: CapturedTurns = {
  session: { scope: { kind: "user", id: "alice" }, id: "s-1" },
  appended: { firstTurn: 5, lastTurn: 6, replayed: false },
  captures: [
    {
      id: "0192f0c1-2345-7abc-8def-0123456789ac" as Ref,
      etag: "c" as Etag,
      session: { scope: { kind: "user", id: "alice" }, id: "s-1" },
      turns: { first: 5, last: 6 },
      extractor: "rules",
      state: "succeeded",
      attempts: 1,
      createdAt: 1_001,
      updatedAt: 2_002,
      outcome: { extractor: "rules", isFallback: false, candidates: [] },
    },
  ],
  learned: [
    { decision: "UPDATE", memory: sampleMemory, closed: { ...sampleMemory, validTo: 2_002 } },
    { decision: "DELETE", closed: sampleMemory },
  ],
};

/** Conversations, their turns and their state. */
export const sessionExchanges: Exchanges = {
  createSession: {
    call: ({ sessions }) => sessions.create({ ...key, capture: "off" }, { requestId }),
    request: {
      session: expect.objectContaining({ ...sentKey, capture: { $case: "captureMoment", value: 2 } }),
      requestId,
    },
    response: oneSession,
    result: session,
  },
  getSession: { call: ({ sessions }) => sessions.get(key), request: sentKey, response: oneSession, result: session },
  listSessions: {
    call: ({ sessions }) => sessions.list({ scopes: ["user:alice"], state: "closed", pageSize: 3 }),
    request: { scopes: [scope], state: 2, pageSize: 3, pageToken: "" },
    response: { sessions: [oneSession.session], nextPageToken: "next" },
    result: { sessions: [session], nextPageToken: "next" },
  },
  closeSession: {
    call: ({ sessions }) => sessions.close(key, { etag: "e" }, { requestId }),
    request: { ...sentKey, etag: "e", requestId },
    response: oneSession,
    result: session,
  },
  reopenSession: {
    call: ({ sessions }) => sessions.reopen(key, undefined, { requestId }),
    request: { ...sentKey, etag: undefined, requestId },
    response: oneSession,
    result: session,
  },
  deleteSession: {
    call: ({ sessions }) => sessions.delete(key, { etag: "e" }, { requestId }),
    request: { ...sentKey, etag: "e", requestId },
    response: {},
    result: undefined,
  },
  appendTurns: {
    call: ({ sessions }) => sessions.append(key, { expectedLast: 4, turns: [{ role: "user", content: "Hi." }] }),
    request: {
      ...sentKey,
      expectedLastTurn: 4,
      turns: [expect.objectContaining({ role: api.proto.ChatRole.USER, content: "Hi.", time: undefined })],
    },
    response: { firstTurn: 5, lastTurn: 5, replayed: true },
    result: { firstTurn: 5, lastTurn: 5, replayed: true },
  },
  appendTurnsAndAssembleContext: {
    call: ({ sessions }) =>
      sessions.appendAndAssemble(
        key,
        { expectedLast: 4, turns: [{ role: "user", content: "Hi." }] },
        { query: "theme?" },
      ),
    request: {
      append: expect.objectContaining({ ...sentKey, expectedLastTurn: 4 }),
      context: expect.objectContaining({ query: "theme?", messages: [], session: undefined }),
    },
    response: {
      appended: { firstTurn: 5, lastTurn: 5, replayed: false },
      context: api.assembledContextToProto(assembled),
    },
    result: { appended: { firstTurn: 5, lastTurn: 5, replayed: false }, context: assembled },
  },
  appendTurnsAndCapture: {
    call: ({ sessions }) =>
      sessions.appendAndCapture(
        { scope: "user:alice", title: "Ferries" },
        { turns: [{ role: "user", content: "Hi." }], extractor: "rules", waitMilliseconds: 1_500 },
        { requestId },
      ),
    request: {
      session: expect.objectContaining({ scope, id: "", title: "Ferries" }),
      expectedLastTurn: undefined,
      turns: [expect.objectContaining({ role: api.proto.ChatRole.USER, content: "Hi." })],
      extractor: api.proto.CaptureExtractor.RULES,
      wait: expect.objectContaining({ seconds: 1n, nanos: 500_000_000 }),
      requestId,
    },
    response: api.capturedTurnsToProto(capturedTurns),
    result: capturedTurns,
  },
  listTurns: {
    call: ({ sessions }) => sessions.turns(key, { first: 1, order: "newestFirst" }),
    request: { ...sentKey, firstTurn: 1, lastTurn: undefined, order: 2, pageSize: undefined, pageToken: "" },
    response: api.listTurnsResultToProto({ turns: [turn], lastTurn: 1 }),
    result: { turns: [turn], lastTurn: 1 },
  },
  getTurnState: {
    call: ({ sessions }) => sessions.turnState.load(key),
    request: { ...sentKey, withSummary: false },
    response: oneState,
    result: kept,
  },
  saveTurnState: {
    call: ({ sessions }) => sessions.turnState.save(key, kept.state, { etag: "t" }, { requestId }),
    request: { ...sentKey, turnState: { json: JSON.stringify(kept.state) }, etag: "t", requestId },
    response: oneState,
    result: kept,
  },
  mergeTurnState: {
    call: ({ sessions }) => sessions.turnState.markBlocked(key, "no key", { requestId }),
    request: { ...sentKey, news: { $case: "blockedReason", value: "no key" }, requestId },
    response: oneState,
    result: kept,
  },
  getDailyLog: {
    call: ({ sessions }) => sessions.dailyLog({ scope: "user:alice", date: "2026-03-31" }),
    request: { scope, date: "2026-03-31", timeZone: undefined },
    response: { text: "- 08:00 s-1: 1 turn\n" },
    result: "- 08:00 s-1: 1 turn\n",
  },
};
