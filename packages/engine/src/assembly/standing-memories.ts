import { type ShownMemory, standingMemories, type TokenCounter } from "@loci/core";
import { type Memory, memoryView } from "@loci/domain";
import { standingWeight, type StoredMemory } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import type { AssemblyServices } from "./assembly-services.ts";
import { readKnownMemories } from "../recall/known-memories.ts";
import { isAboutThePast } from "../recall/open-candidates.ts";
import { dropReasonOf, recallConditions } from "../recall/resolve-candidates.ts";
import type { CheckedRecallRequest } from "../recall/validate-recall-request.ts";

/**
 * The memories that stand in every context of the request's scopes, whatever its query says: as far as its other conditions
 * let them, in their order.
 */
export async function readStanding(
  services: AssemblyServices,
  { principal: { tenant }, signal }: Call,
  request: CheckedRecallRequest,
  { maxTokens, counter }: { readonly maxTokens: number; readonly counter: TokenCounter },
): Promise<readonly ShownMemory[]> {
  const { where, categories, maxTokensPerMemory } = request;
  const conditions = recallConditions(request, services.metadata);
  const stored = isAboutThePast(request)
    ? (await readKnownMemories(services.ledger, tenant, request, signal)).filter(stands)
    : await services.standing.read(tenant, request, signal);
  const suitable = stored.filter(
    (one) =>
      dropReasonOf(one, conditions) === undefined &&
      (categories === undefined || categories.includes(one.memory.category)) &&
      (where === undefined || services.metadata.matches(where, one.memory)),
  );
  // Whether it has a vector is nowhere shown.
  const memories = suitable.map((one): Memory => memoryView(one, true));
  return standingMemories(memories, { maxTokens, maxTokensPerMemory }, { counter, counted: services.tokens.counted });
}

function stands({ memory }: StoredMemory): boolean {
  return standingWeight(memory) !== undefined;
}
