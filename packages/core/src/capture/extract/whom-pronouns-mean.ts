import type { CaptureReason } from "@loci/domain";
import { isPastTense } from "../../text/past-tense.ts";
import { isFinite } from "./finite-verbs.ts";
import { withoutLeadWords } from "./lead-words.ts";
import { namesSomebody } from "./named-somebody.ts";
import { inThirdPerson } from "./third-person.ts";
import type { TurnStatement } from "./turn-statement.ts";
import { wordGroups } from "./word-groups.ts";
import { isDateWord, isNameLike } from "./word-kinds.ts";
import { wordsOf } from "./words.ts";

const pronoun = /^(?:she|he)(?=['\u2019 ])/iu;
/** `She's five months, her name is Wren` */
const naming = /\bname['\u2019]?s?(?: is)? \p{Lu}|\bcalled \p{Lu}/u;
/** `Her name's Bea` */
const named = /^(?:her|his)(?= name(?:['\u2019]s| is) \p{Lu})/iu;
/** `The nanny`, `my new physio` */
const somebodyMentioned = /(?<!\p{L})(my|our|the|an?) (?:(?:new|old) )?(\p{L}{2,15})(?!\p{L})/giu;
const contraction = /^['\u2019]s /u;
/** Behind these `she's` is `she has`. */
const perfect =
  /^['\u2019]s (?:just |already |also |never )?(?:got|been|had|gone|become|moved|started|joined|left|quit) /u;

/** `My sister Ines`; but not `my sister's husband`, and not `my sister and I`. */
const somebodyOfUser =
  /^(?:[Mm]y|[Oo]ur) (?:(?:older|younger|elder|little|big|twin|new|old) )?(\p{L}{2,15})(?: \p{Lu}\p{Ll}{1,20})?(?= (?!(?:\p{Lu}\p{Ll}{1,20} )?(?:and|&) )|$)/u;
const somebodyNamed = /^(\p{Lu}\p{Ll}{1,20})(?= )/u;

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
    const asked = last.turn === turn ? onlyOneIn(last.sentence.text, told.toLowerCase().startsWith("she")) : undefined;
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
  const mentioned = [...before.sentence.text.matchAll(somebodyMentioned)].filter(([, , who = ""]) => {
    const word = who.toLowerCase();
    return (isRelation(word) || ofHousehold.has(word)) && !ofSeveral.test(word);
  });
  const [only, another] = mentioned;
  if (only === undefined || another !== undefined) return undefined;
  const [, whose = "", who = ""] = only;
  const name = /^(?:my|our)$/iu.test(whose) ? inThirdPerson(`${whose.toLowerCase()} ${who}`) : `the ${who}`;
  return { name, turn: turn.turn };
}

/** Who works for somebody at home. */
const ofHousehold: ReadonlySet<string> = new Set(
  "nanny babysitter childminder cleaner gardener tenant landlady trainer instructor driver plumber electrician builder".split(
    " ",
  ),
);

/** With a name for the pronoun that a statement begins with. */
export function withName(said: string, name: string): string {
  if (named.test(withoutLeadWords(said))) return withoutLeadWords(said).replace(named, `${name}'s`);
  const told = withoutLeadWords(said).replace(pronoun, "");
  const verb = perfect.test(told) ? " has " : " is ";
  return name + told.replace(contraction, verb);
}

/** Who does what a sentence tells, when it begins with one person: `Ines`, `the user's daughter Ines`. */
function subjectOf(sentence: string, isShe: boolean): string | undefined {
  const text = withoutLeadWords(sentence);
  const own = somebodyOfUser.exec(text);
  if (own !== null) {
    const relation = own[1]?.toLowerCase() ?? "";
    const isOne = isRelation(relation) && !ofSeveral.test(relation) && !(isShe ? men : women).has(relation);
    return isOne ? inThirdPerson(own[0]) : undefined;
  }
  const name = somebodyNamed.exec(text)?.[0];
  if (name === undefined) return onlyOneIn(text, isShe);
  const [first, next] = wordsOf(text);
  const acts =
    isFinite(next?.text ?? "") || isPastTense(next?.text ?? "") || wordGroups["does"]?.has(next?.text ?? "") === true;
  const isName = first !== undefined && !isDateWord(first.text) && wordGroups["common"]?.has(first.text) !== true;
  return isName && acts && next?.text !== "i" && !ofSeveral.test(name) ? name : undefined;
}

const oneOfUser =
  /(?<=(?<!\p{L})(?:for|from|with|about|to|of|call|see|meet|visit|ask|tell) )(?:my|our) (\p{L}{2,15})(?!\p{L}|['\u2019]s)/giu;

/** `An agenda for Kemi?` */
const nameBehind =
  /(?<!\p{L})(?:for|with|about|to|from|call|see|meet|visit|ask|tell) (\p{Lu}\p{Ll}{1,20})(?=[?.!,]|$)/gu;

/** `Need a present for my dad`: of the only one whom the sentence mentions. */
function onlyOneIn(text: string, isShe: boolean): string | undefined {
  const [only, another] = [...text.matchAll(oneOfUser)].filter(([, who = ""]) => isRelation(who.toLowerCase()));
  const relation = only?.[1]?.toLowerCase() ?? "";
  const names = wordsOf(text).filter((word, index) => index > 0 && isNameLike(word, index));
  if (only === undefined && names.length === 1 && /^\p{L}+$/u.test(names[0]?.raw ?? ""))
    return [...text.matchAll(nameBehind)].at(-1)?.[1];
  if (only === undefined || another !== undefined || names.length > 0) return undefined;
  return ofSeveral.test(relation) || (isShe ? men : women).has(relation) ? undefined : inThirdPerson(only[0]);
}

const women: ReadonlySet<string> = new Set(
  "mother mum mom sister daughter wife girlfriend aunt niece grandma grandmother granddaughter gf nan gran".split(" "),
);
const men: ReadonlySet<string> = new Set(
  "father dad brother son husband boyfriend uncle nephew grandpa grandfather grandson bf hubby".split(" "),
);

function isRelation(word: string): boolean {
  return wordGroups["relation"]?.has(word) === true || wordGroups["professional"]?.has(word) === true;
}

const ofSeveral = /^(?:parents|kids|children|family|team|twins?|friends|people|everybody|everyone|nobody|somebody)$/iu;
