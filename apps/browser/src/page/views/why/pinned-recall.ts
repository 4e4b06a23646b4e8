import { signal } from "@preact/signals";

/** A recall that later ones are compared with. */
export interface PinnedRecall {
  readonly question: string;
  /** Ids, best first. */
  readonly ids: readonly string[];
}

export const pinned = signal<PinnedRecall | undefined>(undefined);

/** Where a memory stands against the recall that is pinned. Undefined: it was not there. @param rank from 0 */
export function moveOf({ ids }: PinnedRecall, id: string, rank: number): number | undefined {
  const before = ids.indexOf(id);
  return before < 0 ? undefined : before - rank;
}
