import { checkFields, type ConversationInput, type ConversationTurn, fieldsOf } from "@loci/domain";
import type {
  ConversationTurn as ProtoConversationTurn,
  CreateMemoriesFromConversationRequest,
} from "../gen/loci/v1/memory_service.ts";
import { instantFromProto, instantToProto } from "./instant.ts";
import { identifierToProto } from "./memory-content.ts";
import { turnRoles } from "./memory-words.ts";
import { withoutUndefined } from "./read-value.ts";
import { scopeFromProto, scopeToProto } from "./scope.ts";
import { optionally, writableList, writableText } from "./writable-value.ts";

const conversationFields = fieldsOf<ConversationInput>({ session: true, scope: true, turns: true });
const turnFields = fieldsOf<ConversationTurn>({
  id: true,
  speaker: true,
  role: true,
  content: true,
  at: true,
});

/** @throws LociError with the reason the engine has for the field at fault */
export function conversationToProto(
  input: ConversationInput,
): Omit<CreateMemoriesFromConversationRequest, "requestId"> {
  checkFields(input, conversationFields, "input");
  return {
    session: optionally(input.session, "session", identifierToProto),
    scope: scopeToProto(input.scope, "scope"),
    turns: writableList(input.turns, "turns").map(turnToProto),
  };
}

/** @throws LociError with the field at fault */
export function conversationFromProto(request: CreateMemoriesFromConversationRequest): ConversationInput {
  return withoutUndefined({
    session: request.session,
    scope: scopeFromProto(request.scope, "scope"),
    turns: request.turns.map(turnFromProto),
  });
}

function turnToProto(turn: ConversationTurn, index: number): ProtoConversationTurn {
  const path = `turns[${index}]`;
  checkFields(turn, turnFields, path);
  return {
    id: identifierToProto(turn.id, `${path}.id`),
    speaker: identifierToProto(turn.speaker, `${path}.speaker`),
    role: turnRoles.optionalToProto(turn.role, `${path}.role`),
    content: writableText(turn.content, `${path}.content`),
    time: instantToProto(turn.at, `${path}.at`),
  };
}

function turnFromProto(turn: ProtoConversationTurn, index: number): ConversationTurn {
  const path = `turns[${index}]`;
  return withoutUndefined({
    id: turn.id,
    speaker: turn.speaker,
    role: turnRoles.optionalFromProto(turn.role, `${path}.role`),
    content: turn.content,
    at: instantFromProto(turn.time, `${path}.at`),
  });
}
