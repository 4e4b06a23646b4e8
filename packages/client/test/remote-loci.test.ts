import * as api from "@loci/api";
import {
  type AssembledContext,
  type Caller,
  type KeptReceipt,
  type Etag,
  type KeptSession,
  type KeptTurnState,
  type Loci,
  LociError,
  type LociStatus,
  type MaintenanceReport,
  type MemoryId,
} from "@loci/domain";
import { expect, test } from "vitest";
import { connected, errorOf } from "./fixture.ts";
import { sampleMemory as memory } from "./sample-memory.ts";

const { id } = memory;
const otherId = "0192f0c1-2345-7abc-8def-0123456789ac" as MemoryId;

const parts = {
  relevance: 1,
  text: 0,
  recency: 0.5,
  importance: 0,
  frequency: 0,
  stale: 1,
  tagBoost: 1,
  neighbours: 0,
};

const pruned: MaintenanceReport = {
  job: "prune",
  dryRun: true,
  counts: { selected: 1 },
  findings: [{ memory: id, reason: "DORMANT", details: { dormantDays: "200.0" } }],
  notes: ["One of them."],
};

const recalled = {
  hits: [{ memory, score: 0.7, parts, text: memory.text, tokens: 8, truncated: false, foundBy: "relevance" as const }],
  dropped: [],
  evaluationTime: 1_767_225_600_789,
  degraded: [],
  usedFallback: false,
  timings: { search: 1.5 },
};

const assembled: AssembledContext = {
  text: "<system>\nHelp.\n</system>",
  messages: [{ role: "system", content: "Help." }],
  sections: [{ name: "system", content: "Help.", tokens: 2 }],
  receipt: {
    layout: "memoryBlocks",
    profile: "conversation",
    mode: "fill",
    tokenizer: "o200k_base",
    estimated: false,
    window: {
      preset: "8K",
      totalTokens: 8_192,
      sectionsTokens: 6_000,
      queryTokens: 500,
      responseTokens: 1_500,
      safetyBufferTokens: 192,
      unusedTokens: 5_998,
    },
    evaluationTime: 0,
    sections: [],
    items: [],
    droppedCandidates: [],
    stablePrefixHash: "00",
  },
  usage: { totalTokens: 2, messagesTokens: 5, budgetTokens: 6_500, queryTokens: 0, responseTokens: 1_500 },
  warnings: [],
  cache: { stablePrefixHash: "00", stablePrefixTokens: 2, stablePrefixLength: 24 },
  timings: {},
};

const keptReceipt: KeptReceipt = {
  summary: {
    id: "r",
    assembledAt: 1_800_000_000_000,
    subject: "api-key:ci",
    scopes: [{ kind: "user", id: "alice" }],
    session: { scope: { kind: "user", id: "alice" }, id: "chat" },
    layout: assembled.receipt.layout,
    usage: assembled.usage,
    kept: 1,
    shortened: 2,
    dropped: 3,
    stablePrefixHash: "0",
    stablePrefixTokens: 4,
  },
  receipt: assembled.receipt,
  prefix: [{ name: "system", hash: "0123456789abcdef" }],
  memories: [{ id, version: 2 }],
};

const caller: Caller = {
  tenant: "acme" as Caller["tenant"],
  subject: "api-key:ci",
  roles: ["read"],
  scopePatterns: ["user:*"],
  version: "0.1.0",
  services: ["loci.v1.MemoryService"],
};

const status: LociStatus = {
  ledger: { sequence: 9, memories: 5, kept: 6, scopes: 2 },
  projections: [{ name: "text", checkpoint: 7, behind: 2, oldest: 1_000, ratePerSecond: 0.5 }],
  jobs: [{ kind: "capture", queued: 1, running: 0, dead: 0 }],
};

interface Exchange {
  readonly call: (loci: Loci) => Promise<unknown>;
  readonly request: unknown;
  readonly response: unknown;
  readonly result: unknown;
}

const scope = { kind: api.proto.ScopeKind.USER, id: "alice" };
const oneMemory = { memory: api.memoryToProto(memory) };
const memories = { memories: [api.memoryToProto(memory)] };
const requestId = "request-1";

const trimmed = { messages: [{ role: "user", content: "Hi." }] as const, tokens: 8, dropped: [0] };
const trimmedMessage = api.trimmedMessagesToProto(trimmed);
const tool = { type: "function", function: { name: "add", parameters: { type: "object" } } } as const;
const totals = {
  calls: 2,
  inputTokens: 2 ** 40,
  cachedInputTokens: 7,
  outputTokens: 1,
  cost: 0.1 + 0.2,
  inputCost: 0.1,
  outputCost: 0.2,
  unpricedCalls: 1,
  approximate: true,
};

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

/** Every method: what the server gets, what it answers, what the caller gets. */
const exchanges: Readonly<Record<string, Exchange>> = {
  createMemory: {
    call: ({ memories }) => memories.remember({ text: "text", scope: "user:alice" }, { requestId }),
    request: { memory: expect.objectContaining({ text: "text", scope }), requestId },
    response: oneMemory,
    result: memory,
  },
  batchCreateMemories: {
    call: ({ memories }) => memories.rememberMany([{ text: "text", scope: "user:alice" }], { requestId }),
    request: { memories: [expect.objectContaining({ text: "text", scope })], requestId },
    response: memories,
    result: [memory],
  },
  createMemoriesFromConversation: {
    call: ({ memories }) =>
      memories.rememberConversation(
        { scope: "user:alice", turns: [{ id: "1", speaker: "Alice", content: "Hi.", at: 1_001 }] },
        { requestId },
      ),
    request: {
      session: undefined,
      scope,
      turns: [{ id: "1", speaker: "Alice", content: "Hi.", time: { seconds: 1n, nanos: 1_000_000 } }],
      requestId,
    },
    response: memories,
    result: [memory],
  },
  getMemory: { call: ({ memories }) => memories.get(id), request: { id }, response: oneMemory, result: memory },
  batchGetMemories: {
    call: ({ memories }) => memories.getMany({ ids: [id, otherId], textBytes: 40 }),
    request: { ids: [id, otherId], textBytes: 40, withDeleted: undefined },
    response: { ...memories, cutIds: [id], missingIds: [otherId], unreadIds: [] },
    result: { memories: [memory], cut: [id], missing: [otherId], unread: [] },
  },
  getCaller: {
    call: (loci) => loci.caller(),
    request: {},
    response: { caller: api.callerToProto(caller) },
    result: caller,
  },
  getStatus: {
    call: (loci) => loci.status(),
    request: {},
    response: { status: api.statusToProto(status) },
    result: status,
  },
  listMemories: {
    call: ({ memories }) => memories.list({ scopes: ["user:alice"], pageSize: 1 }),
    request: { scopes: [scope], categories: [], pageSize: 1, pageToken: "", evaluationTime: undefined },
    response: { ...memories, nextPageToken: "next" },
    result: { memories: [memory], nextPageToken: "next" },
  },
  listMemoryScopes: {
    call: ({ memories }) => memories.scopes({ kind: "user", pageSize: 2 }),
    request: { kind: api.proto.ScopeKind.USER, pageSize: 2, pageToken: "" },
    response: {
      scopes: [
        { scope, memories: 2n ** 53n - 1n },
        // What a former version has stored; no new scope may be called so.
        { scope: { kind: api.proto.ScopeKind.USER, id: "*" }, memories: 1n },
      ],
      nextPageToken: "next",
    },
    result: {
      scopes: [
        { scope: { kind: "user", id: "alice" }, memories: Number.MAX_SAFE_INTEGER },
        { scope: { kind: "user", id: "*" }, memories: 1 },
      ],
      nextPageToken: "next",
    },
  },
  updateMemory: {
    call: ({ memories }) => memories.update(id, { slot: null, text: "new" }, { etag: `${id}.1` }, { requestId }),
    request: {
      memory: expect.objectContaining({ id, etag: `${id}.1`, text: "new" }),
      updateMask: ["slot", "text"],
      requestId,
    },
    response: oneMemory,
    result: memory,
  },
  deleteMemory: {
    call: ({ memories }) => memories.forget(id, undefined, { requestId }),
    request: { id, etag: undefined, requestId },
    response: {},
    result: undefined,
  },
  listMemoryVersions: {
    call: ({ memories }) => memories.versions(id),
    request: { id },
    response: memories,
    result: [memory],
  },
  restoreMemory: {
    call: ({ memories }) => memories.restore(id, 1, { requestId }),
    request: { id, version: 1n, requestId },
    response: oneMemory,
    result: memory,
  },
  markMemoriesUsed: {
    call: ({ memories }) => memories.markUsed([id]),
    request: { ids: [id] },
    response: {},
    result: undefined,
  },
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
  recallMemories: {
    call: (loci) => loci.recall({ query: "theme?", scopes: ["user:alice"] }),
    request: expect.objectContaining({ question: { $case: "query", value: "theme?" }, scopes: [scope] }),
    response: api.recallResultToProto(recalled),
    result: recalled,
  },
  assembleContext: {
    call: (loci) => loci.assemble({ query: "theme?" }),
    request: expect.objectContaining({ query: "theme?", messages: [] }),
    response: api.assembledContextToProto(assembled),
    result: assembled,
  },
  countTokens: {
    call: ({ tokens }) => tokens.count({ text: "text", model: "gpt-5" }),
    request: { text: "text", model: "gpt-5" },
    response: { tokens: 1, tokenizer: "o200k_base", estimated: false },
    result: { tokens: 1, tokenizer: "o200k_base", estimated: false },
  },
  checkBudget: {
    call: ({ budget }) => budget.check({ systemTokens: 1, conversationTokens: 2 }),
    request: expect.objectContaining({ systemTokens: 1, conversationTokens: 2, onExceed: 0 }),
    response: { allowed: true, remainingInputTokens: 5, utilization: 0.25, action: 0 },
    result: { allowed: true, remainingInputTokens: 5, utilization: 0.25 },
  },
  enforceBudget: {
    call: ({ budget }) => budget.enforce({ messages: [{ role: "user", content: "Hi." }], session: "s" }),
    request: expect.objectContaining({
      messages: [expect.objectContaining({ role: api.proto.ChatRole.USER, body: { $case: "content", value: "Hi." } })],
      session: "s",
      onExceed: 0,
    }),
    response: { ...trimmedMessage, remainingInputTokens: 5, utilization: 0.25, summarized: false },
    result: { ...trimmed, check: { allowed: true, remainingInputTokens: 5, utilization: 0.25 }, summarized: false },
  },
  trimMessages: {
    call: ({ budget }) => budget.trim({ messages: [], maxTokens: 9, tools: [tool] }),
    request: {
      messages: [],
      maxTokens: 9,
      model: undefined,
      tools: [{ name: "add", description: undefined, parameters: '{"type":"object"}' }],
    },
    response: trimmedMessage,
    result: trimmed,
  },
  recordModelUsage: {
    call: ({ budget }) => budget.record({ model: "gpt-5", inputTokens: 2 ** 40, outputTokens: 1 }, { requestId }),
    request: {
      requestId,
      model: "gpt-5",
      session: undefined,
      inputTokens: 2n ** 40n,
      cachedInputTokens: undefined,
      outputTokens: 1n,
    },
    response: { totals: api.usageTotalsToProto(totals) },
    result: totals,
  },
  listReceipts: {
    call: ({ receipts }) => receipts.list({ pageSize: 7, pageToken: "t" }),
    request: { pageSize: 7, pageToken: "t" },
    response: api.listReceiptsResultToProto({ receipts: [keptReceipt.summary], keepMilliseconds: 60_000 }),
    result: { receipts: [keptReceipt.summary], keepMilliseconds: 60_000 },
  },
  getReceipt: {
    call: ({ receipts }) => receipts.get("r"),
    request: { id: "r" },
    response: { receipt: api.keptReceiptToProto(keptReceipt) },
    result: keptReceipt,
  },
  getModelUsageTotals: {
    call: ({ budget }) => budget.totals({ session: "s" }),
    request: { session: "s" },
    response: { totals: api.usageTotalsToProto(totals) },
    result: totals,
  },
  startMaintenance: {
    call: ({ maintenance }) => maintenance.prune({ dryRun: true, dormantDays: 1.5 }),
    request: { job: { job: { $case: "prune", value: { dormantDays: 1.5 } } }, validateOnly: true },
    response: {
      operation: api.operationToProto({
        id: "o",
        kind: "prune",
        state: "succeeded",
        createdAt: 0,
        result: { type: "maintenance", report: pruned },
      }),
    },
    result: pruned,
  },
  exportMemories: {
    call: ({ maintenance }) => maintenance.exportMemories({ after: "here", pageSize: 7 }),
    request: { pageToken: "here", pageSize: 7 },
    response: { lines: ["{}"], nextPageToken: "there" },
    result: { lines: ["{}"], next: "there" },
  },
  importMemories: {
    call: ({ maintenance }) => maintenance.importMemories(["{}"]),
    request: { lines: ["{}"] },
    response: {
      importedCount: 3,
      unchangedCount: 2,
      erasedCount: 1,
      leftOut: [{ index: 0, reason: "INVALID_TEXT", problem: "text is empty." }],
    },
    result: {
      imported: 3,
      unchanged: 2,
      erased: 1,
      leftOut: [{ index: 0, reason: "INVALID_TEXT", problem: "text is empty." }],
    },
  },
  importRecords: {
    call: ({ maintenance }) => maintenance.importRecords(["{}"]),
    request: { lines: ["{}"] },
    response: {
      counts: [{ type: "turn", importedCount: 3, unchangedCount: 2, erasedCount: 1 }],
      leftOut: [{ index: 0, reason: "TURN_CONFLICT", problem: "The session has gone on." }],
    },
    result: {
      counts: [{ type: "turn", imported: 3, unchanged: 2, erased: 1 }],
      leftOut: [{ index: 0, reason: "TURN_CONFLICT", problem: "The session has gone on." }],
    },
  },
};

test.each(Object.entries(exchanges))("%s", async (method, { call, request, response, result }) => {
  const { loci, server } = await connected(() => response);
  expect(await call(loci)).toStrictEqual(result);
  expect(server.calls).toMatchObject([{ method, request }]);
});

test("every method of the contract is called by one of the client, but for what only operations need", () => {
  const services = [
    api.proto.MemoryServiceService,
    api.proto.SessionServiceService,
    api.proto.ContextServiceService,
    api.proto.OperationServiceService,
    api.proto.MaintenanceServiceService,
    api.proto.StatusServiceService,
  ];
  // Those that stream have tests of their own.
  const methods = services.flatMap((service) =>
    Object.entries(service).flatMap(([name, { responseStream }]) => (responseStream ? [] : name)),
  );
  const viaSettled = ["settleIndexes", "waitOperation", "cancelOperation"];
  expect([...Object.keys(exchanges), ...viaSettled, "getOperation"].toSorted()).toEqual(methods.toSorted());
});

test("a function to summarise with is refused before anything is sent", async () => {
  const { loci, server } = await connected(() => undefined);
  const refused = loci.budget.enforce({ messages: [], onExceed: "SUMMARIZE", summarize: async () => "They met." });
  expect(await errorOf(refused)).toMatchObject({ reason: "UNSUPPORTED_OPERATION", field: "summarize" });
  expect(server.calls).toEqual([]);
});

test("an error of the server arrives as it was thrown", async () => {
  const thrown = new LociError("SECTION_OVER_BUDGET", {
    message: "The section system is 712 tokens long, 500 are allowed.\nÜberlänge: 42 % 🌙",
    advice: "Shorten it.",
    field: "system",
    resource: "system",
    details: { budgetTokens: "500", neededTokens: "712" },
  });
  const { loci } = await connected(() => Promise.reject(thrown));
  const error = await errorOf(loci.assemble({ query: "q" }));
  expect(error.toJSON()).toStrictEqual(thrown.toJSON());
});

test("an error nobody foresaw says nothing of what was in it", async () => {
  const { loci } = await connected(() => Promise.reject(new TypeError("the secret memory")));
  const error = await errorOf(loci.memories.get(id));
  expect(error).toMatchObject({ reason: "INTERNAL" });
  expect(JSON.stringify(error)).not.toContain("secret");
});

test("a word of a later version is passed on as its number", async () => {
  const { loci } = await connected(() => ({ memory: { ...oneMemory.memory, origin: 99 } }));
  expect(await loci.memories.get(id)).toMatchObject({ origin: "UNKNOWN_99" });
});

test("an answer that cannot be read is an error of the server, not of the caller", async () => {
  const { loci } = await connected(() => ({ memory: { ...oneMemory.memory, scope: undefined } }));
  await expect(loci.memories.get(id)).rejects.toMatchObject({
    reason: "INTERNAL",
    message: expect.stringContaining("scope is missing"),
  });
});

test("a request that cannot be sent is refused without a call", async () => {
  const { loci, server } = await connected(() => oneMemory);
  await expect(loci.memories.remember({ text: "\ud800", scope: "global" })).rejects.toMatchObject({
    reason: "INVALID_TEXT",
  });
  await expect(loci.memories.rememberMany("no" as never)).rejects.toMatchObject({ reason: "INVALID_REQUEST" });
  await expect(loci.memories.restore(id, 1.5)).rejects.toMatchObject({ reason: "INVALID_NUMBER", field: "version" });
  await expect(loci.memories.markUsed([7 as never])).rejects.toMatchObject({ reason: "INVALID_IDENTIFIER" });
  await expect(loci.memories.get(id, { requestid: "x" } as never)).rejects.toMatchObject({
    reason: "INVALID_REQUEST",
    field: "options.requestid",
  });
  expect(server.calls).toEqual([]);
});

test("a job tells how far it has come, and is cancelled with its call", async () => {
  const progress = { activity: "comparing", done: 1, total: 2, ratePerSecond: 3 };
  const running = { id: "o", kind: "verify", state: "running", createdAt: 0, progress } as const;
  const controller = new AbortController();
  const { loci, server } = await connected(() => ({ operation: api.operationToProto(running) }));
  const seen: unknown[] = [];
  const options = {
    signal: controller.signal,
    onProgress: (step: unknown): void => {
      seen.push(step);
      if (seen.length === 2) controller.abort();
    },
  };
  expect(await errorOf(loci.maintenance.verify({}, options))).toMatchObject({ reason: "CANCELLED" });
  expect(seen[0]).toStrictEqual(progress);
  await expect.poll(() => server.calls.map(({ method }) => method)).toContain("cancelOperation");
});
