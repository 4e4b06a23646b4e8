import type { Facets } from "./facets.ts";
import type { KnownMemory, ReadMemory } from "./read-memory.ts";

/**
 * The memories that a statement is most about; more than one only where they are equally near. Of each it counts how near the vectors
 * are, and what both speak of: a topic the more, the fewer memories speak of it (their inverse document frequency), as a share of what
 * each of the two is about. Among a few memories nearly any word in common tells which one is meant; among hundreds some share a word with
 * any statement by chance, and then it is one of these that the statement is not most about.
 */
export function mostAbout(
  said: Facets,
  memories: readonly ReadMemory[],
  cosineTo: (memory: KnownMemory) => number,
): ReadonlySet<ReadMemory> {
  const weightOf = weightsAmong(memories);
  const ofStatement = sumOf(said.topics, weightOf);
  const nearest = new Set<ReadMemory>();
  let most = Number.NEGATIVE_INFINITY;
  for (const known of memories) {
    const { topics } = known.facets;
    let shared = 0;
    for (const topic of said.topics) if (topics.has(topic) || known.slotTopics.has(topic)) shared += weightOf(topic);
    const likeness = shared === 0 ? 0 : shared / Math.sqrt(ofStatement * Math.max(shared, sumOf(topics, weightOf)));
    const nearness = cosineTo(known.memory) + likeness;
    if (nearness < most) continue;
    if (nearness > most) nearest.clear();
    most = nearness;
    nearest.add(known);
  }
  return nearest;
}

/** How much a topic tells among memories, by how many of them speak of it. */
function weightsAmong(memories: readonly ReadMemory[]): (topic: string) => number {
  const counts = new Map<string, number>();
  for (const { facets } of memories) for (const topic of facets.topics) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  return (topic) => Math.log((memories.length + 1) / ((counts.get(topic) ?? 0) + 0.5));
}

function sumOf(topics: ReadonlySet<string>, weightOf: (topic: string) => number): number {
  let sum = 0;
  for (const topic of topics) sum += weightOf(topic);
  return sum;
}
