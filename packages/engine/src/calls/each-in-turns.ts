/**
 * Makes something of each item, in order, and lets others have the thread between two of them.
 *
 * @param turn resolves when the thread may be used for some milliseconds; `undefined` when it may at once
 */
export async function eachInTurns<Item, Result>(
  items: readonly Item[],
  make: (item: Item, index: number) => Result,
  turn: () => Promise<void> | undefined,
): Promise<readonly Result[]> {
  const made: Result[] = [];
  for (const [index, item] of items.entries()) {
    const waiting = index === 0 ? undefined : turn();
    if (waiting !== undefined) await waiting;
    made.push(make(item, index));
  }
  return made;
}
