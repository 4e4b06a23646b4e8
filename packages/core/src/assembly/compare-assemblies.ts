import type { AssembledContext, ItemReceipt } from "@loci/domain";

/** An item that stands in another section than before. */
export interface MovedItem {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** What became of a window from one call of a session to the next. */
export interface AssemblyChanges {
  /** Ids of items that were not there, or had been left out, in the order of the receipt. */
  readonly added: readonly string[];
  /** Ids of items that are not there any more. */
  readonly removed: readonly string[];
  readonly moved: readonly MovedItem[];
  /** Ids of items that were shortened to another size, or are whole now. */
  readonly resized: readonly string[];
  readonly keptItems: number;
  readonly addedTokens: number;
  readonly removedTokens: number;
  /** True when everything before the first recalled or said item is the same, so that a prompt cache still holds it. */
  readonly stablePrefixKept: boolean;
}

type Receipted = Pick<AssembledContext, "receipt">;

/**
 * Compares two assemblies of one session by their receipts. Messages go by their position: the second conversation must
 * continue the first. The query is not compared.
 */
export function compareAssemblies(previous: Receipted, next: Receipted): AssemblyChanges {
  const before = standingItems(previous);
  const after = standingItems(next);
  const both = [...after.values()].flatMap((item) => {
    const old = before.get(item.id);
    return old === undefined ? [] : [{ item, old }];
  });
  const added = [...after.values()].filter(({ id }) => !before.has(id));
  const removed = [...before.values()].filter(({ id }) => !after.has(id));
  return {
    added: added.map(({ id }) => id),
    removed: removed.map(({ id }) => id),
    moved: both
      .filter(({ item, old }) => item.section !== old.section)
      .map(({ item, old }) => ({ id: item.id, from: old.section, to: item.section })),
    resized: both.filter(({ item, old }) => item.tokens !== old.tokens).map(({ item }) => item.id),
    keptItems: both.length,
    addedTokens: sumTokens(added),
    removedTokens: sumTokens(removed),
    stablePrefixKept: previous.receipt.stablePrefixHash === next.receipt.stablePrefixHash,
  };
}

function standingItems({ receipt }: Receipted): ReadonlyMap<string, ItemReceipt> {
  const items = receipt.items.filter(({ id, outcome }) => outcome !== "dropped" && id !== "text:query");
  return new Map(items.map((item) => [item.id, item]));
}

function sumTokens(items: readonly ItemReceipt[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}
