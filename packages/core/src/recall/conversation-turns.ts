import { type Memory, sameScope, type Scope } from "@loci/domain";

/** True for memories that are turns of a conversation, which crowd each other less than other sources do. */
export function isConversationTurn({ provenance }: Pick<Memory, "provenance">): boolean {
  return provenance?.kind === "conversation";
}

/** Turns of the same source and scope, by position. */
export type TurnsByPosition<Value> = ReadonlyMap<number, Value>;

/** Where a turn stands. */
export interface TurnPlace<Value> {
  readonly position: number;
  /** Its whole conversation, as far as it is known, the turn itself in it. */
  readonly turns: TurnsByPosition<Value>;
}

/**
 * Finds for each memory, in the order given, its conversation; `undefined` for everything but turns whose position is
 * known.
 *
 * @param valueOf what is kept of a memory, by its index
 * @param join makes one value when several memories have the same place
 */
export function placesOfTurns<Value>(
  memories: readonly Pick<Memory, "provenance" | "scope">[],
  valueOf: (index: number) => Value,
  join: (known: Value, value: Value) => Value,
): readonly (TurnPlace<Value> | undefined)[] {
  const conversations = new Map<string, Conversation<Value>[]>();
  return memories.map(({ provenance, scope }, index) => {
    if (provenance?.kind !== "conversation" || provenance.position === undefined) return undefined;
    const { position, sourceId } = provenance;
    const ofSource = conversations.get(sourceId) ?? [];
    if (ofSource.length === 0) conversations.set(sourceId, ofSource);
    let conversation = ofSource.find((other) => sameScope(other.scope, scope));
    if (conversation === undefined) ofSource.push((conversation = { scope, turns: new Map() }));
    const { turns } = conversation;
    const known = turns.get(position);
    const value = valueOf(index);
    turns.set(position, known === undefined ? value : join(known, value));
    return { position, turns };
  });
}

/** A source within one scope. */
interface Conversation<Value> {
  readonly scope: Scope;
  readonly turns: Map<number, Value>;
}
