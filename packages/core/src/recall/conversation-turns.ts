import { type Memory, sameScope, type Scope } from "@loci/domain";

/** True for memories that are turns of a conversation, which crowd each other less than other sources do. */
export function isConversationTurn({ provenance }: Pick<Memory, "provenance">): boolean {
  return provenance?.kind === "conversation";
}

/** Where a turn stands in its conversation. */
export interface TurnPlace {
  readonly position: number;
  /**
   * Its whole conversation, as far as it is known, itself in it: the memories at each position, as indexes of the list they
   * were given in. Turns of one conversation have the same object.
   */
  readonly turns: TurnsByPosition;
}

/** Turns of the same source and scope, by position. Several memories may have been made of one turn. */
export type TurnsByPosition = ReadonlyMap<number, readonly number[]>;

/**
 * Finds for each memory, in the order given, its conversation; `undefined` for everything but turns whose position is
 * known.
 */
export function placesOfTurns(
  memories: readonly { readonly memory: Pick<Memory, "provenance" | "scope"> }[],
): readonly (TurnPlace | undefined)[] {
  const conversations = new Map<string, Conversation[]>();
  return memories.map(({ memory: { provenance, scope } }, index) => {
    if (provenance?.kind !== "conversation" || provenance.position === undefined) return undefined;
    const { position, sourceId } = provenance;
    const ofSource = conversations.get(sourceId) ?? [];
    if (ofSource.length === 0) conversations.set(sourceId, ofSource);
    let conversation = ofSource.find((other) => sameScope(other.scope, scope));
    if (conversation === undefined) ofSource.push((conversation = { scope, turns: new Map() }));
    const { turns } = conversation;
    const atPosition = turns.get(position);
    if (atPosition === undefined) turns.set(position, [index]);
    else atPosition.push(index);
    return { position, turns };
  });
}

/** A source within one scope. */
interface Conversation {
  readonly scope: Scope;
  readonly turns: Map<number, number[]>;
}
