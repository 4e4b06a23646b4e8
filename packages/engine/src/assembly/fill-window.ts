import { assembleContext, type Assembly, type AssemblyInput, type WindowPlan, writeMemoriesSteps } from "@loci/core";
import { takeTurns } from "../calls/take-turns.ts";
import type { LayoutRecall } from "./layout-recall.ts";
import type { StepTimings } from "../calls/step-timings.ts";
import type { NamedLimits } from "./validate-assemble-request.ts";
import type { CheckedRecallRequest } from "../recall/validate-recall-request.ts";

/** So many cost a search no more than fewer. What was found then says how many fill the window: see `limitThatFills`. */
const firstLimit = 60;
const firstProcedureLimit = 30;
const mostHits = 1_000;

/** Half as many again as would fill the window if all were as long: where one has no room, a smaller one may have. */
const spare = 1.5;
/** Grown by less, another search would hardly bring more. */
const leastGrowth = 2;

/** A context, and the recall it was filled from. */
export interface FilledWindow {
  readonly input: AssemblyInput;
  readonly assembly: Assembly;
  readonly found: LayoutRecall;
}

/**
 * The recall for a window: its own defaults for number and tokens do not bind where the window has more room. What a short question
 * leaves of its reserve is room, too.
 */
export function widenedRecall(
  recall: CheckedRecallRequest,
  named: NamedLimits,
  { sectionsTokens, queryTokens }: Pick<WindowPlan, "sectionsTokens" | "queryTokens">,
  layout: AssemblyInput["layout"],
): CheckedRecallRequest {
  const { maxItems = Infinity } = layout.sections.find(({ source }) => source === "knowledge") ?? {};
  return {
    ...recall,
    // Twice as many as a layout shows: where one has no room, a smaller one may have.
    limit: named.limit ? recall.limit : Math.max(1, Math.min(firstLimit, 2 * maxItems)),
    fills: !named.limit && 2 * maxItems > firstLimit,
    procedureLimit: named.procedureLimit ? recall.procedureLimit : firstProcedureLimit,
    maxTokens: named.maxTokens ? recall.maxTokens : Math.max(1, sectionsTokens + queryTokens),
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

/**
 * Assembles, and recalls as many as the rest of the window asks for, as long as some were left out for their number. What stands in
 * the context anyway takes no place of a number that the caller has named.
 */
export async function fillWindow({ input, first, named, timings, search, turn }: WindowFilling): Promise<FilledWindow> {
  for (let request = first; ;) {
    const wanted = request;
    const found = await timings.measure("recall", () => search(wanted));
    const isNamed = named.limit || named.procedureLimit || named.maxTokens;
    const { overLimit, overTokens, limit, ...memories } = found;
    // What the window itself leaves out stands in its receipt.
    const recall = { ...input.recall, ...memories, overLimit: isNamed ? overLimit + overTokens : 0 };
    const filled = { ...input, recall };
    await takeTurns(writeMemoriesSteps(filled), turn);
    await turn();
    const assembly = timings.measureNow("assemble", () => assembleContext(filled));
    // More places bring nothing where it was tokens that were wanting.
    const growth = overLimit === 0 ? 1 : growthToFill(assembly);
    const grown = (places: number): number => Math.max(places, Math.min(mostHits, Math.ceil(growth * places)));
    const standing = overLimit === 0 ? 0 : foundAndStanding(found, assembly);
    const next: CheckedRecallRequest = {
      ...request,
      limit: named.limit ? Math.max(limit, Math.min(mostHits, first.limit + standing)) : grown(limit),
      procedureLimit: named.procedureLimit ? request.procedureLimit : grown(request.procedureLimit),
    };
    if (next.limit === limit && next.procedureLimit === request.procedureLimit)
      return { input: filled, assembly, found };
    request = next;
  }
}

/** How many of what was found stand in the context whatever the query says. Procedures have places of their own. */
function foundAndStanding({ hits }: Pick<LayoutRecall, "hits">, { receipt }: Assembly): number {
  const kept = receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome !== "dropped");
  const standing = new Set(kept.filter(({ score }) => score === undefined).map(({ id }) => id));
  return hits.filter(({ memory }) => memory.category !== "procedure" && standing.has(memory.id)).length;
}

/** How many times as many memories would fill the window; 1 unless all stand in it and one more of their size would. */
function growthToFill({ receipt: { items, window } }: Assembly): number {
  let tokens = 0;
  let count = 0;
  for (const item of items) {
    if (item.kind !== "memory") continue;
    if (item.outcome === "dropped") return 1;
    tokens += item.tokens;
    count++;
  }
  if (count === 0 || window.unusedTokens < tokens / count) return 1;
  return Math.max(leastGrowth, (spare * (tokens + window.unusedTokens)) / tokens);
}
