import type { CaptureReason } from "@loci/domain";
import { withoutLeadWords } from "./lead-words.ts";
import { namesSomebody } from "./named-somebody.ts";
import { onlyOneAskedFor, onlyOneMentioned, subjectOf } from "./one-person-told-of.ts";
import type { TurnStatement } from "./turn-statement.ts";

const pronoun = /^(?:she|he)(?=['\u2019 ])/iu;
/** `She's five months, her name is Wren` */
const naming = /\bname['\u2019]?s?(?: is)? \p{Lu}|\bcalled \p{Lu}/u;
/** `Her name's Bea` */
const named = /^(?:her|his)(?= name(?:['\u2019]s| is) \p{Lu})/iu;
const contraction = /^['\u2019]s /u;
/** Behind these `she's` is `she has`. */
const perfect =
  /^['\u2019]s (?:just |already |also |never )?(?:got|been|had|gone|become|moved|started|joined|left|quit) /u;

/** What is not worth remembering may tell of somebody all the same: `Ines turned 10 yesterday!` */
const mayTellOf: ReadonlySet<CaptureReason | undefined> = new Set([undefined, "TRANSIENT", "VAGUE", "QUOTED"]);

/** Who a pronoun means. */
export interface MeantPerson {
  /** In the words of somebody else: `Ines`, `the user's daughter Ines`. */
  readonly name: string;
  /** The turn that tells it. */
  readonly turn: number;
}

/**
 * Whom `she` or `he` at the beginning of what is said means: who was told of last, in the same turn or the user's turn before it, when
 * that sentence begins with who it is. `undefined`: nobody of whom that is sure.
 */
export function whomItMeans(
  said: string,
  near: readonly TurnStatement[],
  turn: TurnStatement["turn"],
): MeantPerson | undefined {
  const told = withoutLeadWords(said);
  if (named.test(told)) return whoIsNamed(near.at(-1), turn);
  if (!pronoun.test(told) || naming.test(told)) return undefined;
  const lastTold = near.findLast((each) => each.turn !== turn)?.turn;
  const place = near.findLastIndex(
    (each) =>
      (each.turn === turn || each.turn === lastTold) && (namesSomebody(each.words) || pronoun.test(each.sentence.text)),
  );
  const last = near[place];
  if (last?.refusal === "QUESTION") {
    const asked =
      last.turn === turn ? onlyOneAskedFor(last.sentence.text, told.toLowerCase().startsWith("she")) : undefined;
    return asked === undefined ? undefined : { name: asked, turn: turn.turn };
  }
  if (last === undefined || !mayTellOf.has(last.refusal)) return undefined;
  // `He was a baker. He likes choirs`: of the same one.
  const before = withoutLeadWords(last.sentence.text);
  if (pronoun.exec(before)?.[0].toLowerCase() === pronoun.exec(told)?.[0].toLowerCase())
    return whomItMeans(before, near.slice(0, place), last.turn);
  const name = subjectOf(last.sentence.text, told.toLowerCase().startsWith("she"));
  return name === undefined ? undefined : { name, turn: last.turn.turn };
}

/** Whose name is told: of the one person whom the sentence before it mentions, `a message to the nanny`. */
function whoIsNamed(before: TurnStatement | undefined, turn: TurnStatement["turn"]): MeantPerson | undefined {
  if (before === undefined || before.turn !== turn) return undefined;
  const name = onlyOneMentioned(before.sentence.text);
  return name === undefined ? undefined : { name, turn: turn.turn };
}

/** With a name for the pronoun that a statement begins with. */
export function withName(said: string, name: string): string {
  if (named.test(withoutLeadWords(said))) return withoutLeadWords(said).replace(named, `${name}'s`);
  const told = withoutLeadWords(said).replace(pronoun, "");
  const verb = perfect.test(told) ? " has " : " is ";
  return name + told.replace(contraction, verb);
}
