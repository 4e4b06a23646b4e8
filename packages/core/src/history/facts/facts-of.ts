import type { ChatMessage } from "@loci/domain";
import { hasImage, messageText } from "../message-text.ts";
import { noUser, offerOf, placeOfRequest, type UserFacts, userFacts } from "./exchange.ts";
import { pointsOf, type TalkPoints } from "./points-of-a-talk.ts";
import { spokenSentences } from "./spoken-sentences.ts";
import { type WorkFacts, workOf } from "./work-done.ts";

/** What an extractive summary may say of one message. */
export interface MessageFacts extends UserFacts, TalkPoints, WorkFacts {
  readonly role: ChatMessage["role"];
  /** True when it says something in words. */
  readonly speaks: boolean;
  /** Of an assistant, what it asks that `yes` answers. */
  readonly offer: string;
}

/**
 * Reads a message for what a summary should say of it. Only users and assistants decide, ask and report; of tools, the
 * calls count and never what they returned. System messages say nothing here: they are not part of the talk.
 */
export function factsOf(message: ChatMessage): MessageFacts {
  const { role, tool_calls: calls = [] } = message;
  const [isOfUser, isAssistant] = [role === "user", role === "assistant"];
  const sentences = spokenSentences(message);
  const request = isOfUser ? placeOfRequest(sentences) : undefined;
  return {
    role,
    speaks: speaks(message),
    ...(isOfUser ? userFacts(sentences, request) : noUser),
    offer: isAssistant ? offerOf(sentences) : "",
    ...pointsOf(sentences, { isOfUser, request }),
    ...workOf(isAssistant ? sentences : [], calls),
  };
}

function speaks(message: ChatMessage): boolean {
  const isTalk = message.role === "user" || message.role === "assistant";
  return hasImage(message) || (isTalk && messageText({ ...message, tool_calls: undefined }) !== "");
}
