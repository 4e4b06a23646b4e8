import { queryTags } from "@loci/core";
import type { CallOptions, Instant, NonEmpty, Ref, Scope, TenantId } from "@loci/domain";
import { isNonEmpty } from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";

/** The tags of so many procedures, the newest, are compared with the question; older ones are found by equal tags. */
const maxListed = 500;

/**
 * Procedures with a tag that the question names, whatever their text says: "publish the article" finds what is tagged
 * `article-publication`.
 */
export async function proceduresByTag(
  ledger: Ledger,
  tenant: TenantId,
  scopes: NonEmpty<Scope>,
  prompt: string,
  evaluationTime: Instant,
  call: CallOptions,
): Promise<ReadonlyMap<Ref, StoredMemory>> {
  const query = { scopes, categories: ["procedure"], evaluationTime, limit: maxListed };
  const newest = await ledger.list(tenant, query, call);
  const named = queryTags({ prompt }, tagsOf(newest));
  const tags = [...named];
  if (!isNonEmpty(tags)) return new Map();
  const found =
    newest.length < maxListed
      ? newest.filter(({ memory }) => memory.tags.some((tag) => named.has(tag.toLowerCase())))
      : await ledger.byTags(tenant, { ...query, tags }, call);
  return new Map(found.map((stored) => [stored.memory.id, stored]));
}

/** The distinct tags of memories, as written. */
export function tagsOf(memories: readonly Pick<StoredMemory, "memory">[]): ReadonlySet<string> {
  return new Set(memories.flatMap(({ memory }) => memory.tags));
}
