/**
 * Chooses items for a room, best first: one that does not fit is passed over, a smaller one after it may still enter.
 *
 * @param costOf what an item would add to those chosen so far
 */
export function chooseItems<Item>(
  items: readonly Item[],
  room: number,
  costOf: (item: Item, chosen: readonly Item[]) => number,
): { readonly chosen: readonly Item[]; readonly left: readonly Item[]; readonly tokens: number } {
  const chosen: Item[] = [];
  const left: Item[] = [];
  let tokens = 0;
  for (const item of items) {
    const cost = costOf(item, chosen);
    if (tokens + cost > room) left.push(item);
    else {
      chosen.push(item);
      tokens += cost;
    }
  }
  return { chosen, left, tokens };
}
