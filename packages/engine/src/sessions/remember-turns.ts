import { type ConversationTurn, isIdentifier, maxTextBytes, type Turn, utf8ByteLength } from "@loci/domain";
import type { SessionHeader } from "@loci/core";
import type { Committed } from "@loci/ledger";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { type BesideTurns, commitConversation } from "../memories/remember-conversation.ts";
import type { SessionServices } from "./session-services.ts";

/** Turns, and the session behind them. */
export interface SaidTurns {
  readonly header: SessionHeader;
  readonly turns: readonly Turn[];
  /** What appends them. */
  readonly appending: BesideTurns;
}

/**
 * Appends turns together with memories of what users and assistants said in them, which are made as by `rememberConversation`.
 * Turns that came out of memory, or cannot be a memory's text, become none.
 */
export async function commitRememberedTurns(
  services: SessionServices,
  call: Call,
  { header: { scope, id }, turns, appending }: SaidTurns,
): Promise<Committed | undefined> {
  const said = turns.map(saidTurn).filter((turn) => turn !== undefined);
  if (said.length === 0)
    return services.ledger.commit({ ...authoredBy(call.principal), ...appending }, { signal: call.signal });
  return (await commitConversation(services, call, { scope, session: id, turns: said }, appending)).committed;
}

function saidTurn({ number, role, name, content, at, recalled }: Turn): ConversationTurn | undefined {
  if ((role !== "user" && role !== "assistant") || recalled || content.trim() === "" || content.includes("\0"))
    return undefined;
  const speaker = name !== undefined && isIdentifier(name) ? name : role;
  if (utf8ByteLength(`${speaker}: ${content}`) > maxTextBytes) return undefined;
  return { id: String(number), speaker, role: role === "user" ? "person" : "assistant", content, at };
}
