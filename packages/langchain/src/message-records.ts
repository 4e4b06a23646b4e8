import { createHash } from "node:crypto";
import type { BaseMessage } from "@langchain/core/messages";
import { type Instant, type Loci, type SessionKeyInput, type Turn, type TurnInput } from "@loci/domain";
import { GrowingSession, type HistoryCallOptions } from "./growing-session.ts";
import type { MessageFields } from "./message-fields.ts";
import { beyondTurn } from "./message-turns.ts";
import { withTextsBack, withTextsBehind } from "./raw-texts.ts";

/** A message and the turn that is made of it. */
export interface SaidMessage {
  readonly message: BaseMessage;
  readonly turn: TurnInput & { readonly at: Instant };
}

/** What a turn does not say of its message, and which turn that is. */
interface MessageRecord extends MessageFields {
  readonly number: number;
  readonly at: Instant;
  /** Of the turn's text: another process may have had other words at the same place in the same millisecond. */
  readonly digest: string;
}

/** Behind the id of the session whose messages they are. */
const suffix = ":langchain";

/**
 * What messages have and turns do not, such as ids, images and what a provider says of an answer: kept in a session beside
 * that of the turns, of which nothing is learned.
 */
export class MessageRecords {
  readonly #session: GrowingSession;

  constructor(loci: Loci, { scope, id }: SessionKeyInput, keepSecrets: boolean | undefined, call?: HistoryCallOptions) {
    this.#session = new GrowingSession(loci, { scope, id: id + suffix }, { capture: "off", keepSecrets }, call);
  }

  /** Keeps what the turns do not say, before they are appended. @param first the number that the first of them gets */
  async keep(said: readonly SaidMessage[], first: number): Promise<void> {
    const records = said.flatMap(({ message, turn }, index): MessageRecord[] => {
      const beyond = beyondTurn(turn, message);
      return beyond === undefined ? [] : [{ number: first + index, at: turn.at, digest: digestOf(turn), ...beyond }];
    });
    for (const turns of inRequests(records.map(turnOfRecord))) await this.#session.append(turns);
  }

  /** Finds what belongs to a turn. A record whose turn was never appended, as somebody else was quicker, belongs to none. */
  async read(): Promise<(turn: Turn) => MessageFields | undefined> {
    const turns = await this.#session.turns();
    const records = Map.groupBy(turns.flatMap(recordOfTurn), ({ number }) => number);
    return (turn) => records.get(turn.number)?.findLast((record) => belongs(record, turn));
  }

  delete(): Promise<void> {
    return this.#session.delete();
  }
}

function turnOfRecord(record: MessageRecord): TurnInput {
  return { role: "developer", content: withTextsBehind(record), at: record.at, recalled: true };
}

/** A server takes requests of 4 MiB, as it is set up by default: a few images. */
const mostBytesAtOnce = 2 * 1024 * 1024;

function* inRequests(turns: readonly TurnInput[]): Iterable<readonly TurnInput[]> {
  let next: TurnInput[] = [];
  let bytes = 0;
  for (const turn of turns) {
    const more = Buffer.byteLength(turn.content);
    if (bytes + more > mostBytesAtOnce && next.length > 0) {
      yield next;
      next = [];
      bytes = 0;
    }
    next.push(turn);
    bytes += more;
  }
  yield next;
}

/** None for what can no longer be read: the message is then what its turn says. */
function recordOfTurn({ content }: Turn): MessageRecord[] {
  try {
    return [withTextsBack(content) as MessageRecord];
  } catch {
    return [];
  }
}

/** A text that held a secret is kept without it, and has another digest. */
function belongs({ at, digest }: MessageRecord, turn: Turn): boolean {
  return at === turn.at && (digest === digestOf(turn) || turn.content.includes("[redacted: "));
}

function digestOf({ content }: TurnInput): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 16);
}
