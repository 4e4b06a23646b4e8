import { type Memory, type Provenance, roleOfSpeaker, sameScope, type Scope, type TurnRole } from "@loci/domain";

/** True for what was said in a conversation as it was said, and not for what was made of it: that stands for itself. */
export function isConversationTurn({ provenance, origin }: Pick<Memory, "provenance" | "origin">): boolean {
  return provenance?.kind === "conversation" && (origin === "manual" || origin === "import");
}

/** Where a turn stands in its conversation. */
export interface TurnPlace {
  readonly position: number;
  readonly role: TurnRole;
  /** Turns of one conversation have the same object. */
  readonly conversation: KnownConversation;
}

/** A conversation, as far as its turns are known. */
export interface KnownConversation {
  readonly turns: TurnsByPosition;
  /** True when an assistant or a tool speaks in it; else people are among themselves. */
  readonly isAssisted: boolean;
  /** True when people of several names speak in it, and nobody else. */
  readonly isAmongPeople: boolean;
}

/**
 * The memories at each position, as indexes of the list they were given in. Several memories may have been made of one
 * turn.
 */
export type TurnsByPosition = ReadonlyMap<number, readonly number[]>;

/**
 * Finds for each memory, in the order given, its conversation: the turns of the same source and scope. `undefined` for
 * everything but turns whose position is known.
 */
export function placesOfTurns(
  memories: readonly { readonly memory: Pick<Memory, "provenance" | "origin" | "scope"> }[],
): readonly (TurnPlace | undefined)[] {
  const conversations = new Map<string, FoundConversation[]>();
  return memories.map(({ memory }, index) => {
    const { provenance, scope } = memory;
    if (provenance?.position === undefined || !isConversationTurn(memory)) return undefined;
    const conversation = conversationOf(conversations, provenance, scope);
    const { position } = provenance;
    const role = roleOfSpeaker(provenance);
    conversation.heard(role, provenance.speaker);
    const atPosition = conversation.turns.get(position);
    if (atPosition === undefined) conversation.turns.set(position, [index]);
    else atPosition.push(index);
    return { position, role, conversation };
  });
}

/** A source within one scope. */
class FoundConversation implements KnownConversation {
  readonly scope: Scope;
  readonly turns: Map<number, number[]> = new Map();
  isAssisted = false;
  #speaker: string | undefined;
  #hasSeveralSpeakers = false;

  constructor(scope: Scope) {
    this.scope = scope;
  }

  get isAmongPeople(): boolean {
    return this.#hasSeveralSpeakers && !this.isAssisted;
  }

  heard(role: TurnRole, speaker: string | undefined): void {
    if (role !== "person") this.isAssisted = true;
    this.#speaker ??= speaker;
    if (speaker !== this.#speaker) this.#hasSeveralSpeakers = true;
  }
}

function conversationOf(
  conversations: Map<string, FoundConversation[]>,
  { sourceId }: Provenance,
  scope: Scope,
): FoundConversation {
  let ofSource = conversations.get(sourceId);
  if (ofSource === undefined) conversations.set(sourceId, (ofSource = []));
  let conversation = ofSource.find((other) => sameScope(other.scope, scope));
  if (conversation === undefined) ofSource.push((conversation = new FoundConversation(scope)));
  return conversation;
}
