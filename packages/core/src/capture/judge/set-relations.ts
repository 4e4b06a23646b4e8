/** Whether all of the one stand in the other. */
export function isSubset(inner: ReadonlySet<string>, outer: ReadonlySet<string>): boolean {
  return [...inner].every((entry) => outer.has(entry));
}

/** Both have some, and none in common. */
export function areApart(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size > 0 && right.size > 0 && sharedIn(left, right) === 0;
}

/** How many of the one stand in the other. */
export function sharedIn(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  return [...left].filter((entry) => right.has(entry)).length;
}
