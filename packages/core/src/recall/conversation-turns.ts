import { formatScope, type Memory } from "@loci/domain";

/** True for memories that are turns of a conversation, which crowd each other less than other sources do. */
export function isConversationTurn({ provenance }: Pick<Memory, "provenance">): boolean {
  return provenance?.kind === "conversation";
}

/** Where a turn stands: positions of one conversation, of the same source and scope, are comparable. */
export interface TurnPlace {
  readonly conversation: string;
  readonly position: number;
}

/** `undefined` for everything but turns whose position is known. */
export function placeOfTurn({ provenance, scope }: Pick<Memory, "provenance" | "scope">): TurnPlace | undefined {
  if (provenance?.kind !== "conversation" || provenance.position === undefined) return undefined;
  // No scope id holds a control character, so a line break cannot be part of one.
  return { conversation: `${formatScope(scope)}\n${provenance.sourceId}`, position: provenance.position };
}

/** Something for each place of each conversation. */
export class ConversationPlaces<Value> {
  readonly #conversations: Map<string, Map<number, Value>> = new Map();

  at({ conversation, position }: TurnPlace, offset: number): Value | undefined {
    return this.#conversations.get(conversation)?.get(position + offset);
  }

  /** @param join makes one value when several memories have the same place */
  add({ conversation, position }: TurnPlace, value: Value, join: (known: Value, value: Value) => Value): void {
    const positions = this.#conversations.get(conversation) ?? new Map<number, Value>();
    this.#conversations.set(conversation, positions);
    const known = positions.get(position);
    positions.set(position, known === undefined ? value : join(known, value));
  }
}
