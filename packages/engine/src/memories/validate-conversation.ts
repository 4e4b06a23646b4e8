import {
  checkChoice,
  checkFields,
  checkIdentifier,
  checkList,
  type ConversationInput,
  type ConversationTurn,
  fieldsOf,
  LociError,
  parseInstant,
  parseScope,
  type Scope,
  turnRoles,
} from "@loci/domain";
import { checkStoredText } from "../validation/validate-text.ts";

/** Most memories one call may store. */
export const maxMemoriesPerCall = 1_000;

const conversationFields = fieldsOf<ConversationInput>({ session: true, scope: true, turns: true });
const turnFields = fieldsOf<ConversationTurn>({
  id: true,
  speaker: true,
  role: true,
  content: true,
  at: true,
});

export interface CheckedConversation {
  readonly scope: Scope;
  readonly session: string | undefined;
  readonly turns: readonly ConversationTurn[];
}

/**
 * @throws LociError `INVALID_REQUEST` for no or over 1,000 turns or a turn id that comes twice; else as for single texts,
 *   with the field at fault
 */
export function checkConversation(input: ConversationInput): CheckedConversation {
  checkFields(input, conversationFields, "input");
  const turns = checkList(input.turns, "turns", { least: 1, most: maxMemoriesPerCall }).map(checkTurn);
  const ids = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    if (ids.has(turn.id))
      throw new LociError("INVALID_REQUEST", {
        message: `turns[${index}].id is the id of an earlier turn.`,
        field: `turns[${index}].id`,
        advice: "Give every turn of a conversation an id of its own.",
      });
    ids.add(turn.id);
  }
  return {
    scope: parseScope(input.scope),
    session: input.session === undefined ? undefined : checkIdentifier(input.session, "session"),
    turns,
  };
}

function checkTurn(turn: ConversationTurn, index: number): ConversationTurn {
  const path = `turns[${index}]`;
  checkFields(turn, turnFields, path);
  return {
    id: checkIdentifier(turn.id, `${path}.id`),
    speaker: checkIdentifier(turn.speaker, `${path}.speaker`),
    ...(turn.role === undefined ? {} : { role: checkChoice(turn.role, turnRoles, `${path}.role`) }),
    content: checkStoredText(turn.content, `${path}.content`),
    at: parseInstant(turn.at, `${path}.at`),
  };
}
