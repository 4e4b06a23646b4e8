import type { CapturedTurn, CaptureReason } from "@loci/domain";
import { assents } from "./acknowledgements.ts";
import { hasVerb } from "./finite-verbs.ts";
import { type Exchange, silence } from "./spoken-turns.ts";
import type { TurnStatement } from "./turn-statement.ts";
import { answerPattern, restatedPattern } from "./unphrased-patterns.ts";
import { ownSubjects } from "./word-kinds.ts";
import { wordGroups } from "./word-groups.ts";
import { type Word, wordsOf } from "./words.ts";

/** What is said to a rule or a decision is shorter. In words. */
const longestAssent = 25;
/** What begins as an assent does may go on with what was asked for, and then it has so many words. */
const longestLedByAssent = 60;
/** So many lines of a list are one. */
const fewestItems = 3;
/** A text of so many words may be the one before it, revised, */
const fewestRevised = 8;
/** which has so many of its words. */
const revisedShare = 0.5;
/** So much of a text is compared. In UTF-16 units. */
const longestCompared = 2_000;

/**
 * Whether a reply hands over what was asked for: code, a list, a text, or the text that the assistant had handed over before, in other words.
 *
 * @param before what the assistant said before it was asked
 */
export function handsOver(reply: string, before: string | undefined): boolean {
  return (
    /^[ \t]{0,3}(?:```|~~~)/mu.test(reply) ||
    (reply.match(/^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)]) \S/gmu)?.length ?? 0) >= fewestItems ||
    (reply.match(/\S+/gu)?.length ?? 0) > (promises(reply) ? longestLedByAssent : longestAssent) ||
    (before !== undefined && revises(reply, before))
  );
}

/** `Got it`, `I'll keep my answers short`: what is said to a rule. */
function promises(reply: string): boolean {
  return assents(reply) || promise.test(reply.slice(0, longestPromise));
}

const promise =
  /(?<!\p{L})(?:i['\u2019]ll|i will|from now on|going forward|in (?:the )?future|noted|keep (?:that|this|it) in mind|remember(?:ed)?)(?!\p{L})/iu;
/** In UTF-16 units. */
const longestPromise = 120;

function revises(reply: string, before: string): boolean {
  const words = wordsOf(reply.slice(0, longestCompared));
  if (words.length < fewestRevised) return false;
  const known = new Set(wordsOf(before.slice(0, longestCompared)).map(({ text }) => text));
  return words.filter(({ text }) => known.has(text)).length >= revisedShare * words.length;
}

/**
 * The statements, without orders that the reply carried out by handing over what they ask for: `Write it in detail`, `put that in a table`.
 * They were of that text, and nobody wants it written again. So is how it is to be: `no more than 25 words each`. What always holds stays,
 * and so does what is decided, and what an agent is told to do in a place: its reply tells of work.
 */
export function withoutTasksAtHand(
  statements: readonly TurnStatement[],
  exchangeOf: (turn: CapturedTurn) => Exchange | undefined,
): readonly TurnStatement[] {
  const ordering = new Set(statements.flatMap(({ turn, asksForWork }) => (asksForWork ? turn : [])));
  const requests = new Map<CapturedTurn, AnsweredTurn>();
  for (const { turn } of statements) {
    if (requests.has(turn)) continue;
    const { before, replies, isCode, isWorkedOn } = exchangeOf(turn) ?? silence;
    const isHandedOver = !isWorkedOn && (isCode || replies.some((reply) => handsOver(reply, before?.content)));
    requests.set(turn, { isHandedOver, isOrdering: ordering.has(turn) });
  }
  return statements.map((statement) =>
    isAtHand(statement, requests.get(statement.turn) as AnsweredTurn)
      ? { ...statement, pattern: undefined, refusal: "TRANSIENT" satisfies CaptureReason }
      : statement,
  );
}

/** What became of a turn of the user. */
interface AnsweredTurn {
  /** The reply hands over what it asks for. */
  readonly isHandedOver: boolean;
  /** It orders work. */
  readonly isOrdering: boolean;
}

function isAtHand(statement: TurnStatement, { isHandedOver, isOrdering }: AnsweredTurn): boolean {
  const { pattern, isOrder, words, sentence } = statement;
  if (pattern === undefined || pattern.isStanding === true) return false;
  if (pattern.isBare === true) return isAskedFor(statement);
  if (!isHandedOver) return false;
  if (pattern === restatedPattern) return true;
  if (isOrder) return pattern === answerPattern || pattern.isManner === true;
  if (pattern.isManner !== true || words.some(({ text }) => ownSubjects.has(text))) return false;
  // `Alerts go to the channel, not to mail`, `Commute: 45 minutes at most` tell how things are.
  const isOfThing = tellsOfThing(words) && !(isOrdering && words.some(({ text }) => text === "must"));
  return !isOfThing && !label.test(sentence.text);
}

/** `A plan of 12 weeks please`, `give me 3 of them`: and nothing of the user besides. */
function isAskedFor({ words, isReply, asksForWork }: TurnStatement): boolean {
  if (isReply || words.some(({ text }) => told.has(text) || ownSubjects.has(text) || denying.has(text))) return false;
  if (words.slice(2).some(({ text }, index) => asking.has(text) && words[index + 1]?.text !== "you")) return true;
  return asksForWork && !hasVerb(words.slice(1));
}

const asking: ReadonlySet<string> = new Set("please pls plz".split(" "));
const denying: ReadonlySet<string> = new Set("no not nothing never".split(" "));
const label = /^[^\n:]{2,40}: /u;

/** `Alerts go there`, `it is blue`, and not `must include it`, `don't start with that`. */
function tellsOfThing(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) =>
      told.has(text) ||
      (index > 0 && wordGroups["verb"]?.has(text) === true && !before.has(words[index - 1]?.text ?? "")),
  );
}

const told: ReadonlySet<string> = new Set(
  "is are was were has have had will would can could may might does did it he she they there".split(" "),
);
/** Behind these a verb orders, or is none. */
const before: ReadonlySet<string> = new Set(
  "do not don't please to and but or just then also must should never always no a an the in of for".split(" "),
);
