import { callerOf, type Loci, type Principal } from "@loci/domain";
import { assemble } from "./assembly/assemble.ts";
import { forgetMemory, restoreMemory, updateMemory } from "./memories/change-memory.ts";
import { checkCallBudget, countTokens } from "./budget/count-tokens.ts";
import type { EngineServices } from "./engine-services.ts";
import { enforce, trim } from "./budget/guard-budget.ts";
import { listMemories } from "./memories/list-memories.ts";
import { listMemoryScopes } from "./memories/list-memory-scopes.ts";
import type { CurrentServices } from "./calls/current-services.ts";
import { getMemories } from "./memories/many-memories.ts";
import type { Maintenance } from "./maintenance/maintenance.ts";
import { getMemory, markUsed, memoryVersions } from "./memories/read-memory.ts";
import { getReceipt, listReceipts } from "./receipts/read-receipts.ts";
import { recall } from "./recall/recall.ts";
import { remember, rememberMany } from "./memories/remember.ts";
import { rememberConversation } from "./memories/remember-conversation.ts";
import { memorySpan } from "./calls/memory-span.ts";
import { principalCaptures } from "./principal-captures.ts";
import { principalExchange } from "./principal-exchange.ts";
import { principalStreams } from "./principal-streams.ts";
import { principalSessions } from "./principal-sessions.ts";
import { principalBlocks } from "./principal-blocks.ts";
import type { RunCall } from "./run-call.ts";
import { closed, type RunningCalls } from "./calls/running-calls.ts";
import { settled } from "./settled.ts";
import { status } from "./status.ts";

/** What every handle shares. */
export interface LociParts {
  readonly current: CurrentServices<EngineServices>;
  readonly calls: RunningCalls;
  readonly maintenance: Maintenance;
}

/** Every call of {@link Loci} as one principal may make it. `close` ends this handle and leaves the engine running. */
export function principalLoci({ current, calls, maintenance }: LociParts, principal: Principal): Loci {
  const ended = new AbortController();
  const close = async (): Promise<void> => ended.abort(closed());
  const run: RunCall = async (options, work) => {
    if (ended.signal.aborted) throw closed();
    return calls.run(options, (signal) =>
      current.use(async (services) => {
        const turn = services.thread.next(principal.tenant, signal);
        if (turn !== undefined) await turn;
        try {
          return await work(services, { principal, signal, options });
        } finally {
          services.thread.done(signal);
        }
      }),
    );
  };
  const closing = (): AbortSignal => AbortSignal.any([ended.signal, calls.closing]);
  return {
    memories: {
      ...principalStreams({ ledger: current.now.ledger, run, principal, closing }),
      remember: (input, options) =>
        memorySpan("create_memory", () => run(options, (services, call) => remember(services, call, input))),
      rememberMany: (inputs, options) =>
        memorySpan(
          "create_memory",
          () => run(options, (services, call) => rememberMany(services, call, inputs)),
          countOf,
        ),
      rememberConversation: (input, options) =>
        memorySpan(
          "create_memory",
          () => run(options, (services, call) => rememberConversation(services, call, input)),
          countOf,
        ),
      get: (which, options) => run(options, (services, call) => getMemory(services, call, which)),
      getMany: (request, options) => run(options, (services, call) => getMemories(services, call, request)),
      list: (request, options) => run(options, (services, call) => listMemories(services, call, request)),
      scopes: (request = {}, options) => run(options, (services, call) => listMemoryScopes(services, call, request)),
      update: (which, patch, precondition, options) =>
        memorySpan("update_memory", () =>
          run(options, (services, call) => updateMemory(services, call, { which, patch, precondition })),
        ),
      forget: (id, precondition, options) =>
        memorySpan("delete_memory", () =>
          run(options, (services, call) => forgetMemory(services, call, id, precondition)),
        ),
      versions: (id, options) => run(options, (services, call) => memoryVersions(services, call, id)),
      restore: (id, version, options) =>
        memorySpan("update_memory", () => run(options, (services, call) => restoreMemory(services, call, id, version))),
      markUsed: (ids, options) => run(options, (services, call) => markUsed(services, call, ids)),
    },
    sessions: principalSessions(run),
    blocks: principalBlocks(run),
    captures: principalCaptures(run),
    receipts: {
      list: (request = {}, options) => run(options, (services, call) => listReceipts(services, call, request)),
      get: (id, options) => run(options, (services, call) => getReceipt(services, call, id)),
    },
    tokens: { count: (request, options) => run(options, (services) => countTokens(services, request)) },
    budget: {
      check: (request, options) => run(options, async () => checkCallBudget(request)),
      enforce: (request, options) => run(options, (services, call) => enforce(services, call, request)),
      record: (request, options) => run(options, ({ modelUsage }, call) => modelUsage.record(call, request)),
      totals: (request, options) => run(options, ({ modelUsage }) => modelUsage.totals(principal, request)),
      trim: (request, options) => run(options, (services, call) => trim(services, call, request)),
    },
    recall: (request, options) =>
      memorySpan(
        "search_memory",
        () => run(options, (services, call) => recall(services, call, request)),
        ({ hits }) => hits.length,
      ),
    assemble: (request, options) => run(options, (services, call) => assemble(services, call, request)),
    maintenance: { ...maintenance.for(principal, calls), ...principalExchange(run) },
    caller: (options) => run(options, async () => callerOf(principal)),
    status: (options) => run(options, (services, call) => status(services, call)),
    settled: (options) => run(options, (services, call) => settled(services, call)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function countOf({ length }: readonly unknown[]): number {
  return length;
}
