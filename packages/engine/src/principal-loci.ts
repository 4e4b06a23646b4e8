import type { CallOptions, Loci, Principal } from "@loci/domain";
import { assemble } from "./assembly/assemble.ts";
import { forgetMemory, restoreMemory, updateMemory } from "./memories/change-memory.ts";
import { checkCallBudget, countTokens } from "./budget/count-tokens.ts";
import type { EngineServices } from "./engine-services.ts";
import { enforce, trim } from "./budget/guard-budget.ts";
import { listMemories } from "./memories/list-memories.ts";
import type { CurrentServices } from "./calls/current-services.ts";
import type { Maintenance } from "./maintenance/maintenance.ts";
import { getMemory, markUsed, memoryVersions } from "./memories/read-memory.ts";
import { recall } from "./recall/recall.ts";
import { remember, rememberMany } from "./memories/remember.ts";
import { rememberConversation } from "./memories/remember-conversation.ts";
import { closed, type RunningCalls } from "./calls/running-calls.ts";
import { settled } from "./settled.ts";

/** What every handle shares. */
export interface LociParts {
  readonly current: CurrentServices<EngineServices>;
  readonly calls: RunningCalls;
  readonly maintenance: Maintenance;
}

/** Every call of {@link Loci} as one principal may make it. `close` ends this handle and leaves the engine running. */
export function principalLoci({ current, calls, maintenance }: LociParts, principal: Principal): Loci {
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
  };
  const run = async <Result>(
    options: CallOptions | undefined,
    work: (services: EngineServices, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    if (isClosed) throw closed();
    return calls.run(options, (signal) =>
      current.use(async (services) => {
        const turn = services.thread.next(principal.tenant, signal);
        if (turn !== undefined) await turn;
        try {
          return await work(services, signal);
        } finally {
          services.thread.done(signal);
        }
      }),
    );
  };
  return {
    memories: {
      remember: (input, options) =>
        run(options, (services, signal) => remember(services, principal, input, options, signal)),
      rememberMany: (inputs, options) =>
        run(options, (services, signal) => rememberMany(services, principal, inputs, options, signal)),
      rememberConversation: (input, options) =>
        run(options, (services, signal) => rememberConversation(services, principal, input, options, signal)),
      get: (id, options) => run(options, (services, signal) => getMemory(services, principal, id, { signal })),
      list: (request, options) =>
        run(options, (services, signal) => listMemories(services, principal, request, { signal })),
      update: (id, patch, precondition, options) =>
        run(options, (services, signal) => updateMemory(services, principal, id, patch, precondition, options, signal)),
      forget: (id, precondition, options) =>
        run(options, (services, signal) => forgetMemory(services, principal, id, precondition, options, signal)),
      versions: (id, options) =>
        run(options, (services, signal) => memoryVersions(services, principal, id, { signal })),
      restore: (id, version, options) =>
        run(options, (services, signal) => restoreMemory(services, principal, id, version, options, signal)),
      markUsed: (ids, options) => run(options, (services, signal) => markUsed(services, principal, ids, { signal })),
    },
    tokens: { count: (request, options) => run(options, (services) => countTokens(services, request)) },
    budget: {
      check: (request, options) => run(options, async () => checkCallBudget(request)),
      enforce: (request, options) => run(options, (services, signal) => enforce(services, principal, request, signal)),
      record: (request, options) =>
        run(options, (services, signal) => services.modelUsage.record(principal, request, options, signal)),
      totals: (request, options) => run(options, (services) => services.modelUsage.totals(principal, request)),
      trim: (request, options) => run(options, (services) => trim(services, request)),
    },
    recall: (request, options) =>
      run(options, (services, signal) => recall(services, principal, request, options, signal)),
    assemble: (request, options) =>
      run(options, (services, signal) => assemble(services, principal, request, options, signal)),
    maintenance: maintenance.for(principal, calls),
    settled: (options) => run(options, (services, signal) => settled(services, principal, signal)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
