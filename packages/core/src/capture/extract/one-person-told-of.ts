import { isPastTense } from "../../text/past-tense.ts";
import { isFinite } from "./finite-verbs.ts";
import { withoutLeadWords } from "./lead-words.ts";
import { inThirdPerson } from "./third-person.ts";
import { wordGroups } from "./word-groups.ts";
import { isDateWord, isNameLike } from "./word-kinds.ts";
import { wordsOf } from "./words.ts";

/** `My sister Ines`; but not `my sister's husband`, and not `my sister and I`. */
const somebodyOfUser =
  /^(?:[Mm]y|[Oo]ur) (?:(?:older|younger|elder|little|big|twin|new|old) )?(\p{L}{2,15})(?: \p{Lu}\p{Ll}{1,20})?(?= (?!(?:\p{Lu}\p{Ll}{1,20} )?(?:and|&) )|$)/u;
const somebodyNamed = /^(\p{Lu}\p{Ll}{1,20})(?= )/u;
/** `The nanny`, `my new physio` */
const somebodyMentioned = /(?<!\p{L})(my|our|the|an?) (?:(?:new|old) )?(\p{L}{2,15})(?!\p{L})/giu;

/** The one person whom a sentence mentions by what they are, `a message to the nanny`, in the words of somebody else. `undefined`: none, or several. */
export function onlyOneMentioned(sentence: string): string | undefined {
  const mentioned = [...sentence.matchAll(somebodyMentioned)].filter(([, , who = ""]) => {
    const word = who.toLowerCase();
    return (isRelation(word) || ofHousehold.has(word)) && !ofSeveral.test(word);
  });
  const [only, another] = mentioned;
  if (only === undefined || another !== undefined) return undefined;
  const [, whose = "", who = ""] = only;
  return /^(?:my|our)$/iu.test(whose) ? inThirdPerson(`${whose.toLowerCase()} ${who}`) : `the ${who}`;
}

/** Who works for somebody at home. */
const ofHousehold: ReadonlySet<string> = new Set(
  "nanny babysitter childminder cleaner gardener tenant landlady trainer instructor driver plumber electrician builder".split(
    " ",
  ),
);

/** Who does what a sentence tells, when it begins with one person: `Ines`, `the user's daughter Ines`. */
export function subjectOf(sentence: string, isShe: boolean): string | undefined {
  const text = withoutLeadWords(sentence);
  const own = somebodyOfUser.exec(text);
  if (own !== null) {
    const relation = own[1]?.toLowerCase() ?? "";
    const isOne = isRelation(relation) && !ofSeveral.test(relation) && !(isShe ? men : women).has(relation);
    return isOne ? inThirdPerson(own[0]) : undefined;
  }
  const name = somebodyNamed.exec(text)?.[0];
  if (name === undefined) return onlyOneAskedFor(text, isShe);
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
export function onlyOneAskedFor(text: string, isShe: boolean): string | undefined {
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
