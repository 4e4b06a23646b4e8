import type { AssemblyInput, AssemblyMemories } from "@loci/core";
import { isNonEmpty, type Scope } from "@loci/domain";
import type { Call } from "../calls/call.ts";
import type { AssemblyServices } from "./assembly-services.ts";
import { type LimitedRecall, recallChecked } from "../recall/recall.ts";
import { recallRecent } from "../recall/recall-recent.ts";
import type { CheckedRecallRequest } from "../recall/validate-recall-request.ts";

export interface LayoutRecall
  extends
    Omit<AssemblyMemories, "overLimit">,
    Pick<LimitedRecall, "limit" | "overLimit" | "overTokens" | "timings" | "besideFound"> {}

/**
 * The memories a layout has sections for. Sections of a team's and of personal memories are each filled by a recall of
 * their own, so that neither pushes the other out: what the topic finds, else the newest.
 */
export async function recallForLayout(
  services: AssemblyServices,
  call: Call,
  { layout, counter }: Pick<AssemblyInput, "layout" | "counter">,
  { request, hasTopic }: { readonly request: CheckedRecallRequest; readonly hasTopic: boolean },
): Promise<LayoutRecall> {
  const owned = layout.sections.filter(({ source }) => source === "teamMemories" || source === "personalMemories");
  if (owned.length === 0) return recallChecked(services, call, request, counter);
  const results = await Promise.all(
    owned.map(async ({ source, maxItems = request.limit }) => {
      const scopes = request.scopes.filter((scope) => isShared(scope) === (source === "teamMemories"));
      if (!isNonEmpty(scopes) || maxItems === 0) return undefined;
      const own: CheckedRecallRequest = { ...request, scopes, limit: maxItems, fills: false, fallback: "recent" };
      return hasTopic
        ? recallChecked(services, call, own, counter)
        : { ...(await recallRecent(services, call, own, counter)), overLimit: 0, overTokens: 0 };
    }),
  );
  const found = results.filter((result) => result !== undefined);
  return {
    hits: found.flatMap(({ hits }) => hits),
    dropped: found.flatMap(({ dropped }) => dropped),
    degraded: [...new Set(found.flatMap(({ degraded }) => degraded))],
    hasQuery: hasTopic,
    limit: request.limit,
    overLimit: found.reduce((sum, { overLimit }) => sum + overLimit, 0),
    overTokens: found.reduce((sum, { overTokens }) => sum + overTokens, 0),
    timings: Object.assign({}, ...found.map(({ timings }) => timings)) as LimitedRecall["timings"],
  };
}

function isShared({ kind }: Scope): boolean {
  return kind === "team" || kind === "project" || kind === "global";
}
