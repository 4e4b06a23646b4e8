import { readFileSync } from "node:fs";
import { type MethodDefinition, loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";
import { Metadata } from "@grpc/grpc-js";
import { delegatedToken, type DelegatedTokenOptions, descriptorSetFile, proto } from "@loci/api";
import type { LociError } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { methodRules } from "../src/calls/method-rules.ts";
import type { CreateApiKeyOptions } from "../src/security/api-key.ts";
import { scopeOf, startTestServer, testKey, type TestServer } from "./test-server.ts";

// Every method of the contract, by what stands in the compiled descriptors: whoever adds a method adds a rule and a row.
const descriptors = loadFileDescriptorSetFromBuffer(readFileSync(descriptorSetFile));
const paths = Object.values(descriptors)
  .flatMap((definition) =>
    "format" in definition ? [] : Object.values(definition as Record<string, MethodDefinition<object, object>>),
  )
  .map(({ path }) => path)
  .filter((path) => path.startsWith("/loci."));

// The word that is asked for, and what only the owner may read with it.
const word = "canary";
const secret = "for Alice alone";
const clock = (): number => Date.UTC(2026, 5, 1);
const most: CreateApiKeyOptions["roles"] = ["read", "write", "approve", "admin"];
const keys = {
  own: testKey({ id: "own", roles: most }),
  otherTenant: testKey({ id: "other-tenant", tenant: "globex", roles: most }),
  otherScope: testKey({ id: "other-scope", scopes: ["user:bob"], roles: most }),
  noRole: testKey({ id: "no-role", roles: ["operate"] }),
  // What it writes waits for somebody else's approval.
  writer: testKey({ id: "writer", roles: ["read", "write"] }),
  expired: testKey({ id: "expired", expiresAt: clock() }),
  unexpired: testKey({ id: "unexpired", expiresAt: clock() + 1, roles: most }),
};

/** A token of a key, over in a minute by the server's clock, for all that the own key may unless told. */
const token = (key: { readonly key: string }, options: Partial<DelegatedTokenOptions> = {}): string =>
  delegatedToken({ apiKey: key.key, scopes: ["*"], roles: most, expiresInSeconds: 60, now: clock(), ...options });
const tokens = {
  whole: token(keys.own),
  // Times of tokens are whole seconds.
  expired: token(keys.own, { now: clock() - 60_000 }),
  ofExpiredKey: token(keys.expired, { roles: ["read"] }),
  otherScope: token(keys.own, { scopes: ["user:bob"] }),
  noRole: token(keys.noRole, { roles: ["operate"] }),
  writer: token(keys.own, { roles: ["read", "write"] }),
};
const exceeding = [
  token(keys.otherScope),
  token(keys.otherScope, { scopes: ["user:bob", "user:alice"] }),
  token(keys.otherScope, { scopes: ["user:*"] }),
  token(keys.writer),
  token(keys.own, { roles: [...most, "operate"] }),
];

/** What a method works on decides what a stranger gets. */
type Target =
  | "memory"
  | "memories"
  | "session"
  | "capture"
  | "review"
  | "scope"
  | "block"
  | "edit"
  | "promotion"
  | "schema"
  | "operation"
  | "receipt"
  | "nothing";

const toAnotherTenant: Readonly<Record<Target, string>> = {
  memory: "MEMORY_NOT_FOUND",
  // Unknown ids are passed over.
  memories: "answered",
  session: "SESSION_NOT_FOUND",
  capture: "CAPTURE_NOT_FOUND",
  review: "REVIEW_NOT_FOUND",
  // The scope of that name in the stranger's own tenant.
  scope: "answered",
  block: "BLOCK_NOT_FOUND",
  edit: "EDIT_NOT_FOUND",
  promotion: "MEMORY_NOT_FOUND",
  schema: "SCHEMA_NOT_FOUND",
  operation: "OPERATION_NOT_FOUND",
  receipt: "RECEIPT_NOT_FOUND",
  nothing: "answered",
};
const toAnotherScope: Readonly<Record<Target, string>> = {
  ...toAnotherTenant,
  scope: "SCOPE_NOT_PERMITTED",
  // A session is named by its scope.
  session: "SCOPE_NOT_PERMITTED",
  block: "SCOPE_NOT_PERMITTED",
  promotion: "SCOPE_NOT_PERMITTED",
  // Forms are the whole tenant's.
  schema: "SCOPE_NOT_PERMITTED",
  // Of the tenant, but another key's.
  operation: "ROLE_REQUIRED",
};

/** The operation is the key's own, but was started with every scope. */
const toNarrowedToken: Readonly<Record<Target, string>> = { ...toAnotherScope, operation: "SCOPE_NOT_PERMITTED" };

interface Row {
  readonly target: Target;
  readonly request: () => object;
}

let server: TestServer;
let memory: proto.Memory;
let operation: proto.Operation;
let block: proto.Block;
let edit: proto.GetBlockEditResponse;
let capture: proto.CaptureJob;
let review: proto.MemoryReview;
let receiptId: string;

const scopes = [scopeOf("user:alice")];
const message = { role: proto.ChatRole.USER, body: { $case: "content" as const, value: "hello" } };
const human = { owner: scopeOf("user:alice"), label: "human" };
const core = { owner: scopeOf("user:alice"), label: "core_memory" };
const form = (name: string): proto.BlockSchema => ({
  name,
  fields: [{ name: "note", type: proto.BlockFieldType.TEXT, default: undefined, overflow: 0, options: [] }],
});
/** What a further note of the human block says: each one is another. */
let notes = 0;
const proposal = (): proto.ProposeBlockEditRequest => ({
  ...human,
  operations: [
    {
      op: proto.BlockOperationKind.APPEND,
      field: "contextNotes",
      value: { kind: { $case: "text", value: `note ${++notes}` } },
    },
  ],
  requestId: "",
});
const decision = (): object => ({ id: edit.edit?.id ?? "", requestId: "" });
const newMemory = (): object => ({ text: "written by a caller", scope: scopes[0] });

const session = { scope: scopes[0]!, id: "s" };
const said = { role: proto.ChatRole.USER, content: `The ${word} is ${secret}.` };
let sessions = 0;

const rows: Readonly<Record<string, Row>> = {
  "/loci.v1.StatusService/GetCaller": { target: "nothing", request: () => ({}) },
  // Of the stranger's own tenant; and only to whom may read everything in it.
  "/loci.v1.StatusService/GetStatus": { target: "scope", request: () => ({}) },
  "/loci.v1.MemoryService/CreateMemory": {
    target: "scope",
    request: () => proto.CreateMemoryRequest.create({ memory: newMemory() }),
  },
  "/loci.v1.MemoryService/BatchCreateMemories": {
    target: "scope",
    request: () => proto.BatchCreateMemoriesRequest.create({ memories: [newMemory()] }),
  },
  "/loci.v1.MemoryService/CreateMemoriesFromConversation": {
    target: "scope",
    request: () =>
      proto.CreateMemoriesFromConversationRequest.create({
        scope: scopes[0]!,
        turns: [{ id: "1", speaker: "alice", content: "hello", time: { seconds: 1n, nanos: 0 } }],
      }),
  },
  "/loci.v1.MemoryService/GetMemory": { target: "memory", request: () => ({ id: memory.id }) },
  // Whatever the key does not cover is missing, as what there is not.
  "/loci.v1.MemoryService/BatchGetMemories": {
    target: "memories",
    request: () => proto.BatchGetMemoriesRequest.create({ ids: [memory.id], withDeleted: true }),
  },
  "/loci.v1.MemoryService/ListMemories": {
    target: "scope",
    request: () => proto.ListMemoriesRequest.create({ scopes }),
  },
  // What the key does not cover is left out.
  "/loci.v1.MemoryService/ListMemoryScopes": {
    target: "nothing",
    request: () => proto.ListMemoryScopesRequest.create({}),
  },
  "/loci.v1.MemoryService/UpdateMemory": {
    target: "memory",
    request: () =>
      proto.UpdateMemoryRequest.create({
        memory: { id: memory.id, etag: memory.etag, importance: 0.9 },
        updateMask: ["importance"],
      }),
  },
  "/loci.v1.MemoryService/DeleteMemory": {
    target: "memory",
    request: () => proto.DeleteMemoryRequest.create({ id: memory.id }),
  },
  "/loci.v1.MemoryService/ListMemoryVersions": { target: "memory", request: () => ({ id: memory.id }) },
  "/loci.v1.MemoryService/RestoreMemory": {
    target: "memory",
    request: () => proto.RestoreMemoryRequest.create({ id: memory.id, version: 1n }),
  },
  "/loci.v1.MemoryService/MarkMemoriesUsed": { target: "memories", request: () => ({ ids: [memory.id] }) },
  "/loci.v1.MemoryService/RecallMemories": {
    target: "scope",
    request: () => proto.RecallMemoriesRequest.create({ question: { $case: "query", value: word }, scopes }),
  },
  "/loci.v1.MemoryService/ListMemoryIds": {
    target: "scope",
    request: () => proto.ListMemoryIdsRequest.create({ scopes }),
  },
  "/loci.v1.MemoryService/WatchMemories": {
    target: "scope",
    request: () => proto.WatchMemoriesRequest.create({ scopes, since: { $case: "beginning", value: true } }),
  },
  // What the key does not cover is left out.
  "/loci.v1.MemoryService/ExportMemories": {
    target: "nothing",
    request: () => proto.MemoryServiceExportMemoriesRequest.create({}),
  },
  "/loci.v1.SessionService/CreateSession": {
    target: "scope",
    request: () => proto.CreateSessionRequest.create({ session: { scope: scopes[0], id: `new ${++sessions}` } }),
  },
  "/loci.v1.SessionService/GetSession": { target: "session", request: () => session },
  "/loci.v1.SessionService/ListSessions": {
    target: "scope",
    request: () => proto.ListSessionsRequest.create({ scopes }),
  },
  "/loci.v1.SessionService/CloseSession": {
    target: "session",
    request: () => proto.CloseSessionRequest.create(session),
  },
  "/loci.v1.SessionService/ReopenSession": {
    target: "session",
    request: () => proto.ReopenSessionRequest.create(session),
  },
  "/loci.v1.SessionService/DeleteSession": {
    target: "session",
    request: () => proto.DeleteSessionRequest.create(session),
  },
  "/loci.v1.SessionService/AppendTurns": {
    target: "session",
    request: () => proto.AppendTurnsRequest.create({ ...session, turns: [said] }),
  },
  "/loci.v1.SessionService/AppendTurnsAndAssembleContext": {
    target: "session",
    request: () =>
      proto.AppendTurnsAndAssembleContextRequest.create({ append: { ...session, turns: [said] }, context: {} }),
  },
  "/loci.v1.SessionService/AppendTurnsAndCapture": {
    target: "scope",
    request: () =>
      proto.AppendTurnsAndCaptureRequest.create({
        session: { scope: scopes[0], id: `new ${++sessions}` },
        turns: [{ ...said, content: "Hello." }],
      }),
  },
  "/loci.v1.SessionService/ListTurns": {
    target: "session",
    request: () => proto.ListTurnsRequest.create(session),
  },
  "/loci.v1.SessionService/GetTurnState": {
    target: "session",
    request: () => proto.GetTurnStateRequest.create(session),
  },
  "/loci.v1.SessionService/SaveTurnState": {
    target: "session",
    request: () =>
      proto.SaveTurnStateRequest.create({ ...session, turnState: { json: '{"sessionId":"s","createdAt":0}' } }),
  },
  "/loci.v1.SessionService/MergeTurnState": {
    target: "session",
    request: () =>
      proto.MergeTurnStateRequest.create({ ...session, news: { $case: "blockedReason", value: "no key" } }),
  },
  "/loci.v1.SessionService/GetDailyLog": {
    target: "scope",
    request: () => proto.GetDailyLogRequest.create({ scope: scopes[0]!, date: "2026-03-31" }),
  },
  "/loci.v1.BlockService/CreateBlock": {
    target: "scope",
    request: () =>
      proto.CreateBlockRequest.create({
        owner: human.owner,
        label: "persona",
        content: { $case: "preset", value: "assistant" },
      }),
  },
  "/loci.v1.BlockService/GetBlock": { target: "block", request: () => human },
  "/loci.v1.BlockService/ListBlocks": { target: "scope", request: () => ({ owner: human.owner }) },
  "/loci.v1.BlockService/UpdateBlock": {
    target: "block",
    request: () =>
      proto.UpdateBlockRequest.create({
        ...human,
        content: { $case: "operations", value: { operations: proposal().operations } },
        etag: block.etag,
      }),
  },
  "/loci.v1.BlockService/DeleteBlock": {
    target: "block",
    request: () => proto.DeleteBlockRequest.create(human),
  },
  "/loci.v1.BlockService/RestoreBlock": {
    target: "block",
    request: () => proto.RestoreBlockRequest.create({ ...human, version: "1" }),
  },
  "/loci.v1.BlockService/ListBlockVersions": {
    target: "block",
    request: () => proto.ListBlockVersionsRequest.create(human),
  },
  "/loci.v1.BlockService/DiffBlockVersions": { target: "block", request: () => ({ ...human, from: "1" }) },
  "/loci.v1.BlockService/ProposeBlockEdit": { target: "block", request: proposal },
  "/loci.v1.BlockService/GetBlockEdit": { target: "edit", request: decision },
  "/loci.v1.BlockService/ListBlockEdits": {
    target: "scope",
    request: () => proto.ListBlockEditsRequest.create({ owner: human.owner }),
  },
  "/loci.v1.BlockService/ApproveBlockEdit": {
    target: "edit",
    request: () =>
      proto.ApproveBlockEditRequest.create({
        id: edit.edit?.id ?? "",
        baseVersion: edit.preview?.baseVersion ?? 1n,
        contentHash: edit.preview?.contentHash ?? "",
      }),
  },
  "/loci.v1.BlockService/RejectBlockEdit": { target: "edit", request: decision },
  "/loci.v1.BlockService/WithdrawBlockEdit": { target: "edit", request: decision },
  "/loci.v1.BlockService/UpdateProfile": {
    target: "block",
    request: () =>
      proto.UpdateProfileRequest.create({ owner: human.owner, update: { $case: "learnFact", value: "likes tea" } }),
  },
  "/loci.v1.BlockService/GetProfileSummary": { target: "block", request: () => ({ owner: human.owner }) },
  "/loci.v1.BlockService/SearchArchival": { target: "scope", request: () => ({ owner: human.owner, query: word }) },
  "/loci.v1.BlockService/PromoteMemory": {
    target: "promotion",
    request: () => proto.PromoteMemoryRequest.create({ ...core, memoryId: memory.id, heading: "Rules" }),
  },
  "/loci.v1.BlockService/DemoteLine": {
    target: "block",
    request: () => proto.DemoteLineRequest.create({ ...core, line: "keep" }),
  },
  "/loci.v1.BlockService/CreateBlockSchema": {
    target: "scope",
    request: () => proto.CreateBlockSchemaRequest.create({ schema: form("form") }),
  },
  "/loci.v1.BlockService/ListBlockSchemas": { target: "nothing", request: () => ({}) },
  "/loci.v1.BlockService/DeleteBlockSchema": {
    target: "schema",
    request: () => proto.DeleteBlockSchemaRequest.create({ name: "card" }),
  },
  "/loci.v1.CaptureService/StartCapture": {
    target: "session",
    request: () => proto.StartCaptureRequest.create({ session }),
  },
  "/loci.v1.CaptureService/GetCapture": { target: "capture", request: () => ({ id: capture.id }) },
  "/loci.v1.CaptureService/WaitCapture": { target: "capture", request: () => ({ id: capture.id, timeout: undefined }) },
  "/loci.v1.CaptureService/ListCaptures": {
    // A session of that name in the stranger's own tenant has none.
    target: "scope",
    request: () => proto.ListCapturesRequest.create({ session }),
  },
  "/loci.v1.CaptureService/CancelCapture": { target: "capture", request: () => ({ id: capture.id }) },
  "/loci.v1.CaptureService/UndoCapture": { target: "capture", request: () => ({ id: capture.id }) },
  "/loci.v1.CaptureService/ReplayCapture": {
    target: "capture",
    request: () => proto.ReplayCaptureRequest.create({ id: capture.id }),
  },
  "/loci.v1.CaptureService/RecordPostMortem": {
    target: "scope",
    request: () =>
      proto.RecordPostMortemRequest.create({ scope: scopes[0]!, failure: "It broke.", lesson: "Test it first." }),
  },
  "/loci.v1.CaptureService/ListReviews": {
    target: "scope",
    request: () => proto.ListReviewsRequest.create({ scopes }),
  },
  "/loci.v1.CaptureService/DecideReview": {
    target: "review",
    request: () => ({ id: review.id, decision: proto.ReviewDecision.APPROVE }),
  },
  "/loci.v1.CaptureService/ListEvidence": { target: "memory", request: () => ({ memory: memory.id }) },
  "/loci.v1.ContextService/AssembleContext": {
    target: "scope",
    request: () => proto.AssembleContextRequest.create({ query: "What is it?", recall: { scopes, query: word } }),
  },
  "/loci.v1.ContextService/CountTokens": { target: "nothing", request: () => ({ text: "one two" }) },
  "/loci.v1.ContextService/CheckBudget": {
    target: "nothing",
    request: () => proto.CheckBudgetRequest.create({ systemTokens: 1, conversationTokens: 1 }),
  },
  "/loci.v1.ContextService/EnforceBudget": {
    target: "nothing",
    request: () => proto.EnforceBudgetRequest.create({ messages: [message] }),
  },
  "/loci.v1.ContextService/TrimMessages": {
    target: "nothing",
    request: () => proto.TrimMessagesRequest.create({ messages: [message], maxTokens: 100 }),
  },
  "/loci.v1.ContextService/RecordModelUsage": {
    target: "nothing",
    request: () => proto.RecordModelUsageRequest.create({ model: "gpt-5", inputTokens: 1n, outputTokens: 1n }),
  },
  "/loci.v1.ContextService/ListReceipts": { target: "nothing", request: () => proto.ListReceiptsRequest.create() },
  "/loci.v1.ContextService/GetReceipt": { target: "receipt", request: () => ({ id: receiptId }) },
  "/loci.v1.ContextService/GetModelUsageTotals": {
    target: "nothing",
    request: () => ({}),
  },
  "/loci.v1.OperationService/SettleIndexes": { target: "nothing", request: () => ({}) },
  "/loci.v1.OperationService/GetOperation": { target: "operation", request: () => ({ id: operation.id }) },
  "/loci.v1.OperationService/WaitOperation": {
    target: "operation",
    request: () => proto.WaitOperationRequest.create({ id: operation.id, timeout: { seconds: 0n, nanos: 0 } }),
  },
  "/loci.v1.OperationService/CancelOperation": { target: "operation", request: () => ({ id: operation.id }) },
  // What the job finds stands in its operation, which is that of who started it.
  "/loci.v1.MaintenanceService/StartMaintenance": {
    target: "nothing",
    request: () =>
      proto.StartMaintenanceRequest.create({
        job: { job: { $case: "erase", value: { what: { $case: "user", value: "nobody" } } } },
        validateOnly: true,
      }),
  },
  "/loci.v1.MaintenanceService/ExportMemories": {
    target: "nothing",
    request: () => proto.ExportMemoriesRequest.create({}),
  },
  // What the key does not cover is left out.
  "/loci.v1.MaintenanceService/ExportRecords": {
    target: "nothing",
    request: () => proto.ExportRecordsRequest.create({}),
  },
  "/loci.v1.MaintenanceService/ImportRecords": {
    target: "scope",
    request: () =>
      proto.ImportRecordsRequest.create({
        lines: [
          JSON.stringify({
            format: "loci-record-1",
            type: "session",
            scope: "user:alice",
            id: "imported",
            state: "open",
            createdAt: 0,
            updatedAt: 0,
            turns: 0,
            captured: 0,
          }),
        ],
      }),
  },
  "/loci.v1.MaintenanceService/ImportMemories": {
    target: "scope",
    request: () =>
      proto.ImportMemoriesRequest.create({
        lines: [
          JSON.stringify({
            format: "loci-memory-1",
            id: "01900000-0000-7000-8000-000000000001",
            text: "imported",
            scope: "user:alice",
            state: "quarantined",
            updatedAt: 0,
          }),
        ],
      }),
  },
};

beforeAll(async () => {
  server = await startTestServer({
    configuration: { apiKeys: Object.values(keys).map(({ entry }) => entry) },
    clock,
    // The clock stands still: to a limit, all of it happens in one second.
    limits: { callsPerSecond: 0 },
  });
  const client = server.client(keys.own.key);
  memory = await client.remember(`The ${word} is ${secret}.`, "user:alice");
  await client.call("/loci.v1.SessionService/CreateSession", proto.CreateSessionRequest.create({ session }));
  const turns = proto.AppendTurnsRequest.create({ ...session, turns: [said] });
  await client.call("/loci.v1.SessionService/AppendTurns", turns);
  for (const { owner, label, name, value } of [
    { ...human, name: "name", value: secret },
    { ...core, name: "text", value: `## Rules\n- keep\n- ${secret}` },
  ])
    await client.call(
      "/loci.v1.BlockService/CreateBlock",
      proto.CreateBlockRequest.create({
        owner,
        label,
        content: { $case: "values", value: { values: new Map([[name, { kind: { $case: "text", value } }]]) } },
      }),
    );
  await client.call("/loci.v1.BlockService/CreateBlockSchema", { schema: form("card"), requestId: "" });
  await readBlock(client);
  const started = await client.call(
    "/loci.v1.CaptureService/StartCapture",
    proto.StartCaptureRequest.create({ session }),
  );
  capture = (started as proto.StartCaptureResponse).capture!;
  await client.call("/loci.v1.CaptureService/WaitCapture", { id: capture.id, timeout: undefined });
  const lesson = { scope: scopes[0]!, failure: "It broke.", lesson: `The ${word} needs ${secret}.` };
  const request = proto.RecordPostMortemRequest.create(lesson);
  await server.client(keys.writer.key).call("/loci.v1.CaptureService/RecordPostMortem", request);
  const listed = proto.ListReviewsRequest.create({ scopes });
  const { reviews } = (await client.call("/loci.v1.CaptureService/ListReviews", listed)) as proto.ListReviewsResponse;
  review = reviews[0]!;
  const context = (await client.call(
    "/loci.v1.ContextService/AssembleContext",
    proto.AssembleContextRequest.create({ query: word, recall: { scopes, options: undefined } }),
  )) as proto.AssembleContextResponse;
  receiptId = context.receiptId!;
  const response = await client.call("/loci.v1.OperationService/SettleIndexes", {});
  operation = (response as proto.SettleIndexesResponse).operation!;
});
afterAll(() => server[Symbol.asyncDispose]());

/** The block as it stands, and a new edit of it. */
async function readBlock(client: ReturnType<TestServer["client"]>): Promise<void> {
  const proposed = (await client.call(
    "/loci.v1.BlockService/ProposeBlockEdit",
    proposal(),
  )) as proto.ProposeBlockEditResponse;
  edit = (await client.call("/loci.v1.BlockService/GetBlockEdit", {
    id: proposed.edit?.id ?? "",
  })) as proto.GetBlockEditResponse;
  block = ((await client.call("/loci.v1.BlockService/GetBlock", human)) as proto.GetBlockResponse).document!.block!;
}

test("every method of the contract has a rule and a row here, and nothing else has", () => {
  expect(paths.length).toBeGreaterThan(0);
  expect(Object.keys(methodRules).toSorted()).toEqual(paths.toSorted());
  expect(Object.keys(rows).toSorted()).toEqual(paths.toSorted());
});

describe.each(paths)("%s", (path) => {
  const { request, target } = rows[path] ?? { request: () => ({}), target: "nothing" };

  /** The reason a call is refused for, or that it was answered, and with what. */
  const attempt = async (
    key: string | undefined,
    metadata = new Metadata(),
  ): Promise<{ outcome: string; said: string }> => {
    const client = server.client(key);
    return await client.call(path, request(), { metadata }).then(
      (response) => ({ outcome: "answered", said: JSON.stringify(response, withoutBigInt) }),
      (error: LociError) => ({ outcome: error.reason, said: JSON.stringify(error) }),
    );
  };
  /** What of the owner's could be seen or changed. */
  const state = async (): Promise<unknown> => {
    const client = server.client(keys.own.key);
    return await Promise.all([
      client.get(memory.id),
      client.call("/loci.v1.MemoryService/ListMemoryVersions", { id: memory.id }),
      client.texts("user:alice"),
      client.call("/loci.v1.SessionService/GetSession", session),
      client.call("/loci.v1.SessionService/ListTurns", proto.ListTurnsRequest.create(session)),
      client.call("/loci.v1.SessionService/GetTurnState", proto.GetTurnStateRequest.create(session)),
      client.call("/loci.v1.BlockService/GetBlock", human),
      client.call("/loci.v1.BlockService/GetBlock", core),
      client.call("/loci.v1.BlockService/GetBlockEdit", decision()),
      client.call("/loci.v1.BlockService/ListBlockSchemas", {}),
    ]);
  };

  test("needs a credential", async () => {
    expect((await attempt(undefined)).outcome).toBe("CREDENTIAL_MISSING");
  });

  test("refuses keys that are not the server's", async () => {
    const { key } = testKey({ id: "own" });
    for (const wrong of [key, `${keys.own.key}x`, keys.own.key.slice(0, -1), "x", "loci_own_", testKey().key])
      expect(await attempt(wrong)).toMatchObject({ outcome: "CREDENTIAL_INVALID" });
  });

  test("refuses an expired key, to the millisecond", async () => {
    expect((await attempt(keys.expired.key)).outcome).toBe("CREDENTIAL_EXPIRED");
  });

  test("needs its role", async () => {
    const role = methodRules[path as keyof typeof methodRules]?.role;
    const other = role === "approve" ? keys.writer : keys.noRole;
    expect((await attempt(other.key)).outcome).toBe(role === "any" ? "answered" : "ROLE_REQUIRED");
  });

  test("refuses a delegated token that is expired, or whose key is", async () => {
    expect((await attempt(tokens.expired)).outcome).toBe("CREDENTIAL_EXPIRED");
    expect((await attempt(tokens.ofExpiredKey)).outcome).toBe("CREDENTIAL_EXPIRED");
  });

  test("refuses a delegated token that was changed, is a stranger's, or asks for more than its key has", async () => {
    const { key } = testKey({ id: "own" });
    const changed = tokens.otherScope.replace(/\.[^.]+\./, `.${tokens.whole.split(".")[1]}.`);
    for (const wrong of [changed, `${tokens.whole}x`, token({ key }), ...exceeding])
      expect(await attempt(wrong)).toMatchObject({ outcome: "CREDENTIAL_INVALID" });
  });

  test("needs its role in a delegated token, too", async () => {
    const role = methodRules[path as keyof typeof methodRules]?.role;
    const { outcome } = await attempt(role === "approve" ? tokens.writer : tokens.noRole);
    expect(outcome).toBe(role === "any" ? "answered" : "ROLE_REQUIRED");
  });

  test("shows a delegated token for another scope nothing and lets it change nothing", async () => {
    const before = await state();
    const { outcome, said } = await attempt(tokens.otherScope);
    expect(outcome).toBe(toNarrowedToken[target]);
    expect(said).not.toContain(secret);
    expect(await state()).toEqual(before);
  });

  test("shows another tenant nothing and lets it change nothing", async () => {
    const before = await state();
    const metadata = new Metadata();
    for (const name of ["x-tenant", "tenant", "x-loci-tenant"]) metadata.set(name, "acme");
    const { outcome, said } = await attempt(keys.otherTenant.key, metadata);
    expect(outcome).toBe(toAnotherTenant[target]);
    expect(said).not.toContain(secret);
    expect(await state()).toEqual(before);
  });

  test("shows nobody a scope that the key does not cover, nor lets it be changed", async () => {
    const before = await state();
    const { outcome, said } = await attempt(keys.otherScope.key);
    expect(outcome).toBe(toAnotherScope[target]);
    expect(said).not.toContain(secret);
    expect(await state()).toEqual(before);
  });
});

const readings = paths.filter((path) => methodRules[path as keyof typeof methodRules]?.role === "read");
test.each(readings)("%s answers a delegated token as it answers its key", async (path) => {
  expect(await server.client(tokens.whole).call(path, rows[path]?.request())).toBeDefined();
});

// After the rest, because it changes what the rest looks at; and last what removes it.
const removals = [
  "/loci.v1.SessionService/DeleteSession",
  "/loci.v1.BlockService/DeleteBlock",
  "/loci.v1.MemoryService/DeleteMemory",
];
test.each([...paths.filter((path) => !removals.includes(path)), ...removals])(
  "%s works for its owner",
  async (path) => {
    const { key } = rows[path]?.target === "operation" ? keys.own : keys.unexpired;
    const client = server.client(key);
    memory = await client.get(memory.id);
    if (!removals.includes(path)) await readBlock(client);
    expect(await client.call(path, rows[path]?.request())).toBeDefined();
  },
);

function withoutBigInt(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
