import {
  checkChoice,
  checkIdentifier,
  checkList,
  checksOf,
  type ConversationInput,
  type ConversationTurn,
  LociError,
  optional,
  parseInstant,
  parseScope,
  type Scope,
  turnRoles,
} from "@loci/domain";
import { checkRememberedText } from "../validation/validate-text.ts";

/** Most memories one call may store. */
export const maxMemoriesPerCall = 1_000;

const checkTurn = checksOf<ConversationTurn>()("turn", {
  id: checkIdentifier,
  speaker: checkIdentifier,
  role: optional((role, path) => checkChoice(role, turnRoles, path)),
  content: checkRememberedText,
  at: parseInstant,
});

const check = checksOf<ConversationInput>()("input", {
  turns: (turns, path) =>
    checkList(turns, path, { least: 1, most: maxMemoriesPerCall }).map((turn, index) =>
      checkTurn(turn, `${path}[${index}]`),
    ),
  scope: parseScope,
  session: optional(checkIdentifier),
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
  const { turns, scope, session } = check(input);
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
  return { scope, session, turns };
}
