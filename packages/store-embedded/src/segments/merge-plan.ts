/** What a segment weighs when it is decided which ones are merged. */
export interface WeighedSegment {
  readonly segment: { readonly liveRows: number; readonly rows: number };
}

/**
 * The newest segments that together outweigh the one before them: so sizes at least double from one to the next older,
 * there are few, and every row is written again only about log2(rows / head) times. Without such, one that is mostly dead.
 *
 * @param stored the oldest first
 * @returns neighbours, in their order; none when nothing is to be done
 */
export function mergeableRun<Stored extends WeighedSegment>(stored: readonly Stored[]): readonly Stored[] {
  let weight = 0;
  let first = stored.length;
  for (let index = stored.length - 1; index >= 0; index--) {
    const { liveRows } = (stored[index] as Stored).segment;
    if (index < stored.length - 1 && liveRows <= 2 * weight) first = index;
    weight += liveRows;
  }
  const run = stored.slice(first);
  if (run.length > 0) return run;
  return stored.filter(({ segment }) => segment.liveRows < segment.rows / 2).slice(0, 1);
}
