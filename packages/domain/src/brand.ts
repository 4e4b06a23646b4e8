declare const brandName: unique symbol;

/**
 * A value that only its own parser can make.
 *
 * `TenantId` and `MemoryId` are both strings at run time; the brand keeps one from being passed where the other is meant.
 */
export type Branded<Value, Name extends string> = Value & { readonly [brandName]: Name };

/** An array with at least one element. A scope list is one, so that "no scope" cannot be said. */
export type NonEmpty<Element> = readonly [Element, ...Element[]];

/** Narrows an array to {@link NonEmpty}. */
export function isNonEmpty<Element>(elements: readonly Element[]): elements is NonEmpty<Element> {
  return elements.length > 0;
}
