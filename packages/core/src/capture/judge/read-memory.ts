import { type Facets, facetsOf } from "./facets.ts";

/** A memory that a statement is judged against. */
export interface KnownMemory {
  readonly id: string;
  readonly text: string;
  readonly scope: string;
  readonly slot: string | null;
  readonly value: string | null;
}

/** A known memory with what it says. Made once for all statements. */
export interface ReadMemory {
  readonly memory: KnownMemory;
  readonly facets: Facets;
  readonly slotTopics: ReadonlySet<string>;
  readonly slotNames: ReadonlySet<string>;
  /** What its value says, if it has one. */
  readonly value: Facets | undefined;
  /** What stands in its place since an earlier statement of the session, and carries it along. */
  readonly replacement?: string;
}

/** The text of a memory, or of what stands in its place. */
export function textNow(known: ReadMemory | undefined): string | undefined {
  return known?.replacement ?? known?.memory.text;
}

export function readMemory(memory: KnownMemory): ReadMemory {
  const { text, slot, value } = memory;
  const property = slot === null || peopleSlots.has(slot) ? "" : slot;
  const { topics, names } = facetsOf(property);
  const facets = facetsOf(`${text} ${value ?? ""}`);
  return {
    memory,
    // Who names the slot speaks of the memory's thing.
    facets: { ...facets, thing: { ...facets.thing, slot: topics, roots: new Set([...facets.thing.roots, ...topics]) } },
    slotTopics: topics,
    slotNames: names,
    value: value === null ? undefined : facetsOf(value),
  };
}

/** Whoever is spoken of is no property of theirs. */
export const peopleSlots: ReadonlySet<string> = new Set("user users team assistant project people somebody".split(" "));

/** Of these somebody may have several, so that another one never takes the place of the first. */
const multiSlots: ReadonlySet<string> = new Set(
  "language languages pet pets allergy allergies member members child children hobby hobbies".split(" "),
);

/** Whether a slot may have several values at once. */
export function isMultiSlot(slot: string | null): boolean {
  return slot !== null && multiSlots.has(slot);
}
