import { type RecallCandidate, termCount } from "@loci/core";
import { formatScope, type Ref, type TenantId } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { TextHit } from "@loci/store";
import { cosinesOf, type FoundRow, type SearchQuery } from "./candidate-search.ts";
import type { EngineServices } from "./engine-services.ts";
import { memoryView } from "./memory-view.ts";
import type { Overlay } from "./overlay.ts";

/**
 * Adds to resolved memories what scores are made of: cosines and term frequencies, from the overlay, from the indexes, or
 * from the ledger's text and embedding where an index has another version. So it makes no difference what found them.
 */
export async function completeCandidates(
  services: EngineServices,
  tenant: TenantId,
  resolved: readonly StoredMemory[],
  found: ReadonlyMap<Ref, FoundRow>,
  query: Pick<SearchQuery, "terms" | "vectors">,
  overlay: Overlay,
  signal: AbortSignal,
): Promise<readonly RecallCandidate[]> {
  if (resolved.length === 0) return [];
  const call = { signal };
  const { terms } = query.terms;
  const indexed = resolved.map(({ memory }) => memory.id).filter((ref) => !overlay.refs.has(ref));
  const hashes = [...new Set(resolved.map(({ contentHash }) => contentHash))];
  const [hits, embeddings] = await Promise.all([
    indexed.length === 0 ? [] : services.textIndex.frequencies(tenant, indexed, terms, call),
    services.ledger.embeddings(tenant, services.space, hashes, call),
  ]);
  const hitsByRef = new Map(hits.map((hit) => [hit.ref, hit]));
  const isExact = services.vectorCapabilities.similarity === "exact";
  return resolved.map((stored): RecallCandidate => {
    const { id: ref, version } = stored.memory;
    const vectors: readonly Float32Array[] = embeddings.get(stored.contentHash) ?? [];
    const row = found.get(ref);
    // What an approximate store says of nearness found the candidate; scores must not depend on which store that was.
    const cosines = isExact && row?.version === version ? row.cosines : undefined;
    return {
      memory: memoryView(stored, vectors.length > 0),
      cosines: isComplete(cosines) ? cosines : (cosinesOf(vectors, query.vectors) ?? []),
      vectors,
      ...textOf(services, stored, hitsByRef.get(ref), terms),
    };
  });
}

/** The places just before and after turns of conversations, without those that are there already. */
export function neighbouringPlaces(
  resolved: readonly StoredMemory[],
): readonly { readonly sourceId: string; readonly position: number }[] {
  const turns = resolved.flatMap(({ memory: { scope, provenance } }) => {
    if (provenance?.kind !== "conversation" || provenance.position === undefined) return [];
    // No identifier holds a line break.
    return [{ source: `${formatScope(scope)}\n${provenance.sourceId}`, ...provenance, position: provenance.position }];
  });
  const known = new Set(turns.map(({ source, position }) => `${source}\n${position}`));
  const places = new Map<string, { readonly sourceId: string; readonly position: number }>();
  for (const { source, sourceId, position } of turns)
    for (const place of [position - 1, position + 1])
      if (place >= 0 && !known.has(`${source}\n${place}`))
        places.set(`${sourceId}\n${place}`, { sourceId, position: place });
  return [...places.values()];
}

function isComplete(cosines: FoundRow["cosines"]): cosines is readonly number[] {
  return cosines !== undefined && cosines.every((cosine) => cosine !== undefined);
}

function textOf(
  services: EngineServices,
  { memory, contentHash }: StoredMemory,
  hit: TextHit | undefined,
  terms: readonly string[],
): { readonly frequencies: readonly number[]; readonly length: number } {
  if (hit?.version === memory.version) return { frequencies: hit.frequencies, length: hit.length };
  const ofText = services.analyses.of(contentHash, memory.text);
  return { frequencies: terms.map((term) => ofText.get(term) ?? 0), length: termCount(ofText) };
}
