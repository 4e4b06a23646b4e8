import { LociError } from "@loci/domain";
import { describe, expect, test } from "vitest";
import * as api from "../src/index.ts";
import { MalformedRequest, proto, withStrictRequests } from "../src/index.ts";

function errorOf(run: () => unknown): LociError {
  try {
    run();
  } catch (error) {
    if (LociError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const user = { kind: proto.ScopeKind.USER, id: "alice" };
const memory = (fields: Partial<proto.Memory>): proto.Memory => ({
  ...proto.Memory.create(),
  text: "text",
  scope: user,
  ...fields,
});
const recall = (fields: Partial<proto.RecallOptions>): proto.RecallMemoriesRequest => ({
  ...proto.RecallMemoriesRequest.create(),
  question: { $case: "query", value: "query" },
  scopes: [user],
  options: { ...proto.RecallOptions.create(), ...fields },
});
const comparison = (operator: number, values: proto.Value[]): proto.Filter => ({
  kind: { $case: "comparison", value: { field: "category", operator: operator as never, values } },
});
const text: proto.Value = { kind: { $case: "text", value: "fact" } };

describe("a request that cannot be read is refused with its field", () => {
  test.each<[string, () => unknown, { reason: string; field: string }]>([
    [
      "a scope of unknown kind",
      () => api.scopesFromProto([user, { kind: 99 as never, id: "x" }], "scopes"),
      { reason: "INVALID_REQUEST", field: "scopes[1].kind" },
    ],
    [
      "a scope of no kind",
      () => api.rememberInputFromProto(memory({ scope: { kind: 0, id: "x" } })),
      { reason: "INVALID_REQUEST", field: "scope.kind" },
    ],
    [
      "a missing scope",
      () => api.rememberInputFromProto(memory({ scope: undefined })),
      { reason: "INVALID_SCOPE", field: "scope" },
    ],
    [
      "a global scope with an id",
      () => api.scopeFromProto({ kind: proto.ScopeKind.GLOBAL, id: "x" }, "scope"),
      { reason: "INVALID_SCOPE", field: "scope" },
    ],
    [
      "a user without an id",
      () => api.scopeFromProto({ kind: proto.ScopeKind.USER, id: "" }, "scope"),
      { reason: "INVALID_IDENTIFIER", field: "scope.id" },
    ],
    [
      "a missing memory",
      () => api.rememberInputFromProto(undefined, "inputs[3]"),
      { reason: "INVALID_REQUEST", field: "inputs[3]" },
    ],
    [
      "an unknown origin",
      () => api.rememberInputFromProto(memory({ origin: 9 as never }), "inputs[3]"),
      { reason: "INVALID_REQUEST", field: "inputs[3].origin" },
    ],
    [
      "a provenance of no kind",
      () =>
        api.rememberInputFromProto(
          memory({ provenance: { sourceId: "ADR-7", kind: 0, role: 0, createTime: undefined } }),
        ),
      { reason: "INVALID_REQUEST", field: "provenance.kind" },
    ],
    [
      "a position beyond 2^53",
      () =>
        api.rememberInputFromProto(
          memory({ provenance: { sourceId: "a", kind: 1, role: 0, position: 2n ** 53n, createTime: undefined } }),
        ),
      { reason: "INVALID_NUMBER", field: "provenance.position" },
    ],
    [
      "a time with negative nanos",
      () => api.rememberInputFromProto(memory({ createTime: { seconds: 1n, nanos: -1_000_000 } })),
      { reason: "INVALID_INSTANT", field: "createdAt" },
    ],
    [
      "a time with a second of nanos",
      () => api.rememberInputFromProto(memory({ validTo: { seconds: 1n, nanos: 1_000_000_000 } })),
      { reason: "INVALID_INSTANT", field: "validTo" },
    ],
    [
      "a time no calendar shows",
      () => api.rememberInputFromProto(memory({ expireTime: { seconds: 2n ** 62n, nanos: 0 } })),
      { reason: "INVALID_INSTANT", field: "expiresAt" },
    ],
    [
      "metadata without a value",
      () => api.rememberInputFromProto(memory({ metadata: new Map([["project", { kind: undefined }]]) })),
      { reason: "INVALID_METADATA", field: "metadata.project" },
    ],
    [
      "a turn without a time",
      () =>
        api.conversation.fromProto({
          ...proto.CreateMemoriesFromConversationRequest.create(),
          scope: user,
          turns: [{ id: "1", speaker: "a", role: 0, content: "b", time: undefined }],
        }),
      { reason: "INVALID_INSTANT", field: "turns[0].at" },
    ],
    [
      "a filter of no kind",
      () => api.recallRequestFromProto(recall({ where: { kind: undefined } })),
      { reason: "INVALID_FILTER", field: "where" },
    ],
    [
      "an unknown operator",
      () => api.filterFromProto({ kind: { $case: "all", value: { filters: [comparison(99, [text])] } } }, "where"),
      { reason: "INVALID_FILTER", field: "where.and[0].operator" },
    ],
    [
      "equals without a value",
      () => api.filterFromProto(comparison(proto.FilterOperator.EQUALS, []), "where"),
      { reason: "INVALID_FILTER", field: "where.value" },
    ],
    [
      "equals with two values",
      () => api.filterFromProto(comparison(proto.FilterOperator.EQUALS, [text, text]), "where"),
      { reason: "INVALID_FILTER", field: "where.value" },
    ],
    [
      "a list of filters that is empty",
      () => api.filterFromProto({ kind: { $case: "any", value: { filters: [] } } }, "where"),
      { reason: "INVALID_FILTER", field: "where.or" },
    ],
    [
      "a recall without a query",
      () => api.recallRequestFromProto({ ...recall({}), question: undefined }),
      { reason: "INVALID_REQUEST", field: "query" },
    ],
    [
      "an unknown strategy",
      () => api.recallRequestFromProto(recall({ strategy: 7 as never })),
      { reason: "INVALID_REQUEST", field: "strategy" },
    ],
    [
      "a message of no role",
      () =>
        api.assembleRequestFromProto({
          ...proto.AssembleContextRequest.create(),
          messages: [proto.ChatMessage.create()],
        }),
      { reason: "INVALID_MESSAGES", field: "messages[0].role" },
    ],
    [
      "a part that is nothing",
      () =>
        api.assembleRequestFromProto({
          ...proto.AssembleContextRequest.create(),
          messages: [
            {
              ...proto.ChatMessage.create(),
              role: proto.ChatRole.USER,
              body: { $case: "parts", value: { parts: [{ kind: undefined }] } },
            },
          ],
        }),
      { reason: "INVALID_MESSAGES", field: "messages[0].content[0]" },
    ],
    [
      "two layouts",
      () =>
        api.assembleRequestFromProto({
          ...proto.AssembleContextRequest.create(),
          layout: "threeTier",
          layoutDefinition: proto.LayoutDefinition.create({ name: "mine" }),
        }),
      { reason: "INVALID_LAYOUT", field: "layout" },
    ],
    [
      "an unknown budget action",
      () => api.budgetCheckRequest.fromProto({ ...proto.CheckBudgetRequest.create(), onExceed: 4 as never }),
      { reason: "INVALID_REQUEST", field: "onExceed" },
    ],
    ...["{", "[]", "null", "7"].map((parameters): [string, () => unknown, { reason: string; field: string }] => [
      `a schema that is ${parameters}`,
      () =>
        api.enforceBudgetRequestFromProto({
          ...proto.EnforceBudgetRequest.create(),
          tools: [{ name: "add", description: undefined, parameters }],
        }),
      { reason: "INVALID_REQUEST", field: "tools[0].function.parameters" },
    ]),
    ...(
      [
        ["100,000 deep", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
        ["of one long number", `{"a":${"9".repeat(400_000)}}`],
        ["of 40,000 names", `{${Array.from({ length: 40_000 }, (_, name) => `"k${name}":0`).join(",")}}`],
      ] as const
    ).map(([what, parameters]): [string, () => unknown, { reason: string; field: string }] => [
      `a schema that is ${what}`,
      () =>
        api.trimRequest.fromProto({
          ...proto.TrimMessagesRequest.create(),
          tools: [{ name: "add", description: undefined, parameters }],
        }),
      { reason: "TEXT_TOO_LARGE", field: "tools[0].function.parameters" },
    ]),
    [
      "a turn state of a million values",
      () => api.turnStateFromProto({ ...proto.TurnState.create(), json: `[${"[],".repeat(400_000)}[]]` }),
      { reason: "TEXT_TOO_LARGE", field: "value" },
    ],
    [
      "schemas that are too large together",
      () =>
        api.trimRequest.fromProto({
          ...proto.TrimMessagesRequest.create(),
          tools: Array.from({ length: 9 }, () => ({
            name: "add",
            description: undefined,
            parameters: `{"a":"${"x".repeat(60_000)}"}`,
          })),
        }),
      { reason: "TEXT_TOO_LARGE", field: "tools" },
    ],
    [
      "used tokens beyond 2^53",
      () => api.recordUsageRequest.fromProto({ ...proto.RecordModelUsageRequest.create(), inputTokens: 2n ** 53n }),
      { reason: "INVALID_NUMBER", field: "inputTokens" },
    ],
    [
      "totals that are missing",
      () => api.usageTotalsFromProto(undefined),
      { reason: "INVALID_REQUEST", field: "totals" },
    ],
  ])("%s", (_, run, expected) => {
    expect(errorOf(run)).toMatchObject({ code: "INVALID_ARGUMENT", ...expected });
  });
});

test("a missing scope is told without saying of what it is: blocks and sessions have one, too", () => {
  expect(errorOf(() => api.scopeFromProto(undefined, "owner"))).toMatchObject({
    message: "owner is missing.",
    advice: "Say whose it is, such as user:alice.",
  });
});

describe("an update mask", () => {
  const id = "0192f0c1-2345-7abc-8def-0123456789ab";
  const update = (updateMask: string[] | undefined, fields: Partial<proto.Memory> = {}): proto.UpdateMemoryRequest => ({
    memory: { ...proto.Memory.create(), id, etag: `${id}.1`, ...fields },
    updateMask,
    requestId: "",
    allowMissing: false,
  });

  test("takes only what it names, and removes what is named and absent", () => {
    const request = update(["slot", "valid_to", "is_static", "tags", "metadata"], { text: "not named", slot: "theme" });
    expect(api.memoryUpdateFromProto(request)).toStrictEqual({
      which: id,
      patch: { slot: "theme", validTo: null, isStatic: false, tags: [], metadata: {} },
      precondition: { etag: `${id}.1` },
    });
  });

  test.each([
    ["is missing", update(undefined), "updateMask"],
    ["names an unknown field", update(["text", "scope"]), "updateMask[1]"],
    ["names everything", update(["*"]), "updateMask[0]"],
    ["names __proto__", update(["__proto__"]), "updateMask[0]"],
    ["names an importance that is absent", update(["importance"]), "importance"],
    ["names a category that is absent", update(["category"]), "category"],
  ])("that %s is refused", (_, request, field) => {
    expect(errorOf(() => api.memoryUpdateFromProto(request))).toMatchObject({ reason: "INVALID_REQUEST", field });
  });

  test("may be of a memory with a key, which an id goes before", () => {
    const scope = api.scopeToProto("user:alice", "scope");
    const named = { ...update(["slot"], { id: "", etag: "", scope, key: "theme" }), allowMissing: true };
    const { which, precondition } = api.memoryUpdateFromProto(named);
    expect([which, precondition]).toEqual([
      { scope: { kind: "user", id: "alice" }, key: "theme" },
      { allowMissing: true },
    ]);
    expect(api.memoryUpdateFromProto(update(["slot"], { scope, key: "theme" })).which).toBe(id);
  });

  test.each([
    [
      "an etag and allow_missing",
      { ...update(["slot"], { id: "", key: "theme" }), allowMissing: true },
      "allowMissing",
    ],
    ["a key without a scope", update(["slot"], { id: "", key: "theme" }), "scope"],
  ])("with %s is refused", (_, request, field) => {
    expect(errorOf(() => api.memoryUpdateFromProto(request))).toMatchObject({ code: "INVALID_ARGUMENT", field });
  });

  test("needs a memory", () => {
    expect(errorOf(() => api.memoryUpdateFromProto({ ...update([]), memory: undefined }))).toMatchObject({
      reason: "INVALID_REQUEST",
      field: "memory",
    });
  });
});

describe("bytes that are no request", () => {
  const { createMemory, recallMemories } = withStrictRequests(proto.MemoryServiceService);

  test("a request is read as before", () => {
    const request = { ...proto.CreateMemoryRequest.create(), memory: memory({ text: "Grüße 😀" }) };
    expect(createMemory.requestDeserialize(createMemory.requestSerialize(request))).toEqual(request);
  });

  const nested = Array.from({ length: 200 }).reduce<proto.Filter>(
    (filter) => ({ kind: { $case: "not", value: filter } }),
    comparison(1, [text]),
  );

  test.each<[string, unknown]>([
    ["cut off", createMemory.requestDeserialize(Buffer.from([0x0a, 0x7f, 0x12]))],
    ["of another kind", createMemory.requestDeserialize(Buffer.from("GET / HTTP/1.1\r\n\r\n"))],
    ["with text that is not UTF-8", createMemory.requestDeserialize(Buffer.from([0x12, 2, 0xc3, 0x28]))],
    [
      "nested too deeply",
      recallMemories.requestDeserialize(recallMemories.requestSerialize(recall({ where: nested }))),
    ],
  ])("%s become an error of the caller", (_, request) => {
    expect(request).toBeInstanceOf(MalformedRequest);
    expect((request as MalformedRequest).error).toMatchObject({ reason: "INVALID_REQUEST", code: "INVALID_ARGUMENT" });
  });
});

test("metadata cannot reach a prototype", () => {
  const polluted = memory({ metadata: new Map([["__proto__", text]]) });
  const { metadata } = api.rememberInputFromProto(proto.Memory.decode(proto.Memory.encode(polluted).finish()));
  expect(Object.keys(metadata ?? {})).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
});

test.each([
  [{ seconds: 1n, nanos: 1_999_999 }, 1_001],
  [{ seconds: -1n, nanos: 999_999_999 }, -1],
  [{ seconds: 0n, nanos: 1 }, 0],
] as const)("what is finer than a millisecond is cut off: %o", (createTime, milliseconds) => {
  expect(api.rememberInputFromProto(memory({ createTime })).createdAt).toBe(milliseconds);
});
