import type { AssemblyInput, Assembly } from "@loci/core";
import { formatScope, type Memory, type Principal, type Scope } from "@loci/domain";
import type { AssemblyServices } from "./assembly-services.ts";
import type { KeptContent } from "./read-kept.ts";
import type { CheckedAssembleRequest } from "./validate-assemble-request.ts";

/** What a context was assembled from. */
export interface AssembledFrom {
  readonly input: AssemblyInput;
  readonly kept: KeptContent | undefined;
  readonly checked: CheckedAssembleRequest;
}

/**
 * Has what a context was made of kept, in the background, so that it can be looked up later. Not of a context whose use is not recorded:
 * looking leaves nothing behind.
 *
 * @returns what it can be looked up under, if it is kept
 */
export function keepReceipt(
  { receipts }: AssemblyServices,
  principal: Principal,
  assembly: Assembly,
  { input, kept, checked }: AssembledFrom,
): string | undefined {
  if (checked.recordUsage !== "kept" || receipts.keepMilliseconds === 0) return undefined;
  const session = kept?.session?.turnsOf.session.header;
  const scopes = new Map<string, Scope>();
  for (const scope of [
    ...(checked.recall?.scopes ?? []),
    ...(session === undefined ? [] : [session.scope]),
    ...(kept?.owners ?? []),
  ])
    scopes.set(formatScope(scope), scope);
  return receipts.keep(assembly, {
    principal,
    scopes: [...scopes.values()],
    session: session && { scope: session.scope, id: session.id },
    considered: consideredMemories(input),
  });
}

function* consideredMemories({ recall }: AssemblyInput): Generator<Memory> {
  for (const { memory } of recall?.hits ?? []) yield memory;
  for (const { memory } of recall?.standing ?? []) yield memory;
}
