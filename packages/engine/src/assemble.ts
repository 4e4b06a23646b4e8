import {
  assembleContext,
  type AssemblyInput,
  loadTokenCounter,
  planWindow,
  saidText,
  type TokenCounter,
  type WindowPlan,
} from "@loci/core";
import {
  type AssembledContext,
  type AssembleRequest,
  authorize,
  type CallOptions,
  memoryId,
  type Principal,
  throwIfAborted,
} from "@loci/domain";
import { sha256 } from "./content-hash.ts";
import type { EngineServices } from "./engine-services.ts";
import { saidInWindow } from "./history-in-window.ts";
import { recallForLayout } from "./layout-recall.ts";
import { staleTaskWarnings } from "./stale-task-warning.ts";
import { StepTimings } from "./step-timings.ts";
import { assembleSummarized } from "./summaries/assemble-summarized.ts";
import type { CheckedRecallRequest } from "./validation/validate-recall-request.ts";
import { type CheckedAssembleRequest, checkAssembleRequest } from "./validation/validate-assemble-request.ts";

/** The context for one model call: recall if asked for, then what fits. */
export async function assemble(
  services: EngineServices,
  principal: Principal,
  request: AssembleRequest,
  options: CallOptions | undefined,
  signal: AbortSignal,
): Promise<AssembledContext> {
  const { metadata, profiles } = services;
  const defaults = {
    now: services.clock(),
    profile: profiles.of(principal.tenant),
    relevanceFloor: profiles.floorOf(principal.tenant),
    metadata,
  };
  const checked = checkAssembleRequest(request, defaults, services.conversationReadings);
  authorize(principal, "read", checked.recall?.scopes ?? []);
  const timings = new StepTimings("assemble");
  const { layout, model, profile, window, hasTopic } = checked;
  const { resolved, counter: ownCounter } = await timings.measure("tokenizer", () => services.tokens.forModel(model));
  const counter = layout.tokenizer === undefined ? ownCounter : await loadTokenCounter(layout.tokenizer);
  // Before recall: a window that cannot be is refused without searching first.
  const plan = planWindow({ resolved, layout, overrides: window });
  const recalled = checked.recall && { ...checked.recall, inHistory: saidAnyway(checked, plan) };
  const found =
    recalled === undefined
      ? undefined
      : await timings.measure("recall", () =>
          recallForLayout(services, principal, layout, { request: recalled, hasTopic }, counter, options, signal),
        );
  throwIfAborted(signal);
  const { mode, system, project, task, coreMemory, files, messages, history, query, evaluationTime } = checked;
  const input: AssemblyInput = {
    layout,
    profile,
    mode,
    plan,
    counter,
    checkCounter: checkCounterOf(model, ownCounter, counter),
    model: model === undefined ? undefined : { name: model, known: resolved.known },
    system,
    project,
    task,
    coreMemory,
    files,
    messages,
    history,
    query,
    recall: found,
    evaluationTime,
    sha256,
    counts: services.tokens.counts,
    written: services.tokens.written,
    conversations: services.conversationReadings,
    provider: resolved.provider,
  };
  const { summarizer } = services;
  const assembly =
    summarizer === undefined || history.strategy === "window"
      ? timings.measureNow("assemble", () => assembleContext(input))
      : await timings.measure("assemble", () => assembleSummarized(summarizer, principal, input, signal));
  if (checked.recordUsage === "kept") recordKept(services, principal, recalled, assembly);
  const warnings = [...assembly.warnings, ...staleTaskWarnings(services.taskAges, principal, checked)];
  return { ...assembly, warnings, timings: { ...found?.timings, ...timings.result } };
}

/** What messages and query say in the context in any case. */
function saidAnyway(
  { messages, layout, history, query }: CheckedAssembleRequest,
  { sections }: WindowPlan,
): ReadonlySet<string> {
  return new Set([...saidInWindow(messages, layout, sections, history), saidText(query)]);
}

/** The model's own counter, when one is named and the layout counts with another. */
function checkCounterOf(model: string | undefined, own: TokenCounter, used: TokenCounter): TokenCounter | undefined {
  return model === undefined || own.id === used.id ? undefined : own;
}

/** Only what stands in the context was used. Written in the background. */
function recordKept(
  services: EngineServices,
  principal: Principal,
  recalled: CheckedRecallRequest | undefined,
  { receipt }: Pick<AssembledContext, "receipt">,
): void {
  const items = receipt.items.filter((item) => item.kind === "memory" && item.outcome !== "dropped");
  const kept = [...new Set(items.map(({ id }) => memoryId(id)))];
  const at = services.clock();
  services.usage.record(
    principal.tenant,
    kept.map((ref) => ({ ref, at })),
  );
  if (recalled !== undefined) services.rotation.record(principal, recalled, kept);
}
