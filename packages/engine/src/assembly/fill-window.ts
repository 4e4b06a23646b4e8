import { assembleContext, type Assembly, type AssemblyInput, type WindowPlan, writeMemoriesSteps } from "@loci/core";
import { takeTurns } from "../calls/take-turns.ts";
import type { LayoutRecall } from "./layout-recall.ts";
import type { StepTimings } from "../calls/step-timings.ts";
import type { NamedLimits } from "./validate-assemble-request.ts";
import type { CheckedRecallRequest } from "../recall/validate-recall-request.ts";

/** So many cost a search no more than fewer. */
const firstLimit = 60;
const firstProcedureLimit = 30;
const growth = 4;
const mostHits = 1_000;

/** A context, and the recall it was filled from. */
export interface FilledWindow {
  readonly input: AssemblyInput;
  readonly assembly: Assembly;
  readonly found: LayoutRecall;
}

/** The recall for a window: its own defaults for number and tokens do not bind where the window has more room. */
export function widenedRecall(
  recall: CheckedRecallRequest,
  named: NamedLimits,
  { sectionsTokens }: Pick<WindowPlan, "sectionsTokens">,
  layout: AssemblyInput["layout"],
): CheckedRecallRequest {
  const { maxItems = Infinity } = layout.sections.find(({ source }) => source === "knowledge") ?? {};
  return {
    ...recall,
    // Twice as many as a layout shows: where one has no room, a smaller one may have.
    limit: named.limit ? recall.limit : Math.max(1, Math.min(firstLimit, 2 * maxItems)),
    procedureLimit: named.procedureLimit ? recall.procedureLimit : firstProcedureLimit,
    maxTokens: named.maxTokens ? recall.maxTokens : Math.max(1, sectionsTokens),
  };
}

export interface WindowFilling {
  readonly input: AssemblyInput;
  readonly first: CheckedRecallRequest;
  readonly named: NamedLimits;
  readonly timings: StepTimings;
  /** Recalls within the limits of the request. */
  readonly search: (request: CheckedRecallRequest) => Promise<LayoutRecall>;
  /** Resolves when the thread may be used for some milliseconds. */
  readonly turn: () => Promise<void> | undefined;
}

/** Assembles, and recalls more as long as there is room for what was left out only for its number. */
export async function fillWindow({ input, first, named, timings, search, turn }: WindowFilling): Promise<FilledWindow> {
  for (let request = first; ;) {
    const wanted = request;
    const found = await timings.measure("recall", () => search(wanted));
    const isNamed = named.limit || named.procedureLimit || named.maxTokens;
    const { overLimit, ...memories } = found;
    // What the window itself leaves out stands in its receipt.
    const recall = { ...input.recall, ...memories, overLimit: isNamed ? overLimit : 0 };
    const filled = { ...input, recall };
    await takeTurns(writeMemoriesSteps(filled), turn);
    await turn();
    const assembly = timings.measureNow("assemble", () => assembleContext(filled));
    const next: CheckedRecallRequest = {
      ...request,
      limit: named.limit ? request.limit : Math.min(mostHits, growth * request.limit),
      procedureLimit: named.procedureLimit
        ? request.procedureLimit
        : Math.min(mostHits, growth * request.procedureLimit),
    };
    const isWider = next.limit > request.limit || next.procedureLimit > request.procedureLimit;
    if (overLimit === 0 || !isWider || !hasRoomForMore(assembly)) return { input: filled, assembly, found };
    request = next;
  }
}

/** True when every memory stands in the context, and one more of their size would. */
function hasRoomForMore({ receipt: { items, window } }: Assembly): boolean {
  let tokens = 0;
  let count = 0;
  for (const item of items) {
    if (item.kind !== "memory") continue;
    if (item.outcome === "dropped") return false;
    tokens += item.tokens;
    count++;
  }
  return count > 0 && window.unusedTokens >= tokens / count;
}
