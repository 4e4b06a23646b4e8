import type { CallOptions, Loci, Principal } from "@loci/domain";
import { assemble } from "./assemble.ts";
import { forgetMemory, restoreMemory, updateMemory } from "./change-memory.ts";
import { checkCallBudget, countTokens } from "./count-tokens.ts";
import type { EngineServices } from "./engine-services.ts";
import { enforce, trim } from "./guard-budget.ts";
import { listMemories } from "./list-memories.ts";
import { getMemory, markUsed, memoryVersions } from "./read-memory.ts";
import { recall } from "./recall.ts";
import { remember, rememberMany } from "./remember.ts";
import { rememberConversation } from "./remember-conversation.ts";
import { closed, type RunningCalls } from "./running-calls.ts";
import { settled } from "./settled.ts";

/** Every call of {@link Loci} as one principal may make it. `close` ends this handle and leaves the engine running. */
export function principalLoci(services: EngineServices, calls: RunningCalls, principal: Principal): Loci {
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
  };
  const run = async <Result>(
    options: CallOptions | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    if (isClosed) throw closed();
    return calls.run(options, work);
  };
  return {
    memories: {
      remember: (input, options) => run(options, (signal) => remember(services, principal, input, options, signal)),
      rememberMany: (inputs, options) =>
        run(options, (signal) => rememberMany(services, principal, inputs, options, signal)),
      rememberConversation: (input, options) =>
        run(options, (signal) => rememberConversation(services, principal, input, options, signal)),
      get: (id, options) => run(options, (signal) => getMemory(services, principal, id, { signal })),
      list: (request, options) => run(options, (signal) => listMemories(services, principal, request, { signal })),
      update: (id, patch, precondition, options) =>
        run(options, (signal) => updateMemory(services, principal, id, patch, precondition, options, signal)),
      forget: (id, precondition, options) =>
        run(options, (signal) => forgetMemory(services, principal, id, precondition, options, signal)),
      versions: (id, options) => run(options, (signal) => memoryVersions(services, principal, id, { signal })),
      restore: (id, version, options) =>
        run(options, (signal) => restoreMemory(services, principal, id, version, options, signal)),
      markUsed: (ids, options) => run(options, (signal) => markUsed(services, principal, ids, { signal })),
    },
    tokens: { count: (request, options) => run(options, () => countTokens(services, request)) },
    budget: {
      check: (request, options) => run(options, async () => checkCallBudget(request)),
      enforce: (request, options) => run(options, (signal) => enforce(services, principal, request, signal)),
      record: (request, options) => run(options, () => services.modelUsage.record(principal, request)),
      totals: (request, options) => run(options, () => services.modelUsage.totals(principal, request)),
      trim: (request, options) => run(options, () => trim(services, request)),
    },
    recall: (request, options) => run(options, (signal) => recall(services, principal, request, options, signal)),
    assemble: (request, options) => run(options, (signal) => assemble(services, principal, request, options, signal)),
    settled: (options) => run(options, (signal) => settled(services, principal, signal)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
