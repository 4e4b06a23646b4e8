import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as api from "../src/index.ts";
import { proto } from "../src/index.ts";
import * as blocks from "./arbitraries/blocks.ts";
import * as budgets from "./arbitraries/budgets.ts";
import * as contexts from "./arbitraries/contexts.ts";
import { operation } from "./arbitraries/errors.ts";
import { maintenanceJob } from "./arbitraries/maintenance.ts";
import * as listedIds from "./arbitraries/listed-ids.ts";
import * as keptReceipts from "./arbitraries/kept-receipts.ts";
import * as memories from "./arbitraries/memories.ts";
import * as recall from "./arbitraries/recall.ts";
import * as captures from "./arbitraries/captures.ts";
import * as status from "./arbitraries/status.ts";
import * as sessions from "./arbitraries/sessions.ts";

interface Codec<Message> {
  encode(message: Message): { finish(): Uint8Array };
  decode(bytes: Uint8Array): Message;
}

interface Crossing {
  readonly values: fc.Arbitrary<unknown>;
  readonly cross: (value: never) => unknown;
}

/** One domain type: how it becomes a message, its bytes, a message again and the domain type again. */
function crossing<Value, Message>(
  values: fc.Arbitrary<Value>,
  toProto: (value: Value) => Message,
  codec: Codec<Message>,
  fromProto: (message: Message) => Value,
): Crossing {
  return { values, cross: (value: Value) => fromProto(codec.decode(codec.encode(toProto(value)).finish())) };
}

const session = { scope: undefined, id: "s" };

const crossings: Readonly<Record<string, Crossing>> = {
  Scope: crossing(
    memories.scope,
    (scope) => api.scopeToProto(scope, "scope"),
    proto.Scope,
    (message) => api.scopeFromProto(message, "scope"),
  ),
  Block: crossing(blocks.block, api.blockToProto, proto.Block, api.blockFromProto),
  BlockDocument: crossing(
    blocks.blockDocument,
    api.blockDocumentToProto,
    proto.BlockDocument,
    api.blockDocumentFromProto,
  ),
  BlockInput: crossing(
    blocks.blockInput,
    (input) => ({ ...api.blockInputToProto(input), requestId: "" }),
    proto.CreateBlockRequest,
    api.blockInputFromProto,
  ),
  "BlockPatch with its precondition": crossing(
    blocks.blockUpdate,
    (update) => ({ ...api.blockUpdateToProto(update), requestId: "" }),
    proto.UpdateBlockRequest,
    api.blockUpdateFromProto as (message: proto.UpdateBlockRequest) => never,
  ),
  BlockHistory: crossing(
    blocks.blockHistory,
    api.blockHistoryToProto,
    proto.ListBlockVersionsResponse,
    api.blockHistoryFromProto,
  ),
  BlockHistoryRequest: crossing(
    blocks.blockHistoryRequest,
    api.blockHistoryRequest.toProto,
    proto.ListBlockVersionsRequest,
    api.blockHistoryRequest.fromProto,
  ),
  BlockDiff: crossing(blocks.blockDiff, api.blockDiffToProto, proto.DiffBlockVersionsResponse, api.blockDiffFromProto),
  BlockEdit: crossing(blocks.blockEdit, api.blockEditToProto, proto.BlockEdit, api.blockEditFromProto),
  BlockEditDetails: crossing(
    blocks.blockEditDetails,
    api.blockEditDetailsToProto,
    proto.GetBlockEditResponse,
    api.blockEditDetailsFromProto,
  ),
  BlockWrite: crossing(blocks.blockWrite, api.blockWriteToProto, proto.UpdateBlockResponse, api.blockWriteFromProto),
  ApprovedBlockEdit: crossing(
    blocks.approvedBlockEdit,
    api.blockWriteToProto,
    proto.ApproveBlockEditResponse,
    api.approvedBlockEditFromProto,
  ),
  ProposeEditRequest: crossing(
    blocks.proposeRequest,
    (request) => ({ ...api.proposeEditRequest.toProto(request), requestId: "" }),
    proto.ProposeBlockEditRequest,
    api.proposeEditRequest.fromProto,
  ),
  ListBlockEditsRequest: crossing(
    blocks.listEditsRequest,
    api.listBlockEditsRequest.toProto,
    proto.ListBlockEditsRequest,
    api.listBlockEditsRequest.fromProto,
  ),
  ApproveEditRequest: crossing(
    blocks.approveRequest,
    (request) => ({ ...api.approveEditRequest.toProto(request), requestId: "" }),
    proto.ApproveBlockEditRequest,
    api.approveEditRequest.fromProto,
  ),
  UpdateProfileRequest: crossing(
    blocks.profileRequest,
    (request) => ({ ...api.updateProfileRequest.toProto(request), requestId: "" }),
    proto.UpdateProfileRequest,
    api.updateProfileRequest.fromProto,
  ),
  BlockSchema: crossing(blocks.blockSchema, api.blockSchemaToProto, proto.BlockSchema, api.blockSchemaFromProto),
  Filter: crossing(
    recall.filter,
    (filter) => api.filterToProto(filter, "where"),
    proto.Filter,
    (message) => api.filterFromProto(message, "where"),
  ),
  Memory: crossing(memories.memory, api.memoryToProto, proto.Memory, api.memoryFromProto),
  RememberInput: crossing(memories.rememberInput, api.rememberInputToProto, proto.Memory, api.rememberInputFromProto),
  "MemoryPatch with its precondition": crossing(
    memories.memoryUpdate,
    (update) => ({ ...api.memoryUpdateToProto(update), requestId: "" }),
    proto.UpdateMemoryRequest,
    api.memoryUpdateFromProto,
  ),
  ConversationInput: crossing(
    memories.conversation,
    (input) => ({ ...api.conversation.toProto(input), requestId: "" }),
    proto.CreateMemoriesFromConversationRequest,
    api.conversation.fromProto,
  ),
  ListMemoriesRequest: crossing(
    memories.listRequest,
    api.listMemoriesRequest.toProto,
    proto.ListMemoriesRequest,
    api.listMemoriesRequest.fromProto,
  ),
  ListMemoriesResult: crossing(
    memories.listResult,
    api.listMemoriesResultToProto,
    proto.ListMemoriesResponse,
    api.listMemoriesResultFromProto,
  ),
  ListMemoryScopesRequest: crossing(
    memories.listScopesRequest,
    api.listMemoryScopesRequest.toProto,
    proto.ListMemoryScopesRequest,
    api.listMemoryScopesRequest.fromProto,
  ),
  ListMemoryScopesResult: crossing(
    memories.listScopesResult,
    api.listMemoryScopesResultToProto,
    proto.ListMemoryScopesResponse,
    api.listMemoryScopesResultFromProto,
  ),
  WatchMemoriesRequest: crossing(
    memories.watchRequest,
    api.watchRequestToProto,
    proto.WatchMemoriesRequest,
    api.watchRequestFromProto,
  ),
  MemoryIdsRequest: crossing(
    listedIds.memoryIdsRequest,
    api.memoryIdsRequestToProto,
    proto.ListMemoryIdsRequest,
    api.memoryIdsRequestFromProto,
  ),
  ListReceiptsRequest: crossing(
    keptReceipts.listReceiptsRequest,
    api.listReceiptsRequest.toProto,
    proto.ListReceiptsRequest,
    api.listReceiptsRequest.fromProto,
  ),
  ListReceiptsResult: crossing(
    keptReceipts.listReceiptsResult,
    api.listReceiptsResultToProto,
    proto.ListReceiptsResponse,
    api.listReceiptsResultFromProto,
  ),
  KeptReceipt: crossing(keptReceipts.keptReceipt, api.keptReceiptToProto, proto.KeptReceipt, api.keptReceiptFromProto),
  MemoryIdsPart: crossing(
    listedIds.memoryIdsPart,
    api.memoryIdsPartToProto,
    proto.ListMemoryIdsResponse,
    api.memoryIdsPartFromProto,
  ),
  MemoryChange: crossing(
    memories.memoryChange,
    api.memoryChangeToProto,
    proto.WatchMemoriesResponse,
    api.memoryChangeFromProto,
  ),
  ExportMemoriesRequest: crossing(
    memories.exportRequest,
    api.exportRequest.toProto,
    proto.MemoryServiceExportMemoriesRequest,
    api.exportRequest.fromProto,
  ),
  ExportedMemory: crossing(
    memories.exportedMemory,
    api.exportedMemoryToProto,
    proto.MemoryServiceExportMemoriesResponse,
    api.exportedMemoryFromProto,
  ),
  Caller: crossing(status.caller, api.callerToProto, proto.Caller, api.callerFromProto),
  LociStatus: crossing(status.status, api.statusToProto, proto.LociStatus, api.statusFromProto),
  GetMemoriesRequest: crossing(
    status.getMemoriesRequest,
    api.getMemoriesRequest.toProto,
    proto.BatchGetMemoriesRequest,
    api.getMemoriesRequest.fromProto,
  ),
  GetMemoriesResult: crossing(
    status.getMemoriesResult,
    api.getMemoriesResultToProto,
    proto.BatchGetMemoriesResponse,
    api.getMemoriesResultFromProto,
  ),
  RecallRequest: crossing(
    recall.recallRequest,
    api.recallRequestToProto,
    proto.RecallMemoriesRequest,
    api.recallRequestFromProto,
  ),
  RecallResult: crossing(
    recall.recallResult,
    api.recallResultToProto,
    proto.RecallMemoriesResponse,
    api.recallResultFromProto,
  ),
  AssembleRequest: crossing(
    contexts.assembleRequest,
    api.assembleRequestToProto,
    proto.AssembleContextRequest,
    api.assembleRequestFromProto,
  ),
  AssembledContext: crossing(
    contexts.assembledContext,
    api.assembledContextToProto,
    proto.AssembleContextResponse,
    api.assembledContextFromProto,
  ),
  BudgetCheckRequest: crossing(
    budgets.budgetCheckRequest,
    api.budgetCheckRequest.toProto,
    proto.CheckBudgetRequest,
    api.budgetCheckRequest.fromProto,
  ),
  BudgetCheck: crossing(
    budgets.budgetCheck,
    api.budgetCheckToProto,
    proto.CheckBudgetResponse,
    api.budgetCheckFromProto,
  ),
  EnforceBudgetRequest: crossing(
    budgets.enforceBudgetRequest,
    api.enforceBudgetRequestToProto,
    proto.EnforceBudgetRequest,
    api.enforceBudgetRequestFromProto,
  ),
  EnforcedBudget: crossing(
    budgets.enforcedBudget,
    api.enforcedBudgetToProto,
    proto.EnforceBudgetResponse,
    api.enforcedBudgetFromProto,
  ),
  TrimRequest: crossing(
    budgets.trimRequest,
    api.trimRequest.toProto,
    proto.TrimMessagesRequest,
    api.trimRequest.fromProto,
  ),
  TrimmedMessages: crossing(
    budgets.trimmedMessages,
    api.trimmedMessagesToProto,
    proto.TrimMessagesResponse,
    api.trimmedMessagesFromProto,
  ),
  RecordUsageRequest: crossing(
    budgets.recordUsageRequest,
    api.recordUsageRequest.toProto,
    proto.RecordModelUsageRequest,
    api.recordUsageRequest.fromProto,
  ),
  "usage totals request": crossing(
    budgets.usageTotalsRequest,
    api.usageTotalsRequest.toProto,
    proto.GetModelUsageTotalsRequest,
    api.usageTotalsRequest.fromProto,
  ),
  UsageTotals: crossing(budgets.usageTotals, api.usageTotalsToProto, proto.ModelUsageTotals, api.usageTotalsFromProto),
  "token count request": crossing(
    contexts.tokenCountRequest,
    api.tokenCountRequest.toProto,
    proto.CountTokensRequest,
    api.tokenCountRequest.fromProto,
  ),
  TokenCount: crossing(contexts.tokenCount, api.tokenCountToProto, proto.CountTokensResponse, api.tokenCountFromProto),
  MaintenanceJob: crossing(
    maintenanceJob,
    api.maintenanceJobToProto,
    proto.StartMaintenanceRequest,
    api.maintenanceJobFromProto,
  ),
  CaptureJob: crossing(captures.captureJob, api.captureJobToProto, proto.CaptureJob, api.captureJobFromProto),
  StartCaptureInput: crossing(
    captures.startCapture,
    api.startCaptureToProto,
    proto.StartCaptureRequest,
    api.startCaptureFromProto,
  ),
  ListCapturesRequest: crossing(
    captures.listCapturesRequest,
    api.listCapturesRequestToProto,
    proto.ListCapturesRequest,
    api.listCapturesRequestFromProto,
  ),
  ListReviewsRequest: crossing(
    captures.listReviewsRequest,
    api.listReviewsRequest.toProto,
    proto.ListReviewsRequest,
    api.listReviewsRequest.fromProto,
  ),
  MemoryReview: crossing(captures.memoryReview, api.memoryReviewToProto, proto.MemoryReview, api.memoryReviewFromProto),
  MemoryEvidence: crossing(
    captures.memoryEvidence,
    api.memoryEvidenceToProto,
    proto.MemoryEvidence,
    api.memoryEvidenceFromProto,
  ),
  PostMortemInput: crossing(
    captures.postMortem,
    (input) => ({ ...api.postMortem.toProto(input), requestId: "" }),
    proto.RecordPostMortemRequest,
    api.postMortem.fromProto,
  ),
  SessionKey: crossing(
    sessions.sessionKey,
    api.sessionKey.toProto,
    proto.GetSessionRequest as unknown as Codec<api.ProtoSessionKey>,
    api.sessionKeyFromProto,
  ),
  SessionInput: crossing(sessions.sessionInput, api.sessionInputToProto, proto.Session, api.sessionInputFromProto),
  KeptSession: crossing(sessions.keptSession, api.sessionToProto, proto.Session, api.sessionFromProto),
  ListSessionsRequest: crossing(
    sessions.listSessionsRequest,
    api.listSessionsRequest.toProto,
    proto.ListSessionsRequest,
    api.listSessionsRequest.fromProto,
  ),
  ListSessionsResult: crossing(
    sessions.listSessionsResult,
    api.listSessionsResultToProto,
    proto.ListSessionsResponse,
    api.listSessionsResultFromProto,
  ),
  AppendAndCapture: crossing(
    captures.appendAndCapture,
    (given) => ({ ...api.appendAndCaptureToProto(given.session, given.request), requestId: "" }),
    proto.AppendTurnsAndCaptureRequest,
    api.appendAndCaptureFromProto,
  ),
  CapturedTurns: crossing(
    captures.capturedTurns,
    api.capturedTurnsToProto,
    proto.AppendTurnsAndCaptureResponse,
    api.capturedTurnsFromProto,
  ),
  AppendTurnsRequest: crossing(
    sessions.appendTurns,
    (request) => ({ ...session, ...api.appendTurns.toProto(request) }),
    proto.AppendTurnsRequest,
    api.appendTurns.fromProto,
  ),
  ListTurnsRequest: crossing(
    sessions.listTurnsRequest,
    (request) => ({ ...session, ...api.listTurnsRequest.toProto(request) }),
    proto.ListTurnsRequest,
    api.listTurnsRequest.fromProto,
  ),
  ListTurnsResult: crossing(
    sessions.listTurnsResult,
    api.listTurnsResultToProto,
    proto.ListTurnsResponse,
    api.listTurnsResultFromProto,
  ),
  DailyLogRequest: crossing(
    sessions.dailyLogRequest,
    api.dailyLogRequest.toProto,
    proto.GetDailyLogRequest,
    api.dailyLogRequest.fromProto,
  ),
  TurnState: crossing(sessions.turnState, api.turnStateToProto, proto.TurnState, api.turnStateFromProto),
  KeptTurnState: crossing(
    sessions.keptTurnState,
    api.keptTurnStateToProto,
    proto.TurnState,
    api.keptTurnStateFromProto,
  ),
  "news of a turn state": crossing(
    sessions.turnStateNews,
    (news) => ({ ...session, news: api.turnStateNewsToProto(news), requestId: "" }),
    proto.MergeTurnStateRequest,
    ({ news }) => api.turnStateNewsFromProto(news),
  ),
  Operation: crossing(operation, api.operationToProto, proto.Operation, api.operationFromProto),
};

describe("a domain type is the same on the other side of the wire", () => {
  test.each(Object.entries(crossings))("%s", (_, { values, cross }) => {
    fc.assert(
      fc.property(values, (value) => {
        // Strict: an absent field must stay absent, -0 must stay -0.
        expect(cross(value as never)).toStrictEqual(value);
      }),
      { seed: 20_261_122, numRuns: 200 },
    );
  });
});

test("a schema keeps the order of its names", () => {
  const schema = { type: "object", properties: { b: {}, a: {} }, required: ["b"] };
  const tools = [{ type: "function", function: { name: "add", parameters: schema } }] as const;
  const request = api.trimRequest.toProto({ messages: [], maxTokens: 1, tools });
  expect(JSON.stringify(api.trimRequest.fromProto(request).tools)).toBe(JSON.stringify(tools));
});

describe("what means the same has one form on the wire", () => {
  test("a scope as text, and equal scopes", () => {
    expect(api.scopesToProto(["user:a:b", { kind: "user", id: "a:b" }, "global"], "scopes")).toEqual([
      { kind: proto.ScopeKind.USER, id: "a:b" },
      { kind: proto.ScopeKind.GLOBAL, id: "" },
    ]);
  });

  test("null and a provider's own fields in a message", () => {
    const message = { role: "assistant", content: null, name: null, tool_calls: null, refusal: "no" };
    const request = api.assembleRequestToProto({ query: "q", messages: [message as never] });
    expect(api.assembleRequestFromProto(request).messages).toStrictEqual([{ role: "assistant" }]);
  });

  test("a provider's own fields in a tool", () => {
    const tool = { type: "function", function: { name: "add", strict: true }, cache_control: {} };
    const request = api.trimRequest.toProto({ messages: [], maxTokens: 1, tools: [tool as never] });
    expect(api.trimRequest.fromProto(request).tools).toStrictEqual([{ type: "function", function: { name: "add" } }]);
  });

  test("half a surrogate pair in text that is only read", () => {
    const request = api.recallRequestToProto({ query: "a\ud800b", scopes: ["global"] });
    expect(api.recallRequestFromProto(request).query).toBe("a\ufffdb");
  });
});
