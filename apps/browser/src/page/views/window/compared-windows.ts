import type { ShownItem, ShownSection, ShownWindow } from "./shown-window.ts";

/** How one window differs from another. */
export interface ComparedWindows {
  /** Items that stand in it now and did not before. */
  readonly came: readonly ShownItem[];
  /** Items that stood in it before. */
  readonly gone: readonly ShownItem[];
  /** Whether a provider's cache of the one serves the other. */
  readonly hasSamePrefix: boolean;
  /** The first section that is another. Undefined: none, as far as is known. */
  readonly firstChanged: string | undefined;
}

export function compareWindows(before: ShownWindow, after: ShownWindow): ComparedWindows {
  const [old, now] = [inside(before), inside(after)];
  const names = [...new Set([...after.sections, ...before.sections].map(({ name }) => name))];
  return {
    came: [...now.values()].filter(({ id }) => !old.has(id)),
    gone: [...old.values()].filter(({ id }) => !now.has(id)),
    hasSamePrefix: before.stablePrefixHash === after.stablePrefixHash,
    firstChanged: names.find((name) => differs(name, before, after)),
  };
}

/** By what is known of both: their texts, the hashes of their prefixes, else what stands in them and how much it takes. */
function differs(name: string, before: ShownWindow, after: ShownWindow): boolean {
  const [old, now] = [sectionIn(before, name), sectionIn(after, name)];
  if (old?.content !== undefined && now?.content !== undefined) return old.content !== now.content;
  const [oldHash, newHash] = [hashIn(before, name), hashIn(after, name)];
  if (oldHash !== undefined && newHash !== undefined) return oldHash !== newHash;
  return (old?.used ?? 0) !== (now?.used ?? 0) || itemsIn(before, name) !== itemsIn(after, name);
}

function sectionIn({ sections }: ShownWindow, name: string): ShownSection | undefined {
  return sections.find((section) => section.name === name);
}

function hashIn({ prefix }: ShownWindow, name: string): string | undefined {
  return prefix?.find((section) => section.name === name)?.hash;
}

function itemsIn(window: ShownWindow, name: string): string {
  const items = [...inside(window).values()].filter(({ section }) => section === name);
  return items.map(({ id, tokens }) => `${id} ${tokens}`).join("\n");
}

function inside({ items }: ShownWindow): ReadonlyMap<string, ShownItem> {
  return new Map(items.filter(({ outcome }) => outcome !== "dropped").map((item) => [item.id, item]));
}
