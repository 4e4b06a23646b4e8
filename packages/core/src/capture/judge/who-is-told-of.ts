import { isPastTense } from "../../text/past-tense.ts";
import { hasVerb } from "../extract/finite-verbs.ts";
import { wordGroups } from "../extract/word-groups.ts";
import { isNameLike, leadingWords } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";

/** Who has what stands behind them: the speaker, alone or with others. */
export const owners: ReadonlySet<string> = new Set("i we my our user team family".split(" "));
/** The speaker is one of them. */
const together: ReadonlySet<string> = new Set("family team".split(" "));
/** In words: what leads up to whoever is spoken of, as `oh by the way` does. */
const longestLead = 4;
/** `my much younger sister` */
const longestOwner = 3;

/**
 * Whoever the speaker has, at the beginning: `my dad's birthday`, `the user's sister`, `where does your wife work`. Who says `I` as well
 * speaks of both, `my sister and I moved`, unless it is in another clause: `my sister moved to Brussels and I visit her`.
 */
export function personOf(words: readonly Word[]): string | undefined {
  const first = words.slice(0, longestLead + 1).findIndex(({ text }) => owners.has(text) || text === "your");
  if (first < 0) return undefined;
  const owned = words.slice(first + 1, first + 1 + longestOwner).map(({ text }) => text);
  const isPossessed = /^(?:my|our|your)$/.test(words[first]?.text ?? "") || owned[0] === "'s";
  const place = isPossessed
    ? owned.findIndex((text) => wordGroups["relation"]?.has(text) === true && !together.has(text))
    : -1;
  if (place < 0) return undefined;
  const speaker = words.findIndex(({ text }) => text === "i" || text === "we");
  const between = words.slice(first + 1 + place, Math.max(0, speaker)).map(({ text }) => text);
  return speaker < 0 || between.some((text) => isPastTense(text) || wordGroups["does"]?.has(text) === true)
    ? owned[place]
    : undefined;
}

/** Whom a sentence may begin with who is not the speaker: `Dad cancelled his`, `the couple upstairs moved out`. */
const others: ReadonlySet<string> = new Set(
  "mum mom dad granny grandma grandpa somebody someone people couple neighbours neighbors neighbour neighbor colleague colleagues coworker coworkers tenant tenants guy guys woman lady folks students parents friend friends flatmate flatmates roommate roommates housemate mate mates girl boy man kids children".split(
    " ",
  ),
);
/** Whether a doer is one of those who are not called by a name. */
export function isOfOthers(doer: string): boolean {
  return others.has(doer);
}

const beforeOthers: ReadonlySet<string> = new Set("the a some my our two three".split(" "));
/** In words. */
const longestSubject = 3;
/** `Half of the class dropped out` */
const partly: ReadonlySet<string> = new Set("half most some many several one two three".split(" "));

function isPastVerb(word: string): boolean {
  return doneByNow.has(word) || /[^e]ed$/.test(word);
}

const doneByNow: ReadonlySet<string> = new Set("was moved left quit started stopped".split(" "));

const ofSpeaker: ReadonlySet<string> = new Set("my our me us".split(" "));
/** `The doctor halved my dose`. In words. */
const longestBeginning = 6;

function isSpeaker(text: string, next: string | undefined): boolean {
  return text === "i" || text === "we" || ((text === "user" || text === "team") && next !== "'s");
}

const ofWhom: ReadonlySet<string> = new Set("from in of at".split(" "));

/** `My flatmate has stopped`, `one of my old mates left`, `a friend from my year`: tells whose the doer is, and nothing of the speaker. */
function leadsTo(doer: string | undefined, words: readonly Word[], index: number): boolean {
  const isBehind = words[index - 2]?.text === doer && ofWhom.has(words[index - 1]?.text ?? "");
  if (isBehind && others.has(doer ?? "")) return true;
  return words.slice(index + 1, index + 1 + longestOwner).some(({ text }) => text === doer && others.has(text));
}

/** `Goes swimming`, `Has a dog`: a verb without a subject. */
export function isToldOfTheUser([first, second]: readonly Word[]): boolean {
  if (first === undefined || second === undefined || first.start > 0 || second.text === "not") return false;
  if (first.text === "is" && /^(?:an?|the)$/.test(second.text)) return true;
  return (
    wordGroups["does"]?.has(first.text) === true ||
    (/\p{L}{3}[^s']s$/u.test(first.text) && !hasVerb([second]) && !isPastVerb(second.text))
  );
}

/** `I eat fish`, `Eats fish`, `The user eats fish` are of the user, `Paul eats fish` is of Paul. */
export function doerOf(words: readonly Word[]): string | undefined {
  const start = words.findIndex(({ text }) => !leadingWords.has(text));
  const [first, second, third] = words.slice(start);
  if (first === undefined) return undefined;
  if (
    isToldOfTheUser(words) ||
    first.text === "i" ||
    (first.text === "the" && second?.text === "user" && third?.text !== "'s")
  )
    return "user";
  if (/^(?:he|she)$/.test(first.text)) return first.text;
  if (second?.text === "of" && partly.has(first.text)) return first.text;
  const somebody = words.slice(start, start + longestSubject).find(({ text }) => others.has(text));
  if (somebody !== undefined && (somebody === first || beforeOthers.has(first.text))) return somebody.text;
  const verb = second?.text ?? "";
  // `Finally cancelled it` names nobody.
  const isDoer = /^\p{Lu}\p{Ll}/u.test(first.raw) && !first.text.endsWith("ly") && isNameLike(first, 1);
  return isDoer && (wordGroups["does"]?.has(verb) === true || isPastVerb(verb)) ? first.text : undefined;
}

/** Whether words say `I` or `we`, or the same in the third person, or `my` at the beginning. @param doer of the words, as `doerOf` tells */
export function tellsOfSpeaker(words: readonly Word[], doer: string | undefined): boolean {
  return (
    words.some(({ text }, index) => isSpeaker(text, words[index + 1]?.text)) ||
    words.slice(0, longestBeginning).some(({ text }, index) => ofSpeaker.has(text) && !leadsTo(doer, words, index)) ||
    isToldOfTheUser(words)
  );
}
