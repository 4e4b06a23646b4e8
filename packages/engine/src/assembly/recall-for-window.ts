import {
  applyTokenLimits,
  type Assembly,
  type AssemblyInput,
  compareDropped,
  type Layout,
  SaidTexts,
  type WindowPlan,
} from "@loci/core";
import { type DroppedCandidate, memoryView, type RecallHit, type RecallResult, utf8ByteLength } from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { countLookup } from "../calls/engine-metrics.ts";
import type { StepTimings } from "../calls/step-timings.ts";
import { turnKey } from "../recall/running-turns.ts";
import type { AssemblyServices } from "./assembly-services.ts";
import { fillWindow, widenedRecall } from "./fill-window.ts";
import { textsInWindow } from "./history-in-window.ts";
import { recallForLayout } from "./layout-recall.ts";
import { readStanding } from "./standing-memories.ts";
import { toldInBlocks } from "./told-in-blocks.ts";
import { OutdatedHits, type ShownBeside } from "../recall/outdated-hits.ts";
import type { CheckedRecallRequest } from "../recall/validate-recall-request.ts";
import type { CheckedAssembleRequest } from "./validate-assemble-request.ts";

/** What one assembly is made with, before it has recalled anything. */
export interface AssemblyWork {
  readonly services: AssemblyServices;
  readonly call: Call;
  readonly checked: CheckedAssembleRequest;
  readonly input: AssemblyInput;
  readonly timings: StepTimings;
}

/** An assembly with its memories. */
export interface RecalledWindow {
  readonly input: AssemblyInput;
  /** When it was made on the way. */
  readonly assembly?: Assembly | undefined;
  /** True for what an earlier call of the same turn was shown. */
  readonly isKnown: boolean;
  /** What this turn is remembered under. Absent when nothing is: for another time than now scores do not change. */
  readonly turn?: string | undefined;
  readonly timings?: RecallResult["timings"] | undefined;
}

/** What stands in every context, and what is found for the question, or was found for an earlier call of the same turn. */
export async function recallForWindow(work: AssemblyWork): Promise<RecalledWindow> {
  const { services, call, checked, input, timings } = work;
  const { principal, signal } = call;
  const { layout, plan, counter } = input;
  const { recall, hasTopic, namedLimits, question } = checked;
  if (recall === undefined) return { input, isKnown: false };
  const stood = await timings.measure("standing", () =>
    readStanding(services, call, recall, { maxTokens: plan.sectionsTokens, counter }),
  );
  const { told: standingInBlocks, others: standing } = toldInBlocks(stood, input.kept);
  const isNow = checked.recordUsage === "kept";
  const turn = isNow ? turnKey(principal, recall, question, [layout.name, checked.model, namedLimits]) : undefined;
  if (turn !== undefined && checked.query === undefined) {
    const hits = await services.runningTurns.find(services, call, turn, recall);
    countLookup("turn", hits !== undefined);
    const memories = { hits: hits ?? [], areInOrder: true, standing };
    const known = { ...memories, dropped: [], degraded: [], hasQuery: hasTopic || undefined };
    if (hits !== undefined) return { input: { ...input, recall: known }, isKnown: true, turn };
  }
  const asked = { ...recall, inHistory: saidAnyway({ ...checked, messages: input.messages }, plan) };
  const request = widenedRecall(asked, namedLimits, plan, layout);
  const withStanding = { ...input, recall: { hits: [], areInOrder: true, dropped: [], degraded: [], standing } };
  const outdated = new OutdatedHits({ services, call, request: recall });
  const filled = await fillWindow({
    input: withStanding,
    first: request,
    named: namedLimits,
    timings,
    search: async (wanted) => {
      const { besideFound, ...found } = await recallForLayout(services, call, input, { request: wanted, hasTopic });
      const { told, others } = toldInBlocks(found.hits, input.kept);
      const dropped = recall.explain ? withTold(found.dropped, [...told, ...standingInBlocks]) : found.dropped;
      const hits = await outdated.mark(others, { standing, unfound: unfoundIn(work, recall), besideFound });
      return { ...found, hits, dropped };
    },
    turn: () => services.thread.next(principal.tenant, signal),
  });
  return { input: filled.input, assembly: filled.assembly, isKnown: false, turn, timings: filled.found.timings };
}

/** Nobody gets more who names how many are wanted. */
function unfoundIn(
  { services: { tokens }, checked, input: { counter } }: AssemblyWork,
  request: CheckedRecallRequest,
): ShownBeside["unfound"] {
  const { limit, maxTokens } = checked.namedLimits;
  if (limit || maxTokens) return () => new Map();
  return (holding) => {
    const { categories } = request;
    const wanted = holding.filter(({ memory }) => categories?.includes(memory.category) !== false);
    const { kept } = applyTokenLimits(
      // Whether it has a vector is nowhere shown.
      wanted.map((one) => ({ memory: memoryView(one, true) })),
      request,
      { counter, counted: tokens.counted },
    );
    return new Map(kept.map((one) => [one.memory.id, one]));
  };
}

/** What was dropped, with the memories that blocks tell: of each once, with its score where it was found. */
function withTold(
  dropped: readonly DroppedCandidate[],
  told: readonly (Pick<RecallHit, "memory"> & Partial<RecallHit>)[],
): readonly DroppedCandidate[] {
  const known = new Set(dropped.map(({ id }) => id));
  const inBlocks = told.flatMap(({ memory: { id }, score, parts }): DroppedCandidate[] => {
    if (known.has(id)) return [];
    known.add(id);
    return [{ id, reason: "IN_BLOCK", ...(score === undefined ? {} : { score, parts }) }];
  });
  return [...dropped, ...inBlocks].toSorted(compareDropped);
}

/** What messages and query say in the context in any case. */
function saidAnyway(
  { messages, layout, history, question, ...given }: CheckedAssembleRequest,
  { sections, growthTokens = 0 }: WindowPlan,
): SaidTexts {
  // What a window grows by goes to the other given texts first, counted rather too high.
  const { system = "", project = "", task = "", coreMemory = "" } = given;
  const others = utf8ByteLength(system + project + task + coreMemory) / 3;
  const base = historyBase(layout, sections) + Math.max(0, growthTokens - others);
  return new SaidTexts([...textsInWindow(messages, layout, base, history), question.text]);
}

function historyBase({ sections }: Layout, bases: WindowPlan["sections"]): number {
  return bases[sections.find(({ source }) => source === "history")?.name ?? ""] ?? 0;
}
