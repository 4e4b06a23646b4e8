import {
  KnownConversation,
  messageText,
  type OutlinedMessage,
  readDigest,
  readingVersion,
  readOutline,
} from "@loci/core";
import type { ChatMessage, Turn } from "@loci/domain";
import type { CheckpointOwner, LedgerCheckpoints, LedgerResources } from "@loci/ledger";
import { sha256 } from "../calls/content-hash.ts";
import { readTurns, type TurnsOf } from "../sessions/read-turns.ts";
import { mostTokensOf } from "./history-in-window.ts";

/** Beginnings of so many turns, twice as many and so on are kept. */
export const turnsOfBeginning = 64;
/** A shorter session is read whole: that takes no longer. In turns. */
export const leastResumed = 512;
/** The latest message of the user may be the query, and then the one before it stays. */
const leastUserMessages = 2;

/** How a conversation is going to be read. */
export interface ConversationNeed {
  /** Of the reading, see `KnownConversation.reading`. */
  readonly key: string;
  /** No more than so many tokens of its newest messages are shown. */
  readonly tokens: number;
}

export interface ResumedConversation {
  readonly conversation: KnownConversation;
  /** What the messages behind its beginning take at least, without the user's latest, in tokens. */
  readonly covers: number;
  /** How many entries of the ledger were read for it. */
  readonly rowsRead: number;
}

type Services = { readonly ledger: LedgerResources & LedgerCheckpoints };

/** Whose beginnings: of a session from where it began, in one reading. */
export function beginningsOf({ session: { ref, since } }: TurnsOf, key: string): CheckpointOwner {
  return { ref, reading: `${since}:${sha256(`${readingVersion}\n${key}`)}` };
}

/** What is kept of the beginnings of a session. */
export interface KnownBeginnings {
  /** Those that follow one another from the first turn on. */
  readonly parts: readonly { readonly through: number; readonly messages: readonly OutlinedMessage[] }[];
  /** How many turns the last one has. */
  readonly through: number;
}

export async function readBeginnings(
  { ledger }: { readonly ledger: LedgerCheckpoints },
  of: Pick<TurnsOf, "tenant" | "signal">,
  owner: CheckpointOwner,
): Promise<KnownBeginnings> {
  const { tenant, signal } = of;
  const parts: { through: number; messages: readonly OutlinedMessage[] }[] = [];
  let through = 0;
  for (const found of await ledger.checkpoints.outlines(tenant, owner, { signal })) {
    const messages = readOutline(found.outline);
    if (messages === undefined || through + messages.length !== found.through) break;
    ({ through } = found);
    parts.push({ through, messages });
  }
  return { parts, through };
}

/**
 * A session's conversation without reading it from its beginning: as many of its newest turns as can be shown, and of those
 * before them what was kept.
 *
 * @returns `undefined` where too little was kept
 */
export async function resumeConversation(
  services: Services,
  of: TurnsOf,
  { key, tokens }: ConversationNeed,
): Promise<ResumedConversation | undefined> {
  const { lastTurn } = of.session.header;
  const owner = beginningsOf(of, key);
  const known = await readBeginnings(services, of, owner);
  // A server that has seen more of the session may have kept more of it.
  const parts = known.parts.filter(({ through }) => through <= lastTurn);
  let place = parts.length;
  let covers = 0;
  let userMessages = 0;
  while (place > 0 && (covers < tokens || userMessages < leastUserMessages))
    for (const message of parts[--place]?.messages.toReversed() ?? []) {
      if (message.role === "user") userMessages++;
      // The latest message of the user takes no room of the others where it is the query.
      // Of long texts less may be shown, and then more of what was before them.
      if (message.role !== "user" || userMessages > 1) covers += message.leastTokens ?? message.tokens;
    }
  const beginning = parts[place - 1];
  if (beginning === undefined) return undefined;
  const { tenant, signal } = of;
  const state = await services.ledger.checkpoints.state(tenant, owner, beginning.through, { signal });
  const digest = state === undefined ? undefined : readDigest(state);
  if (digest === undefined) return undefined;
  const { turns, rowsRead } = await readTurns(services, of, { first: beginning.through + 1 });
  const messages = turns.map(messageOfTurn);
  // What stands in the window word for word is looked for among them, by a count that is rather too high.
  let room = tokens;
  const latest = messages.findLastIndex(({ role }) => role === "user");
  for (const [index, message] of messages.entries()) if (index !== latest) room -= mostTokensOf(messageText(message));
  if (room > 0) return undefined;
  const conversation = new KnownConversation({
    key,
    messages: parts.slice(0, place).flatMap((part) => part.messages),
    digest,
  });
  conversation.append(messages);
  return { conversation, covers, rowsRead };
}

/** A turn in the OpenAI form. */
export function messageOfTurn({ role, content, name, toolCalls, toolCallId }: Turn): ChatMessage {
  return {
    role,
    content,
    ...(name === undefined ? {} : { name }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
  };
}
