import type { CallOptions } from "./call-options.ts";
import type { MemoryId } from "./identifiers.ts";
import type { MemoriesApi } from "./loci.ts";
import type { Memory } from "./memory.ts";
import type { RecallHit } from "./recall.ts";

/** As many as one call reads. */
const mostRead = 500;

/**
 * What holds in the place of hits and is none of the hits itself, by its id: the first 500. Whoever shows hits and not contexts shows by
 * it what is so now. Nothing is asked for where there is none.
 *
 * @param textBytes most bytes of each text in UTF-8, 1 to 65,536
 * @throws LociError as `memories.getMany`
 */
export async function heldInstead(
  memories: Pick<MemoriesApi, "getMany">,
  hits: readonly Pick<RecallHit, "memory" | "outdated">[],
  textBytes: number,
  options?: CallOptions,
): Promise<ReadonlyMap<MemoryId, Memory>> {
  const found = new Set(hits.map(({ memory }) => memory.id));
  const named = hits.flatMap(({ outdated }) => outdated?.replacedBy ?? []).filter((id) => !found.has(id));
  const ids = [...new Set(named)].slice(0, mostRead);
  if (ids.length === 0) return new Map();
  const read = await memories.getMany({ ids, textBytes }, options);
  return new Map(read.memories.map((memory) => [memory.id, memory]));
}
