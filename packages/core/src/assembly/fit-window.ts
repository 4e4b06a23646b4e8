import { LociError, type WaterfallMode } from "@loci/domain";
import type { SectionLimits } from "../budget/window.ts";
import type { PlacedMemory } from "../knowledge/place-memories.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { ModelProvider } from "../tokens/resolved-model.ts";
import { type ContextSize, dearestForm, measureContext, measureWith } from "./measure.ts";
import { noQuery, type RenderedQuery } from "./rendered-query.ts";
import type { FittedSection, SectionDraft } from "./section-draft.ts";
import { firstRankFirst, lastRankFirst, shareWindow } from "./share-window.ts";
import type { TokenMeter } from "./token-meter.ts";

/** Only a counter that cannot be added up needs rounds; each takes at least twice as much away as the one before. */
const maxShrinkRounds = 40;
const maxGrowthRounds = 3;

export interface FitRequest {
  readonly drafts: readonly SectionDraft[];
  /** What each section starts from, in the order of the drafts. */
  readonly bases: readonly number[];
  readonly mode: WaterfallMode;
  readonly query: RenderedQuery;
  readonly reservedQueryTokens: number;
  /** Sections and query together, in either form. */
  readonly budgetTokens: number;
  /** What frames the chat form, where a window has grown by it: no section may have it. Default 0: that is not kept free. */
  readonly framingTokens?: number | undefined;
  /** The text of all sections, where a layout has a total of its own for it: what the query leaves is not added to that. */
  readonly mostSectionsTokens?: number | undefined;
  /** Maximum and floor by section name, for `sequential`. */
  readonly limits: Readonly<Record<string, SectionLimits>>;
  /** By this counter, too, the result is within the budget. */
  readonly checkCounter?: TokenCounter | undefined;
  /** Whose rule images are counted by. Default `openai`. */
  readonly provider?: ModelProvider | undefined;
  readonly meter: TokenMeter;
}

/** A window with everything in its place. */
export interface FittedWindow {
  /** In the order of the drafts. */
  readonly fitted: readonly FittedSection[];
  /** What each section may take. Together never more than the window has for them. */
  readonly granted: readonly number[];
  readonly size: ContextSize;
  /** By the counter it was checked with. */
  readonly checkedSize?: ContextSize | undefined;
}

/**
 * Gives every section its share and fills it.
 *
 * What is left because nothing whole fits any more is offered, in `fill`, to the other sections in rank order, and in
 * every mode to memories that can stand in a second section. Neither form of the result is over budget.
 *
 * @throws LociError as {@link shareWindow}
 */
export function fitWindow(request: FitRequest): FittedWindow {
  const { drafts, bases, mode, query, budgetTokens, framingTokens = 0, mostSectionsTokens = Infinity } = request;
  const queryTokens = Math.max(query.textTokens, query.chatTokens);
  const totalTokens = Math.min(budgetTokens - queryTokens - framingTokens, mostSectionsTokens);
  const limits = shareWindow({
    drafts,
    bases,
    mode,
    totalTokens,
    limits: request.limits,
    query: { tokens: queryTokens, reservedTokens: request.reservedQueryTokens },
  });
  let fitted = drafts.map((draft, index) => draft.fit(limits[index] as number, draft.memories));
  fitted = shrinkToBudget(request, fitted, ({ memories }) => memories);
  if (mode === "fill") fitted = growToBudget(request, fitted);
  // Now a section may hold memories of another, which could be anywhere if it chose anew.
  fitted = shrinkToBudget(request, placeVisitors(request, limits, fitted), (_, { kept }) => kept);
  const size = measureContext(fitted, query, request.meter);
  const checkedSize =
    request.checkCounter === undefined ? undefined : measureWith(request.checkCounter, fitted, query, request.provider);
  return { fitted, granted: grantedTokens(drafts, limits, fitted, totalTokens), size, checkedSize };
}

/** Offers spare tokens to what is not whole, in rank order. More room never makes a section smaller. */
function useSpare(
  drafts: readonly SectionDraft[],
  fitted: readonly FittedSection[],
  spareTokens: number,
): FittedSection[] {
  const result = [...fitted];
  let spare = spareTokens;
  for (const index of firstRankFirst(drafts)) {
    if (spare <= 0) break;
    const now = result[index] as FittedSection;
    if (now.isWhole) continue;
    const draft = drafts[index] as SectionDraft;
    const larger = draft.fit(now.tokens + spare, draft.memories);
    if (larger.tokens <= now.tokens) continue;
    spare -= larger.tokens - now.tokens;
    result[index] = larger;
  }
  return result;
}

/**
 * Puts memories that found no room where they belong into their second section, as far as tokens are unused. From then on
 * a section may only keep what it has: taken back, a memory would stand in the context twice.
 */
function placeVisitors(
  request: FitRequest,
  limits: readonly number[],
  fitted: readonly FittedSection[],
): FittedSection[] {
  const { drafts, bases, mode } = request;
  const result = [...fitted];
  const kept = new Set(fitted.flatMap((section) => section.kept));
  const left = drafts.flatMap(({ memories }) => memories.filter((memory) => !kept.has(memory)));
  let spare = Math.max(0, freeTokens(request, fitted));
  for (const [index, draft] of drafts.entries()) {
    const visitors = left.filter(({ fallback }) => fallback === draft.section.source);
    if (visitors.length === 0 || standsBeforeStableText(fitted, index)) continue;
    const now = result[index] as FittedSection;
    // Only in `fill` may a section take what another's budget has left.
    const entitled = Math.max(bases[index] as number, limits[index] as number) - now.tokens;
    const room = Math.max(0, mode === "fill" ? spare : Math.min(spare, entitled));
    const larger = draft.fit(now.tokens + room, [...now.kept, ...visitors]);
    spare -= larger.tokens - now.tokens;
    result[index] = larger;
  }
  return result;
}

/** True for a section behind which text stands that stays the same from call to call: a prompt cache holds it. */
function standsBeforeStableText(fitted: readonly FittedSection[], index: number): boolean {
  return fitted.some(({ blocks }, other) => other > index && blocks.some(({ hasStableText }) => hasStableText));
}

/**
 * Takes from the last in rank what a count of the whole shows to be too much.
 *
 * @param choiceOf the memories a section chooses from again, in less room
 */
function shrinkToBudget(
  request: FitRequest,
  fitted: readonly FittedSection[],
  choiceOf: (draft: SectionDraft, now: FittedSection) => readonly PlacedMemory[],
): FittedSection[] {
  const { drafts } = request;
  const result = [...fitted];
  for (let round = 0; round < maxShrinkRounds; round++) {
    const excess = excessTokens(request, result);
    if (excess <= 0) return result;
    let missing = excess * 2 ** round;
    for (const index of lastRankFirst(drafts)) {
      const draft = drafts[index] as SectionDraft;
      const now = result[index] as FittedSection;
      const limit = Math.max(draft.minimumTokens, now.tokens - missing);
      if (limit >= now.tokens) continue;
      const smaller = draft.fit(limit, choiceOf(draft, now));
      missing -= now.tokens - smaller.tokens;
      result[index] = smaller;
      if (missing <= 0) break;
    }
  }
  throw new LociError("WINDOW_TOO_SMALL", {
    message: `What cannot be cut takes ${excessTokens(request, result)} tokens more than there are, when it is counted together.`,
    advice: "Use a larger window, or shorten the system text, the newest messages or the query.",
  });
}

/** Uses what a count of the whole shows to be free: what nothing whole fitted into, and what counts of parts had too much. */
function growToBudget(request: FitRequest, fitted: FittedSection[]): FittedSection[] {
  let result = fitted;
  for (let round = 0; round < maxGrowthRounds; round++) {
    const free = freeTokens(request, result);
    if (free <= 0 || result.every(({ isWhole }) => isWhole)) break;
    const larger = useSpare(request.drafts, result, free);
    if (sumTokens(larger) === sumTokens(result) || excessTokens(request, larger) > 0) break;
    result = larger;
  }
  return result;
}

/** What no section has, nor leaves free for what comes. */
function freeTokens(request: FitRequest, fitted: readonly FittedSection[]): number {
  let free = -excessTokens(request, fitted);
  for (const { aheadTokens = 0 } of fitted) free -= aheadTokens;
  return free;
}

function excessTokens(request: FitRequest, fitted: readonly FittedSection[]): number {
  const { query, meter, budgetTokens, mostSectionsTokens, checkCounter, provider } = request;
  let excess = dearestForm(measureContext(fitted, query, meter)) - budgetTokens;
  if (mostSectionsTokens !== undefined)
    excess = Math.max(excess, measureContext(fitted, noQuery, meter).textTokens - mostSectionsTokens);
  if (checkCounter === undefined) return excess;
  return Math.max(excess, dearestForm(measureWith(checkCounter, fitted, query, provider)) - budgetTokens);
}

/** The grants as they turned out: a section that took what others left has that much more, and they so much less. */
function grantedTokens(
  drafts: readonly SectionDraft[],
  limits: readonly number[],
  fitted: readonly FittedSection[],
  totalTokens: number,
): readonly number[] {
  const granted = fitted.map(({ textTokens }, index) => Math.max(textTokens, limits[index] as number));
  let excess = granted.reduce((left, right) => left + right, 0) - totalTokens;
  for (const index of lastRankFirst(drafts)) {
    if (excess <= 0) break;
    const returned = Math.min(excess, (granted[index] as number) - (fitted[index] as FittedSection).textTokens);
    granted[index] = (granted[index] as number) - returned;
    excess -= returned;
  }
  return granted;
}

function sumTokens(fitted: readonly FittedSection[]): number {
  let sum = 0;
  for (const { tokens } of fitted) sum += tokens;
  return sum;
}
