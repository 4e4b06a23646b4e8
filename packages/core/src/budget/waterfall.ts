import { LociError, type WaterfallMode } from "@loci/domain";
import { checkTokenAmount } from "./token-amount.ts";

/** What a section asks of the window. All amounts in tokens. */
export interface WaterfallSection {
  /** Unique in the layout. */
  readonly name: string;
  /** 1 is cut last. Among equal ranks the later in the layout is cut first. Not used in `sequential`. */
  readonly rank: number;
  /** Base budget. Default 0. Not used in `sequential`. */
  readonly base?: number | undefined;
  /** What it would take whole. */
  readonly need: number;
  /** True when it must never be shortened. */
  readonly never: boolean;
  /** The most it may get; default no limit. Only in `sequential`. */
  readonly max?: number | undefined;
  /** What earlier sections must leave for it, as far as it needs that much. Default 0. Only in `sequential`. */
  readonly floor?: number | undefined;
}

export interface WaterfallRequest {
  /** What all sections together may take. */
  readonly total: number;
  readonly mode: WaterfallMode;
  /** In layout order. */
  readonly sections: readonly WaterfallSection[];
}

export interface WaterfallResult {
  /** Tokens by section name, in layout order. Never more than the section needs. */
  readonly grants: ReadonlyMap<string, number>;
  /** total − Σ grants. */
  readonly unused: number;
}

/**
 * Shares a number of tokens among the sections of a window.
 *
 * In every mode but `sequential` a section starts from its base. When the bases are more than the total, the deficit is
 * taken from them, last rank first, never from a never-cut section. Then:
 * - `fill`: in rank order a section may take its base and what those before it left (at first total − Σ bases); what is
 *   left at the end goes to unmet needs, in rank order again, so that nothing is cut while tokens are unused.
 * - `cascade`: the same without that second pass.
 * - `last`: a section gets at most its base; the last in rank may take everything that is left.
 *
 * `sequential` knows no bases: never-cut sections take their need, the others follow in layout order, each leaving
 * min(floor, need) for every one after it.
 *
 * @throws LociError `SECTION_OVER_BUDGET` when a never-cut section needs more than its base, even if tokens are unused
 * @throws LociError `WINDOW_TOO_SMALL` when the never-cut sections alone are more than the total
 * @throws LociError `INVALID_BUDGET` for a negative, fractional or missing number, or a name given twice
 */
export function distribute(request: WaterfallRequest): WaterfallResult {
  checkRequest(request);
  const { total, mode, sections } = request;
  const granted = mode === "sequential" ? distributeInOrder(total, sections) : distributeByRank(total, mode, sections);
  const grants = new Map<string, number>();
  let unused = total;
  for (const [index, section] of sections.entries()) {
    const grant = granted[index] as number;
    grants.set(section.name, grant);
    unused -= grant;
  }
  return { grants, unused };
}

function distributeByRank(
  total: number,
  mode: Exclude<WaterfallMode, "sequential">,
  sections: readonly WaterfallSection[],
): readonly number[] {
  const rankAt = (index: number): number => (sections[index] as WaterfallSection).rank;
  const needAt = (index: number): number => (sections[index] as WaterfallSection).need;
  // Sorting is stable, so equal ranks stay in layout order.
  const order = sections.map((_, index) => index).toSorted((left, right) => rankAt(left) - rankAt(right));
  for (const index of order) checkNeverCut(sections[index] as WaterfallSection);

  const bases = basesWithin(total, sections, order);
  const grants = sections.map(() => 0);
  const lastInRank = order.at(-1);
  let carry = total - sum(bases);
  for (const index of order) {
    const takesCarry = mode !== "last" || index === lastInRank;
    const base = bases[index] as number;
    const grant = Math.min(needAt(index), takesCarry ? base + carry : base);
    grants[index] = grant;
    carry += base - grant;
  }
  if (mode !== "fill") return grants;
  for (const index of order) {
    const grant = grants[index] as number;
    const extra = Math.min(needAt(index) - grant, carry);
    grants[index] = grant + extra;
    carry -= extra;
  }
  return grants;
}

/** The bases, lowered to the total if they are more: last rank first, never those of never-cut sections. */
function basesWithin(
  total: number,
  sections: readonly WaterfallSection[],
  order: readonly number[],
): readonly number[] {
  const bases = sections.map((section) => section.base ?? 0);
  let deficit = sum(bases) - total;
  if (deficit <= 0) return bases;
  for (const index of order.toReversed()) {
    if (sections[index]?.never === true) continue;
    const base = bases[index] as number;
    const taken = Math.min(base, deficit);
    bases[index] = base - taken;
    deficit -= taken;
  }
  if (deficit > 0) throw windowTooSmall(sum(bases), total);
  return bases;
}

function distributeInOrder(total: number, sections: readonly WaterfallSection[]): readonly number[] {
  let neverCut = 0;
  let floors = 0;
  for (const section of sections) {
    if (section.never) neverCut += section.need;
    else floors += floorOf(section);
  }
  if (neverCut > total) throw windowTooSmall(neverCut, total);
  let remaining = total - neverCut;
  return sections.map((section) => {
    if (section.never) return section.need;
    floors -= floorOf(section);
    const grant = Math.max(0, Math.min(section.need, section.max ?? Infinity, remaining - floors));
    remaining -= grant;
    return grant;
  });
}

function floorOf(section: WaterfallSection): number {
  return Math.min(section.floor ?? 0, section.need);
}

function checkNeverCut(section: WaterfallSection): void {
  const base = section.base ?? 0;
  if (!section.never || section.need <= base) return;
  throw new LociError("SECTION_OVER_BUDGET", {
    message: `The section "${section.name}" is never cut and needs ${section.need} tokens, ${section.need - base} more than its budget of ${base}.`,
    resource: section.name,
    advice: `Shorten its text, raise window.maxTokens or window.sections.${section.name}, or name a known model and no sizes.`,
    details: { neededTokens: String(section.need), budgetTokens: String(base) },
  });
}

function windowTooSmall(needed: number, total: number): LociError {
  return new LociError("WINDOW_TOO_SMALL", {
    message: `The sections that are never cut take ${needed} tokens, but the window has ${total} for all sections.`,
    advice: "Use a larger window, or lower the budgets of the sections that are never cut.",
    details: { neededTokens: String(needed), budgetTokens: String(total) },
  });
}

function checkRequest({ total, sections }: WaterfallRequest): void {
  checkTokenAmount(total, "total");
  const names = new Set<string>();
  for (const { name, rank, base, need, max, floor } of sections) {
    if (names.has(name)) throw invalidSection(name, "is there twice", name);
    names.add(name);
    if (!Number.isFinite(rank)) throw invalidSection(name, `has the rank ${rank}`, `${name}.rank`);
    checkTokenAmount(need, `sections.${name}.need`);
    checkTokenAmount(base ?? 0, `sections.${name}.base`);
    checkTokenAmount(max ?? 0, `sections.${name}.max`);
    checkTokenAmount(floor ?? 0, `sections.${name}.floor`);
  }
}

function invalidSection(name: string, fault: string, path: string): LociError {
  return new LociError("INVALID_BUDGET", {
    message: `The section "${name}" ${fault}.`,
    field: `sections.${path}`,
    advice: "Give every section a name of its own and a number as its rank.",
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0);
}
