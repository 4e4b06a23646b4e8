import {
  assembleContext,
  type Assembly,
  type AssemblyInput,
  type AssemblyMemories,
  conversationReadingOf,
  fillSections,
  loadTokenCounter,
  mostHistoryTokens,
  planWindow,
  readConversationSteps,
  type TokenCounter,
  writeMemoriesSteps,
} from "@loci/core";
import {
  type AssembledContext,
  type AssembleRequest,
  authorize,
  memoryId,
  type Principal,
  throwIfAborted,
} from "@loci/domain";
import { sha256 } from "../calls/content-hash.ts";
import { countReceipt } from "./count-receipt.ts";
import type { Call } from "../calls/call.ts";
import type { AssemblyServices } from "./assembly-services.ts";
import { blocksNotShown } from "./blocks-not-shown.ts";
import { takeTurns } from "../calls/take-turns.ts";
import { recallForWindow } from "./recall-for-window.ts";
import { keepReceipt } from "./keep-receipt.ts";
import { type KeptContent, readKept } from "./read-kept.ts";
import type { HeldConversation } from "./session-conversations.ts";
import { staleTaskWarnings } from "./stale-task-warning.ts";
import { StepTimings } from "../calls/step-timings.ts";
import { assembleSummarized } from "../summaries/assemble-summarized.ts";
import type { CheckedRecallRequest } from "../recall/validate-recall-request.ts";
import {
  checkAssembleFields,
  type CheckedAssembleRequest,
  checkAssembleRequest,
  givesText,
} from "./validate-assemble-request.ts";

/** The context for one model call: recall if asked for, then what fits. */
export async function assemble(
  services: AssemblyServices,
  call: Call,
  request: AssembleRequest,
): Promise<AssembledContext> {
  const { principal, signal } = call;
  const { metadata, profiles } = services;
  const defaults = {
    now: services.clock(),
    profile: profiles.of(principal.tenant),
    relevanceFloor: profiles.floorOf(principal.tenant),
    metadata,
  };
  const layout = checkAssembleFields(request);
  const timings = new StepTimings("assemble");
  const kept = await readKept({ services, call, timings }, request, layout);
  const checked = checkAssembleRequest({ ...request, layout }, defaults, services.conversationReadings, kept?.session);
  authorize(principal, "read", checked.recall?.scopes ?? []);
  const { model, profile, window } = checked;
  const { resolved, counter: ownCounter } = await timings.measure("tokenizer", () => services.tokens.forModel(model));
  const counter = layout.tokenizer === undefined ? ownCounter : await loadTokenCounter(layout.tokenizer);
  // Before recall: a window that cannot be is refused without searching first.
  const plan = planWindow({ resolved, layout, overrides: window });
  const { mode, system, project, task, coreMemory, files, messages, history, query, evaluationTime, dateZone } =
    checked;
  const keptTexts = kept && fillSections(layout, kept.sources, (source) => givesText(checked, source));
  const given: AssemblyInput = {
    layout,
    profile,
    mode,
    plan,
    counter,
    checkCounter: checkCounterOf(model, ownCounter, counter),
    model: model === undefined ? undefined : { name: model, known: resolved.known, meant: resolved.meant },
    system,
    project,
    task,
    coreMemory,
    files,
    kept: keptTexts,
    messages,
    history,
    query,
    evaluationTime,
    dateZone,
    sha256,
    counts: services.tokens.counts,
    written: services.tokens.written,
    conversations: services.conversationReadings,
    provider: resolved.provider,
  };
  const turn = (): Promise<void> | undefined => services.thread.next(principal.tenant, signal);
  const session = kept?.session;
  using held = session && (await timings.measure("kept", () => holdConversation(services, session, given)));
  const input = held === undefined ? given : { ...given, messages: held.messages, conversation: held.known };
  await takeTurns(readConversationSteps(input), turn);
  const recalled = await recallForWindow({ services, call, checked, input, timings });
  // What was recalled on the way has been assembled, too.
  if (recalled.assembly === undefined) {
    await takeTurns(writeMemoriesSteps(recalled.input), turn);
    await turn();
  }
  throwIfAborted(signal);
  const { summarizer } = services;
  const whole = recalled.input;
  const assembly =
    summarizer === undefined || history.strategy === "window"
      ? (recalled.assembly ?? timings.measureNow("assemble", () => assembleContext(whole)))
      : await timings.measure("assemble", () => assembleSummarized(summarizer, principal, whole, signal));
  countReceipt(assembly.receipt);
  // The later calls of a turn are the same use.
  if (checked.recordUsage === "kept" && !recalled.isKnown) recordKept(services, principal, checked.recall, assembly);
  if (session !== undefined)
    services.sessionConversations.keepBeginnings(services, session.turnsOf, conversationReadingOf(input));
  if (recalled.turn !== undefined) noteTurn(services, recalled.turn, whole.recall?.hits ?? [], assembly);
  const receiptId = keepReceipt(services, principal, assembly, { input: whole, kept, checked });
  const warnings = [
    ...assembly.warnings,
    ...(kept?.warnings ?? []),
    ...blocksNotShown(kept?.sources.blocks ?? [], keptTexts ?? []),
    ...staleTaskWarnings(services.taskAges, principal, { ...checked, task: taskShown(checked, keptTexts) }),
  ];
  return {
    ...assembly,
    ...(receiptId === undefined ? {} : { receiptId }),
    warnings,
    timings: { ...recalled.timings, ...timings.result },
  };
}

/** The conversation of a session. A model summarises what it reads itself, from the first message on. */
function holdConversation(
  services: AssemblyServices,
  { turnsOf }: NonNullable<KeptContent["session"]>,
  input: AssemblyInput,
): Promise<HeldConversation> {
  const { summarizer, sessionConversations } = services;
  const need =
    summarizer === undefined ? { key: conversationReadingOf(input), tokens: mostHistoryTokens(input.plan) } : undefined;
  return sessionConversations.hold(services, turnsOf, need);
}

/** The task as the context shows it. */
function taskShown({ task }: CheckedAssembleRequest, kept: AssemblyInput["kept"]): string | undefined {
  return task ?? kept?.find(({ source }) => source === "task")?.text;
}

/** What the context shows of what was recalled is what the turn's later calls are shown. */
function noteTurn(
  { runningTurns, clock }: AssemblyServices,
  turn: string,
  hits: AssemblyMemories["hits"],
  { receipt }: Assembly,
): void {
  const shown = receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome !== "dropped");
  runningTurns.note(turn, new Set(shown.map(({ id }) => memoryId(id))), hits, clock());
}

/** The model's own counter, when one is named and the layout counts with another. */
function checkCounterOf(model: string | undefined, own: TokenCounter, used: TokenCounter): TokenCounter | undefined {
  return model === undefined || own.id === used.id ? undefined : own;
}

/** Only what stands in the context was used. Written in the background. */
function recordKept(
  services: AssemblyServices,
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
