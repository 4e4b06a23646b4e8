import { type ConversationInput, type ConversationTurn, optional } from "@loci/domain";
import type {
  ConversationTurn as ProtoConversationTurn,
  CreateMemoriesFromConversationRequest,
} from "../gen/loci/v1/memory_service.ts";
import { instantFromProto, instantToProto } from "./instant.ts";
import { identifierToProto } from "./identifier.ts";
import { turnRoles } from "./memory-words.ts";
import { field, listOf, optionalWord, RequestForm, sameField } from "./request-form.ts";
import { scopeFromProto, scopeToProto } from "./scope.ts";
import { writableText } from "./writable-value.ts";

const turn: RequestForm<ConversationTurn, ProtoConversationTurn> = new RequestForm<
  ConversationTurn,
  ProtoConversationTurn
>("turn", {
  id: sameField("id", identifierToProto),
  speaker: sameField("speaker", identifierToProto),
  role: optionalWord("role", turnRoles),
  content: sameField("content", writableText),
  at: field("time", instantToProto, instantFromProto),
});
const turns = listOf(turn);

export const conversation: RequestForm<ConversationInput, CreateMemoriesFromConversationRequest, "requestId"> =
  new RequestForm<ConversationInput, CreateMemoriesFromConversationRequest, "requestId">("input", {
    session: sameField("session", optional(identifierToProto)),
    scope: field("scope", scopeToProto, scopeFromProto),
    turns: field("turns", turns.write, turns.read),
  });
