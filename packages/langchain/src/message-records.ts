import { createHash } from "node:crypto";
import type { BaseMessage } from "@langchain/core/messages";
import { textInParts } from "@loci/agent";
import {
  type Instant,
  type Loci,
  LociError,
  maxTurnsPerAppend,
  type SessionKeyInput,
  type Turn,
  type TurnInput,
} from "@loci/domain";
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
    for (const turns of inRequests(records.map(turnsOfRecord))) await this.#session.append(turns);
  }

  /** Finds what belongs to a turn. A record whose turn was never appended, as somebody else was quicker, belongs to none. */
  async read(): Promise<(turn: Turn) => MessageFields | undefined> {
    const turns = await this.#session.turns();
    const records = Map.groupBy(recordsOfTurns(turns), ({ number }) => number);
    return (turn) => records.get(turn.number)?.findLast((record) => belongs(record, turn));
  }

  delete(): Promise<void> {
    return this.#session.delete();
  }
}

/** What a turn that holds a part of a large record is called: `langchain 1/3`. */
const partName = /^langchain (\d{1,3})\/(\d{1,3})$/;

/** One turn, or parts that are appended together. @throws LociError `TEXT_TOO_LARGE` for more than a session takes at once */
function turnsOfRecord(record: MessageRecord): readonly TurnInput[] {
  const parts = textInParts(withTextsBehind(record));
  if (parts.length > maxTurnsPerAppend)
    throw new LociError("TEXT_TOO_LARGE", {
      message: `A message is too large for a history: it takes ${parts.length} turns of a session, and at most ${maxTurnsPerAppend} are appended together.`,
      field: "messages",
      advice: "Pass large files and images by their address.",
    });
  return parts.map((content, index) => ({
    role: "developer",
    content,
    at: record.at,
    recalled: true,
    ...(parts.length === 1 ? {} : { name: `langchain ${index + 1}/${parts.length}` }),
  }));
}

/** A server takes requests of 4 MiB, as it is set up by default: a few images. */
const mostBytesAtOnce = 2 * 1024 * 1024;

/** The parts of a record stay together: others may append between two requests. */
function* inRequests(records: readonly (readonly TurnInput[])[]): Iterable<readonly TurnInput[]> {
  let next: TurnInput[] = [];
  let bytes = 0;
  for (const parts of records) {
    const more = parts.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    if (next.length > 0 && (bytes + more > mostBytesAtOnce || next.length + parts.length > maxTurnsPerAppend)) {
      yield next;
      next = [];
      bytes = 0;
    }
    next.push(...parts);
    bytes += more;
  }
  yield next;
}

function recordsOfTurns(turns: readonly Turn[]): readonly MessageRecord[] {
  const records: MessageRecord[] = [];
  let parts: string[] = [];
  for (const { name, content } of turns) {
    const [, part = "1", of = "1"] = partName.exec(name ?? "") ?? [];
    if (part === "1") parts = [];
    parts.push(content);
    if (part === of && parts.length === Number(of)) records.push(...recordOf(parts.join("")));
  }
  return records;
}

/** None for what can no longer be read: the message is then what its turn says. */
function recordOf(whole: string): MessageRecord[] {
  try {
    return [withTextsBack(whole) as MessageRecord];
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
