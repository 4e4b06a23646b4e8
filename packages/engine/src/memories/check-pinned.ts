import { formatScope, LociError, maxPinnedPerScope, type MemoryRecord, type TenantId } from "@loci/domain";
import type { MemoryServices } from "./memory-services.ts";

/**
 * Refuses more pinned memories than a scope may have. Two writers at once may both find room for the last one.
 *
 * @throws LociError `TOO_MANY_PINNED`
 */
export async function checkPinned(
  { ledger }: Pick<MemoryServices, "ledger">,
  tenant: TenantId,
  memories: readonly MemoryRecord[],
  signal: AbortSignal,
): Promise<void> {
  const pinned = memories.filter(({ isPinned }) => isPinned === true);
  for (const text of new Set(pinned.map(({ scope }) => formatScope(scope)))) {
    const added = pinned.filter(({ scope }) => formatScope(scope) === text);
    const [first] = added;
    if (first === undefined) continue;
    // Pinned ones come first, and those that have expired take no place.
    const query = { scopes: [first.scope] as const, evaluationTime: first.updatedAt, limit: maxPinnedPerScope };
    const standing = await ledger.standing(tenant, query, { signal });
    const ids = new Set(added.map(({ id }) => id));
    const others = standing.filter(({ memory }) => memory.isPinned === true && !ids.has(memory.id)).length;
    if (others + added.length <= maxPinnedPerScope) continue;
    throw new LociError("TOO_MANY_PINNED", {
      message: `${text} would have ${others + added.length} pinned memories, but at most ${maxPinnedPerScope} may stand in every context of a scope.`,
      field: "isPinned",
      resource: text,
      advice: "Unpin others first, or leave it to recall to find this one.",
    });
  }
}
