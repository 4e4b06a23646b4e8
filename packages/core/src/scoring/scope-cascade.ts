import { compareIds } from "./compare-ids.ts";

interface Ranked {
  readonly id: string;
  readonly score: number;
}

/** The items of all levels in the order a cascade takes them: level by level, an id that came before left out. */
export function cascadeOrder<Item extends { readonly id: string }>(levels: readonly (readonly Item[])[]): Item[] {
  const byId = new Map<string, Item>();
  for (const level of levels) for (const item of level) if (!byId.has(item.id)) byId.set(item.id, item);
  return [...byId.values()];
}

/**
 * Fills up from the nearest scope on: items one by one in the order of the levels and each level's own order, an id
 * already taken left out, stopping at the `limit`-th, even in the middle of a level. What was taken is then sorted by
 * score, ties by id.
 *
 * @param levels nearest scope first
 */
export function scopeCascade<Item extends Ranked>(levels: readonly (readonly Item[])[], limit: number): Item[] {
  return cascadeOrder(levels)
    .slice(0, limit)
    .toSorted((left, right) => right.score - left.score || compareIds(left.id, right.id));
}
