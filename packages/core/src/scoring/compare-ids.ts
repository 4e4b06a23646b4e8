/** Orders ids by their UTF-16 units: the same everywhere, whatever the locale. */
export function compareIds(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
