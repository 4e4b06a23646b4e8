import type { ShownWindow } from "./shown-window.ts";

/** How one window differs from another. */
export interface ComparedWindows {
  /** Ids of items that stand in it now and did not before. */
  readonly came: readonly string[];
  /** Ids of items that stood in it before. */
  readonly gone: readonly string[];
  /** Whether a provider's cache of the one serves the other. */
  readonly hasSamePrefix: boolean;
  /** The first section whose text is another. Undefined: none, or a text was not kept. */
  readonly firstChanged: string | undefined;
}

export function compareWindows(before: ShownWindow, after: ShownWindow): ComparedWindows {
  const [old, now] = [inside(before), inside(after)];
  const changed = after.sections.find(({ name, content }) => {
    const other = before.sections.find((section) => section.name === name);
    return content !== undefined && other?.content !== undefined && other.content !== content;
  });
  return {
    came: [...now].filter((id) => !old.has(id)),
    gone: [...old].filter((id) => !now.has(id)),
    hasSamePrefix: before.stablePrefixHash === after.stablePrefixHash,
    firstChanged: changed?.name,
  };
}

function inside({ items }: ShownWindow): ReadonlySet<string> {
  return new Set(items.filter(({ outcome }) => outcome !== "dropped").map(({ id }) => id));
}
