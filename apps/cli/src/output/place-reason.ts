import type { Memory, RecallHit } from "@loci/loci";

type PlacedHit = Pick<RecallHit, "memory" | "score" | "outdated">;

/**
 * Why a hit stands higher than its score: of facts that may not both hold the newer one comes first, and what holds in the place of
 * something that a turn says before the turn. `undefined` for one that stands where its score puts it, or lower, as what moved up says
 * why.
 *
 * @param place its position among the hits, from 0
 */
export function placeReason(hits: readonly PlacedHit[], place: number): string | undefined {
  const hit = hits[place];
  if (hit === undefined) return undefined;
  const placeByScore = hits.filter(({ score }, other) => score > hit.score || (score === hit.score && other < place));
  if (placeByScore.length <= place) return undefined;
  const turn = hits.findIndex(
    ({ outdated }, other) => other > place && outdated?.replacedBy.includes(hit.memory.id) === true,
  );
  if (turn >= 0) return `above higher scores: it holds instead of ${turn + 1}.`;
  const older = hits
    .map((other, index) => ({ ...other, index }))
    .filter(({ index, score, memory }) => index > place && score > hit.score && since(memory) < since(hit.memory));
  const { slot } = hit.memory;
  const replaced =
    older.find(({ memory }) => slot !== undefined && memory.slot === slot) ??
    older.find(({ index }) => index === place + 1);
  return replaced === undefined
    ? "above higher scores: it is newer than a fact that it may have replaced"
    : `above higher scores: it is newer than ${replaced.index + 1}., which it may have replaced`;
}

/** Since when a memory holds, or else when it was said. */
function since({ validFrom, createdAt }: Memory): number {
  return validFrom ?? createdAt;
}
