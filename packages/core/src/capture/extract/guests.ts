import type { CapturedTurn, CaptureReason } from "@loci/domain";
import { inThirdPerson } from "./third-person.ts";
import type { TurnStatement } from "./turn-statement.ts";

const name = String.raw`(?<name>\p{Lu}[\p{L}'’-]{1,30})`;
const device = String.raw`(?:account|chat|computer|laptop|login|machine|mac|pc|phone|profile|tablet)`;
const owner = String.raw`(?:\p{Lu}[\p{L}-]{1,30}['’]s?|(?:my|her|his|their) (?:\p{L}{2,20}['’]s )?)`;

/** `This is Tomasz, on Hanne's laptop`, `Tomasz here, using my wife's account` */
const introduction = new RegExp(
  String.raw`(?<!\p{L})(?:(?:[Tt]his is|[Ii]t(?:['’]s| is)|I(?:['’]m| am)) ${name}|${name} (?:here|speaking))[,.]? (?:(?:I(?:['’]m| am) )?(?:using|on|borrowing|writing (?:from|on)|from|with) )?${owner} ?${device}(?!\p{L})`,
  "u",
);
/** `Hanne here again`, `it's me again` */
const comingBack =
  /(?<!\p{L})(?:me again|(?:here|this is \p{L}{1,30}|it['’]s \p{L}{1,30}) again|back (?:at|on) my (?:own )?\p{L}{1,20})(?!\p{L})/u;
/** So much of a turn tells who speaks, in UTF-16 units. */
const longestBeginning = 200;

/** Somebody who speaks in the user's place. */
export interface Guest {
  readonly name: string;
  /** The number of the turn in which they say so. */
  readonly since: number;
}

/**
 * Whoever speaks in the user's place, by the turn: from where they say so to the end, or until the user is there again.
 *
 * @param writtenBy what of a turn its user has written. Default: all of it
 */
export function guestsIn(
  turns: readonly CapturedTurn[],
  writtenBy: (turn: CapturedTurn) => string = ({ content }) => content,
): ReadonlyMap<CapturedTurn, Guest> {
  const guests = new Map<CapturedTurn, Guest>();
  let guest: Guest | undefined;
  for (const turn of turns) {
    if (turn.role !== "user") continue;
    const beginning = writtenBy(turn).slice(0, longestBeginning);
    const introduced = introduction.exec(beginning)?.groups?.["name"];
    if (introduced !== undefined) guest = { name: introduced, since: turn.turn };
    else if (comingBack.test(beginning)) guest = undefined;
    if (guest !== undefined) guests.set(turn, guest);
  }
  return guests;
}

/** What a guest asks to be kept from the user is not kept for them. */
const secret = /(?<!\p{L})(?:don['’]t|do not|never) (?:tell|mention|let)(?!\p{L})/iu;

/**
 * What a guest says is of the guest: `I hate coriander` says so of Tomasz, and nothing of the user. How the assistant is to work is not
 * theirs to say.
 */
export function saidByGuest(statement: TurnStatement, { name: guest, since }: Guest): TurnStatement {
  const isSecret = secret.test(statement.sentence.text);
  const isRule = statement.pattern?.kind === "instinct";
  const isIntroduction = introduction.test(statement.sentence.text.slice(0, longestBeginning));
  const refusal: CaptureReason | undefined = isSecret
    ? "RETRACTED"
    : isIntroduction
      ? "FILLER"
      : isRule
        ? "QUOTED"
        : statement.refusal;
  return {
    ...statement,
    text: named(statement.text, guest),
    said: named(inThirdPerson(statement.said, "user", statement.company), guest),
    explainedBy: statement.explainedBy ?? since,
    refusal,
    pattern: refusal === undefined ? statement.pattern : undefined,
    isWithheld: statement.isWithheld || isSecret,
  };
}

function named(text: string, guest: string): string {
  return text.replaceAll(/(?<!\p{L})the user(?!\p{L})/giu, () => guest);
}
