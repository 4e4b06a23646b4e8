/** The last entries of a list, at most so many; with 0 none. */
export function lastOf<Entry>(entries: readonly Entry[], count: number): readonly Entry[] {
  return count < entries.length ? entries.slice(entries.length - count) : entries;
}
