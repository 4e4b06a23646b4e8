import type { IndexFields } from "@loci/store";

/**
 * A row's fields by the type of their values, as the maps and lists of the tables hold them. A comparison looks only into
 * the map of its value's type, so that a value of another type never matches.
 */
export interface FieldColumns {
  readonly texts: ReadonlyMap<string, string>;
  readonly numbers: ReadonlyMap<string, number>;
  readonly flags: ReadonlyMap<string, boolean>;
  /** Every value of every field with many values, each with its field. */
  readonly members: readonly string[];
}

export function fieldColumns(fields: IndexFields): FieldColumns {
  const texts = new Map<string, string>();
  const numbers = new Map<string, number>();
  const flags = new Map<string, boolean>();
  const members: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") texts.set(name, orderedText(value));
    else if (typeof value === "number") numbers.set(name, value + 0);
    else if (typeof value === "boolean") flags.set(name, value);
    else for (const single of value) members.push(memberOf(name, single));
  }
  return { texts, numbers, flags, members };
}

/** One value of a field with many, which no other field or value is written as. */
export function memberOf(field: string, value: string): string {
  return JSON.stringify([field, value]);
}

/**
 * Text that sorts by its UTF-8 bytes, as LanceDB compares, as `text` sorts by its UTF-16 code units. They differ from the
 * surrogates on, which as units sort before U+E000 to U+FFFF and as characters behind: each unit from there becomes a
 * character of its own behind U+FFFF. Distinct texts stay distinct.
 */
export function orderedText(text: string): string {
  return text.replace(/[\uD800-\uFFFF]/g, (unit) => String.fromCodePoint(unit.charCodeAt(0) - 0xd800 + 0x1_0000));
}
