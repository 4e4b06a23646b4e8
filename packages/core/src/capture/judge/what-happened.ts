import { callsUntrue, tellsBelief, tellsReport } from "../extract/hearsay.ts";
import { isParticiple } from "../../text/past-tense.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { changesIn, denying, leadsTo } from "./change-verbs.ts";
import { pairs } from "./changes.ts";
import { isForNow } from "./for-now.ts";
import { clausesIn, resumption } from "./resumption.ts";

/** What is nearly so, meant to be or thought of. */
const nearly: ReadonlySet<string> = new Set(
  "almost nearly want wants wanted wanting plan plans planned planning intend intended going about tempted thinking considering considered tried trying hoped hoping meant refused".split(
    " ",
  ),
);
/** Behind them stands what may be: `could have left`, `might quit`. `I'd left` is another tense. */
const supposing: ReadonlySet<string> = new Set("would could might should may".split(" "));
const conditional: ReadonlySet<string> = new Set(
  "if unless whether suppose supposing imagine wish hypothetically".split(" "),
);

/**
 * The words of a text without the clauses that tell of a change or an end that did not take place: it is denied (`I haven't left`),
 * supposed (`if I quit`), nearly so (`we almost sold it`), what others think (`Tom thinks I quit`), only for now (`closed until Monday`)
 * or taken back (`we cancelled it, but signed up again`). Linear in the length.
 *
 * @param words of the whole text
 */
export function wordsOfWhatHappened(text: string, words: readonly Word[]): readonly Word[] {
  return mayNotHaveHappened(words) ? withoutWhatDidNotHappen(clausesIn(text)).flat() : words;
}

/** Of the clauses of a text those that do not tell only of what did not take place. */
export function withoutWhatDidNotHappen(clauses: readonly (readonly Word[])[]): readonly (readonly Word[])[] {
  if (!clauses.some(mayNotHaveHappened)) return clauses;
  const isUntrue = clauses.some(callsUntrue);
  const resumed = resumption(clauses);
  let isLeftOut = false;
  let wasEarlier = false;
  return clauses.filter((clause, place) => {
    const isResumed = place === resumed || (place < resumed && changesIn(clause).length > 0);
    // `It's shut on Saturday, so no cleaning`
    // `We had a budgie years ago, he died in 2015`
    const goesOnWithIt = wasEarlier && ofSomebody.has(clause[0]?.text ?? "");
    wasEarlier = goesOnWithIt || isOfAnEarlierOne(clause);
    const followsFromIt = goesOnWithIt || (isLeftOut && clause[0]?.text === "so");
    isLeftOut = followsFromIt || isResumed || didNotHappen(clause, isUntrue);
    return !isLeftOut;
  });
}

function mayNotHaveHappened(words: readonly Word[]): boolean {
  return changesIn(words).length > 0 || words.some(({ text }) => conditional.has(text));
}

/** @param isUntrue something near it says that what is reported is not so */
function didNotHappen(clause: readonly Word[], isUntrue: boolean): boolean {
  const changes = changesIn(clause);
  if (isConjecture(clause)) return true;
  if (changes.length === 0) return false;
  if (isOfAnEarlierOne(clause) && !tellsOfGivingUp(clause)) return true;
  return changes.every((index) => {
    const before = clause.slice(0, index);
    return (
      isSupposed(clause, index) ||
      isDenied(clause, index) ||
      tellsBelief(before) ||
      (isUntrue && tellsReport(before)) ||
      isForNow(clause, index)
    );
  });
}

/** `If the venue has no roof we'd have to shift it` */
function isConjecture(words: readonly Word[]): boolean {
  return conditional.has(words[0]?.text ?? "") && words.some(({ text }) => text === "would");
}

/** `Not sold any more` is over. */
function isDenied(words: readonly Word[], index: number): boolean {
  if (["more", "longer"].some((word) => pairs(words, "any", word) || pairs(words, "no", word))) return false;
  return leadsTo(words, index, denying) || (words[index - 2]?.text === "no" && words[index - 1]?.text === "one");
}

function isSupposed(words: readonly Word[], index: number): boolean {
  return (
    words.slice(0, index).some(({ text }) => conditional.has(text)) ||
    leadsTo(words, index, nearly) ||
    isWanted(words, index) ||
    (leadsTo(words, index, supposing) &&
      (words[index]?.text === "quit" || !supposing.has(words[index - 1]?.text ?? "")))
  );
}

const wanting: ReadonlySet<string> = new Set("want wants wanted need needs needed".split(" "));
/** In words: whose what it is that somebody wants done. */
const longestWanted = 3;

/** `Coop wants their data deleted` */
function isWanted(words: readonly Word[], index: number): boolean {
  const from = Math.max(0, index - longestWanted - 1);
  return words.slice(from, index - 1).some(({ text }) => wanting.has(text)) && isParticiple(words[index]?.text ?? "");
}

/** `We should have taken the other one`, `it would have had more`: it is not so. */
export function tellsWhatWouldHaveBeen(words: readonly Word[]): boolean {
  return words.some(({ text }, index) => supposing.has(text) && words[index + 1]?.text === "have");
}

/** Of an earlier one: `our previous cat`, `my very first car`; or of long ago: `when I was nineteen`, `two winters ago`. */
function isOfAnEarlierOne(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) =>
      earlier.has(text) ||
      (longSpans.has(text) && /^(?:ago|back)$/.test(words[index + 1]?.text ?? "")) ||
      (text === "first" && /^(?:my|our|very)$/.test(words[index - 1]?.text ?? "")) ||
      (text === "when" && pairs(words.slice(index + 1, index + 3), "i", "was")),
  );
}

const givingUp: ReadonlySet<string> = new Set("quit stopped".split(" "));

/** `I quit smoking two years ago`: so it is still. */
function tellsOfGivingUp(words: readonly Word[]): boolean {
  return words.some(({ text }, index) => givingUp.has(text) && /^\p{L}{2,20}ing$/u.test(words[index + 1]?.text ?? ""));
}

const ofSomebody: ReadonlySet<string> = new Set("he she it they".split(" "));
const longSpans: ReadonlySet<string> = new Set("years winters summers decades".split(" "));
const earlier: ReadonlySet<string> = new Set("previous former childhood".split(" "));

/**
 * A text that tells of a change without what came behind it: of `I quit Harker's long before Lumen`, Lumen is what there is now.
 *
 * @param said one sentence
 */
export function withoutWhatCameLater(said: string): string {
  if (!said.includes("before") && !said.includes("Before")) return said;
  const words = wordsOf(said);
  if (changesIn(words).length === 0) return said;
  const at = words.findIndex(({ text }) => text === "before");
  const from = words[at];
  if (from === undefined) return said;
  const end = /[,.;:!?]/.exec(said.slice(from.end, from.end + longestLater))?.index;
  return end === undefined && said.length > from.end + longestLater
    ? said
    : said.slice(0, from.start) + (end === undefined ? "" : said.slice(from.end + end));
}

/** In UTF-16 units. */
const longestLater = 40;
