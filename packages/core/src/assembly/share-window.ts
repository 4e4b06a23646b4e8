import { LociError, type WaterfallMode } from "@loci/domain";
import { distribute } from "../budget/waterfall.ts";
import type { SectionLimits } from "../budget/window.ts";
import type { SectionDraft } from "./section-draft.ts";

export interface ShareRequest {
  readonly drafts: readonly SectionDraft[];
  /** What each section starts from, in the order of the drafts. */
  readonly bases: readonly number[];
  readonly mode: WaterfallMode;
  /** What all sections may take together; below 0 when the query alone is larger than the window. */
  readonly totalTokens: number;
  /** Maximum and floor by section name, for `sequential`. */
  readonly limits: Readonly<Record<string, SectionLimits>>;
  readonly query: { readonly tokens: number; readonly reservedTokens: number };
}

/**
 * What each section may take, in the order of the drafts: the waterfall's grants, of which the last in rank give what
 * another section cannot do without.
 *
 * @throws LociError `SECTION_OVER_BUDGET` or `WINDOW_TOO_SMALL`, see {@link distribute}
 * @throws LociError `QUERY_TOO_LARGE` when the query took what is missing
 * @throws LociError `KEPT_MESSAGES_TOO_LARGE` when the newest messages do not fit even with nothing else that can be cut
 */
export function shareWindow(request: ShareRequest): number[] {
  const { drafts, totalTokens } = request;
  const result = distributeAround(request);
  const limits = drafts.map(({ section }) => result.grants.get(section.name) ?? 0);
  let { unused } = result;
  for (const [index, draft] of drafts.entries()) {
    let missing = draft.minimumTokens - (limits[index] as number);
    if (missing <= 0) continue;
    const given = Math.min(unused, missing);
    unused -= given;
    missing -= given;
    for (const donor of lastRankFirst(drafts)) {
      if (donor === index) continue;
      const spare = (limits[donor] as number) - (drafts[donor] as SectionDraft).minimumTokens;
      const taken = Math.max(0, Math.min(spare, missing));
      limits[donor] = (limits[donor] as number) - taken;
      missing -= taken;
    }
    if (missing > 0) throw tooLarge(request, draft, missing, totalTokens);
    limits[index] = draft.minimumTokens;
  }
  return limits;
}

/** Positions of the drafts in the order they are cut: the highest rank first, among equals the later. */
export function lastRankFirst(drafts: readonly SectionDraft[]): readonly number[] {
  return firstRankFirst(drafts).toReversed();
}

/** Positions of the drafts, rank 1 first. */
export function firstRankFirst(drafts: readonly SectionDraft[]): readonly number[] {
  return drafts
    .map((_, index) => index)
    .toSorted((left, right) => (drafts[left] as SectionDraft).rank - (drafts[right] as SectionDraft).rank);
}

function distributeAround(request: ShareRequest): ReturnType<typeof distribute> {
  const { drafts, bases, mode, totalTokens, query, limits } = request;
  try {
    return distribute({
      total: Math.max(0, totalTokens),
      mode,
      sections: drafts.map(({ section, rank, neededTokens }, index) => ({
        name: section.name,
        rank,
        base: bases[index],
        need: neededTokens,
        never: section.shortening === "never",
        ...limits[section.name],
      })),
    });
  } catch (error) {
    const isQuerysFault =
      LociError.is(error) && error.reason === "WINDOW_TOO_SMALL" && query.tokens > query.reservedTokens;
    throw isQuerysFault ? queryTooLarge(request) : error;
  }
}

function tooLarge(request: ShareRequest, draft: SectionDraft, missing: number, totalTokens: number): LociError {
  const { tokens, reservedTokens } = request.query;
  if (tokens - reservedTokens >= missing) return queryTooLarge(request);
  const available = Math.max(0, draft.minimumTokens - missing);
  const { sentence, shorten, details } = draft.largestKept ?? {};
  return new LociError("KEPT_MESSAGES_TOO_LARGE", {
    message: `What always stays of the conversation, the newest message (a tool's result with its call) and the latest of the user, takes ${draft.minimumTokens} tokens, but of the ${totalTokens} for all sections only ${available} are left for it.${sentence === undefined ? "" : ` ${sentence}`}`,
    resource: draft.section.name,
    advice: `${shorten ?? "Shorten these messages"}, or use a larger window: window.preset, or a model that takes more.`,
    details: { neededTokens: String(draft.minimumTokens), budgetTokens: String(available), ...details },
  });
}

function queryTooLarge({ query, totalTokens }: ShareRequest): LociError {
  return new LociError("QUERY_TOO_LARGE", {
    message: `The query takes ${query.tokens} tokens, ${query.tokens - query.reservedTokens} more than the ${query.reservedTokens} reserved for it; the ${Math.max(0, totalTokens)} then left do not hold the sections that cannot be cut.`,
    field: "query",
    advice: "Shorten the query, raise window.query, or use a larger window.",
    details: { neededTokens: String(query.tokens), budgetTokens: String(query.reservedTokens) },
  });
}
