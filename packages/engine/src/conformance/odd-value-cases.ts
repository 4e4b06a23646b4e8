import assert from "node:assert/strict";
import { type Loci, LociError, type MemoryId } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";
const id = "01900000-0000-7000-8000-000000000000" as MemoryId;

/** What a program without types may pass by mistake, or on purpose. */
const oddValues: readonly unknown[] = [
  null,
  Object.create(null),
  Symbol("odd"),
  12n,
  // Compares like a share.
  1n,
  () => "odd",
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1,
  1e300,
  "\uD800",
  [[]],
  { toString: "odd", toJSON: 1 },
  new Map(),
  new Date(Number.NaN),
];

/** Each call with every field it takes. */
const requests: Readonly<
  Record<string, readonly [call: (loci: Loci, given: never) => Promise<unknown>, fields: object]>
> = {
  remember: [
    (loci, input) => loci.memories.remember(input),
    {
      text: "New.",
      scope,
      category: "note",
      tags: ["a"],
      slot: "s",
      importance: 1,
      confidence: 1,
      isStatic: true,
      origin: "manual",
      trust: "trusted",
      createdAt: 1,
      expiresAt: 2e12,
      validFrom: 1,
      validTo: 2,
      metadata: {},
      provenance: { sourceId: "x" },
    },
  ],
  rememberMany: [(loci, inputs) => loci.memories.rememberMany([inputs]), { text: "New.", scope }],
  rememberConversation: [
    (loci, input) => loci.memories.rememberConversation(input),
    { session: "s", scope, turns: [{ id: "1", speaker: "A", content: "B", at: 0 }] },
  ],
  turn: [
    (loci, turn) => loci.memories.rememberConversation({ session: "s", scope, turns: [turn] }),
    { id: "1", speaker: "A", content: "B", at: 0 },
  ],
  get: [(loci, given: { ref: MemoryId } | null) => loci.memories.get(given?.ref as MemoryId), { ref: id }],
  list: [
    (loci, request) => loci.memories.list(request),
    { scopes: [scope], pageSize: 1, pageToken: "", categories: ["note"], states: ["active"], validAt: 1 },
  ],
  scopes: [(loci, request) => loci.memories.scopes(request), { kind: "user", pageSize: 1, pageToken: "x" }],
  update: [
    (loci, patch) => loci.memories.update(id, patch, { etag: `${id}.1` }),
    { text: "a", importance: 1, tags: [], metadata: {}, slot: "s" },
  ],
  precondition: [(loci, precondition) => loci.memories.forget(id, precondition), { etag: `${id}.1` }],
  restore: [
    (loci, given: { version: number } | null) => loci.memories.restore(id, given?.version as number),
    { version: 1 },
  ],
  markUsed: [
    (loci, given: { ids: readonly MemoryId[] } | null) => loci.memories.markUsed(given?.ids as readonly MemoryId[]),
    { ids: [id] },
  ],
  recall: [
    (loci, request) => loci.recall(request),
    {
      query: "new",
      scopes: [scope],
      categories: ["note"],
      limit: 1,
      maxTokens: 9,
      maxTokensPerMemory: 9,
      validAt: 1,
      knownAt: 1,
      evaluationTime: 1,
      recordUsage: "none",
      fallback: "none",
      explain: true,
      where: { field: "category", operator: "equals", value: "note" },
      strategy: "union",
      profile: {},
      rotation: { mode: "off" },
      procedureLimit: 1,
    },
  ],
  assemble: [
    (loci, request) => loci.assemble(request),
    {
      query: "new",
      model: "gpt-4o",
      system: "a",
      project: "b",
      task: "c",
      messages: [],
      evaluationTime: 1,
      recall: { scopes: [scope] },
      layout: "memoryBlocks",
      window: {},
      recordUsage: "none",
      files: {},
    },
  ],
  message: [
    (loci, message) => loci.assemble({ query: "new", messages: [message] }),
    { role: "user", content: "a", name: "n", tool_calls: [] },
  ],
  count: [(loci, request) => loci.tokens.count(request), { text: "new", model: "gpt-4o", messages: [], tools: [] }],
  check: [
    (loci, request) => loci.budget.check(request),
    { systemTokens: 1, conversationTokens: 1, model: "gpt-4o", estimatedOutputTokens: 1, safetyMarginRatio: 0.1 },
  ],
  enforce: [
    (loci, request) => loci.budget.enforce(request),
    { messages: [], model: "gpt-4o", maxInputTokens: 10, estimatedOutputTokens: 1, safetyMarginRatio: 0.1 },
  ],
  record: [
    (loci, request) => loci.budget.record(request),
    { model: "gpt-4o", inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, session: "s" },
  ],
  totals: [(loci, request) => loci.budget.totals(request), { session: "s" }],
  trim: [(loci, request) => loci.budget.trim(request), { messages: [], maxTokens: 10, model: "gpt-4o" }],
  options: [(loci, options) => loci.memories.get(id, options), { deadline: 1, requestId: "x" }],
};

export const oddValueCases: BehaviourFile = {
  covers: ["memories.remember"],
  cases: [
    {
      name: "no value, whatever it is and wherever it stands, ends a call with anything but an answer or an error of Loci's",
      run: async ({ loci }) => {
        for (const [name, [call, fields]] of Object.entries(requests))
          for (const [field, value] of oddRequests(fields)) {
            const thrown: unknown = await call(loci, value as never).then(
              () => undefined,
              (error: unknown) => error,
            );
            const where = `${name} with an odd ${field}: ${thrown instanceof Error ? thrown.stack : ""}`;
            assert.ok(thrown === undefined || (LociError.is(thrown) && thrown.code !== "INTERNAL"), where);
          }
      },
    },
    {
      name: "a deadline beyond all calendars is no deadline, and none of its kind ends the process",
      run: async ({ loci }) => {
        for (const deadline of [8.64e15, 2 ** 53 - 1, Date.now() + 2 ** 31, Date.now() + 2 ** 40])
          if (deadline <= 8.64e15)
            assert.deepEqual((await loci.memories.list({ scopes: [scope] }, { deadline })).memories, []);
          else
            await refuses(loci.memories.list({ scopes: [scope] }, { deadline }), "INVALID_INSTANT", "options.deadline");
      },
    },
    {
      name: "a zero is a zero, whatever its sign",
      run: async ({ loci }) => {
        const memory = await loci.memories.remember({
          text: "New.",
          scope,
          createdAt: -0,
          importance: -0,
          metadata: { priority: -0 },
        });
        for (const value of [memory.createdAt, memory.importance, memory.metadata["priority"]])
          assert.ok(Object.is(value, 0));
        const { totals } = { totals: await loci.budget.record({ model: "gpt-4o", inputTokens: -0, outputTokens: -0 }) };
        assert.ok(!JSON.stringify(totals).includes("-0"));
        const check = await loci.budget.check({ systemTokens: -0, conversationTokens: -0, estimatedOutputTokens: -0 });
        for (const value of Object.values(check)) assert.ok(!Object.is(value, -0));
      },
    },
  ],
};

/** The request with each field odd in each way, and each way of being no request at all. */
function* oddRequests(fields: object): Generator<readonly [field: string, value: unknown]> {
  for (const odd of oddValues) {
    for (const name of Object.keys(fields)) {
      yield [name, { ...fields, [name]: odd }];
      yield [`${name}[]`, { ...fields, [name]: [odd] }];
      yield [`${name}.x`, { ...fields, [name]: { ...((fields as Record<string, object>)[name] as object), odd } }];
    }
    yield ["request", odd];
  }
}
