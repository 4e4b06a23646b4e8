import {
  checkIdentifier,
  type ConversationTurn,
  LociError,
  maxTextBytes,
  type Turn,
  utf8ByteLength,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { rememberConversation } from "../memories/remember-conversation.ts";
import type { SessionServices } from "./session-services.ts";
import type { StoredSession } from "./stored-session.ts";

/**
 * Makes memories of what users and assistants said, as `rememberConversation` does: what is there already is not stored twice.
 * Turns that came out of memory, or cannot be a memory's text, are left out.
 */
export async function rememberTurns(
  services: SessionServices,
  call: Call,
  { header: { scope, id } }: Pick<StoredSession, "header">,
  turns: readonly Turn[],
): Promise<void> {
  const said = turns.map(saidTurn).filter((turn) => turn !== undefined);
  if (said.length === 0) return;
  // The key of the append is not its own: the turns tell themselves what is missing.
  const { requestId: _, ...options } = call.options ?? {};
  await rememberConversation(services, { ...call, options }, { scope, session: id, turns: said });
}

function saidTurn({ number, role, name, content, at, recalled }: Turn): ConversationTurn | undefined {
  if ((role !== "user" && role !== "assistant") || recalled || content.trim() === "" || content.includes("\0"))
    return undefined;
  const speaker = name !== undefined && isIdentifier(name) ? name : role;
  if (utf8ByteLength(`${speaker}: ${content}`) > maxTextBytes) return undefined;
  return { id: String(number), speaker, role: role === "user" ? "person" : "assistant", content, at };
}

function isIdentifier(name: string): boolean {
  try {
    return checkIdentifier(name, "name") === name;
  } catch (error) {
    if (LociError.is(error)) return false;
    throw error;
  }
}
