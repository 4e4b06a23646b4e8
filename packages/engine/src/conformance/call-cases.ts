import assert from "node:assert/strict";
import type { CallOptions, Loci, MemoryId } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";
const id = "01900000-0000-7000-8000-000000000000" as MemoryId;

/** Every method, each with a good request. */
const calls: Readonly<Record<string, (loci: Loci, options: CallOptions) => Promise<unknown>>> = {
  remember: (loci, options) => loci.memories.remember({ text: "New.", scope }, options),
  rememberMany: (loci, options) => loci.memories.rememberMany([{ text: "New.", scope }], options),
  rememberConversation: (loci, options) =>
    loci.memories.rememberConversation({ scope, turns: [{ id: "1", speaker: "A", content: "B", at: 0 }] }, options),
  get: (loci, options) => loci.memories.get(id, options),
  list: (loci, options) => loci.memories.list({ scopes: [scope] }, options),
  scopes: (loci, options) => loci.memories.scopes({}, options),
  update: (loci, options) => loci.memories.update(id, { importance: 0 }, { etag: `${id}.1` }, options),
  forget: (loci, options) => loci.memories.forget(id, undefined, options),
  versions: (loci, options) => loci.memories.versions(id, options),
  restore: (loci, options) => loci.memories.restore(id, 1, options),
  markUsed: (loci, options) => loci.memories.markUsed([id], options),
  recall: (loci, options) => loci.recall({ query: "new", scopes: [scope] }, options),
  assemble: (loci, options) => loci.assemble({ query: "new", recall: { scopes: [scope] } }, options),
  count: (loci, options) => loci.tokens.count({ text: "new" }, options),
  check: (loci, options) => loci.budget.check({ systemTokens: 1, conversationTokens: 1 }, options),
  enforce: (loci, options) => loci.budget.enforce({ messages: [] }, options),
  record: (loci, options) => loci.budget.record({ model: "gpt-4o", inputTokens: 1, outputTokens: 1 }, options),
  totals: (loci, options) => loci.budget.totals({}, options),
  trim: (loci, options) => loci.budget.trim({ messages: [], maxTokens: 10 }, options),
  settled: (loci, options) => loci.settled(options),
};

export const callCases: BehaviourFile = {
  covers: ["close", "settled"],
  cases: [
    {
      name: "a call that is over before it begins does nothing",
      run: async ({ loci }) => {
        for (const call of Object.values(calls)) {
          await refuses(call(loci, { signal: AbortSignal.abort() }), "CANCELLED");
          await refuses(call(loci, { deadline: Date.now() - 1 }), "DEADLINE_EXCEEDED");
        }
        assert.deepEqual((await loci.memories.list({ scopes: [scope] })).memories, []);
      },
    },
    {
      name: "call options are checked",
      run: async ({ loci }) => {
        for (const call of Object.values(calls)) {
          await refuses(call(loci, { deadline: Number.NaN }), "INVALID_INSTANT", "options.deadline");
          await refuses(call(loci, { requestId: "" }), "INVALID_IDENTIFIER", "options.requestId");
          await refuses(call(loci, { requestid: "x" } as CallOptions), "INVALID_REQUEST", "options.requestid");
        }
      },
    },
    {
      name: "after close every call is refused, and closing again does nothing",
      run: async ({ loci }) => {
        await loci.memories.remember({ text: "New.", scope });
        await loci.close();
        await loci.close();
        await loci[Symbol.asyncDispose]();
        for (const call of Object.values(calls)) await refuses(call(loci, {}), "CLOSED");
      },
    },
  ],
};
