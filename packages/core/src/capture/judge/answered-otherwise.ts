import { isPastTense } from "../../text/past-tense.ts";
import { hasVerb } from "../extract/finite-verbs.ts";
import { clausesOf } from "../extract/sentences.ts";
import { isDateWord, isNameLike, isNumberWord, leadingWords } from "../extract/word-kinds.ts";
import { wordGroups } from "../extract/word-groups.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { type Facets, facetsOf } from "./facets.ts";
import type { ReadMemory } from "./read-memory.ts";
import { isSubset } from "./set-relations.ts";

/** `Oat milk as usual?`, `Is the release still on Tuesdays?`, `And the warehouse is Redshift?`: asks whether what is known holds. */
const confirming =
  /(?<!\p{L})(?:still|as (?:usual|always|before|ever|you(?:['\u2019]re| are))|(?:the )?same|the usual)(?!\p{L})|(?:is|are) [^\s?]{2,30}(?: [^\s?]{2,30})?\??$/iu;
/** In UTF-16 units: longer ones ask for more. */
const longestQuestion = 160;

/** Words before what is named: `no, with Ms Sato`. */
const leading: ReadonlySet<string> = new Set([
  ...leadingWords,
  ..."no nope nah not in at on with by to from the a an my our".split(" "),
]);
/** In words. */
const longestNamed = 3;

/**
 * What a statement names instead, where the assistant asked whether something known still holds: `soy` in `Soy, oat gives me a rash`.
 * `undefined`: it begins otherwise, or speaks of a time.
 */
export function namedInstead(question: string | undefined, said: string): Facets | undefined {
  if (question === undefined || question.length > longestQuestion || !confirming.test(question)) return undefined;
  const [first] = clausesOf(said);
  const words = wordsOf(first?.text ?? "");
  const named = words.slice(
    Math.max(
      0,
      words.findIndex(({ text }) => !leading.has(text)),
    ),
  );
  if (named.length === 0 || named.length > longestNamed || said.endsWith("?") || !isNoun(named)) return undefined;
  return facetsOf(named.map(({ raw }) => raw).join(" "));
}

function isNoun(words: readonly Word[]): boolean {
  return (
    !hasVerb(words) &&
    !words.some(
      ({ text }) =>
        isPastTense(text) ||
        isDateWord(text) ||
        isNumberWord(text) ||
        leading.has(text) ||
        ["mood", "transient", "common", "does", "unsure"].some((group) => wordGroups[group]?.has(text) === true),
    )
  );
}

/**
 * Whether a memory has another value than what is named instead of it: the question names the memory's value, and what is named is of the
 * same kind, a name for a name.
 */
export function isAnsweredOtherwise(
  named: Facets | undefined,
  asked: Facets | undefined,
  { memory, facets, value, slotTopics }: ReadMemory,
): boolean {
  if (named === undefined || asked === undefined || named.topics.size === 0) return false;
  const known = value ?? (facets.surelyNamedTopics.size > 0 ? undefined : facets);
  const isAsked =
    known === undefined
      ? [...facets.surelyNamedTopics].every((topic) => asked.topics.has(topic))
      : known.topics.size > 0 && known.numbers.size === 0 && isSubset(known.topics, asked.topics);
  const isKnown = (topic: string): boolean =>
    facets.topics.has(topic) || slotTopics.has(topic) || asked.topics.has(topic);
  if (!isAsked || [...named.topics].some(isKnown)) return false;
  const isOfName = known === undefined || isName(memory.value ?? "");
  return !isOfName || named.namedTopics.size > 0 || isLowerCased(asked, known);
}

function isName(value: string): boolean {
  const words = wordsOf(value);
  return words.some((word) => isNameLike(word, 1));
}

/** Who writes all in lower case writes names so as well; a name alone is asked about then. */
function isLowerCased(asked: Facets, known: Facets | undefined): boolean {
  return known !== undefined && asked.topics.size <= known.topics.size + 1;
}
