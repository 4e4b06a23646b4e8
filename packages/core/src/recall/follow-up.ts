import { stopWords } from "../text/stop-words.ts";

/** A longer message says itself what it is about. In UTF-16 units. */
const longestFollowUp = 120;
/** So many words that mean something may stand beside a pronoun. */
const mostBesidePronoun = 5;
/** `From where?`, `which colour?`: so many words, and of them so many that mean something. */
const mostWordsOfBare = 4;
const mostContentOfBare = 1;
/** So many messages back it may be what a follow-up goes on from. */
const farthest = 6;
/** So much of it, from its end, is asked with. In UTF-16 units. */
const longestBefore = 300;

const beginnings: ReadonlySet<string> = new Set("and or but".split(" "));
const pronouns: ReadonlySet<string> = new Set(
  "it its he him his she her hers they them their theirs there then ones".split(" "),
);
/** `Who leads that?`; but `this project` is one that both know. */
const pointingAtEnd: ReadonlySet<string> = new Set("that this those these one".split(" "));
const endings: ReadonlySet<string> = new Set("too either also".split(" "));
const asking: ReadonlySet<string> = new Set(
  "who whom whose what which when where why how until since from with about for at by".split(" "),
);

/** What has one of these is a sentence: `when is the exam?` */
const ofSentences: ReadonlySet<string> = new Set(
  "is are was were am be do does did have has had will would can could should shall may might must the a an my our your".split(
    " ",
  ),
);

/**
 * Whether a message in English goes on from what was said before it: `and on Saturday?`, `when is she back?`, `on flights too?`,
 * `since when?`. By itself it does not tell what it is about. Takes time linear in at most 120 characters.
 */
export function isFollowUp(message: string): boolean {
  if (message.length > longestFollowUp) return false;
  const spelt = message.match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = spelt.map((word) => word.toLowerCase());
  const [first = "", second] = words;
  if (words.length === 0) return false;
  if (beginnings.has(first) || ((first === "what" || first === "how") && second === "about")) return true;
  if (endings.has(words.at(-1) ?? "")) return true;
  const content = words.filter((word) => !stopWords.has(word) && !pronouns.has(word) && !asking.has(word)).length;
  const pronoun = words.findIndex((word) => pronouns.has(word));
  // `What has Melanie done with her family?` says itself whom it means.
  const isNamed = spelt.slice(1, Math.max(1, pronoun)).some((word) => /^\p{Lu}\p{L}/u.test(word));
  if ((pronoun >= 0 && !isNamed) || pointingAtEnd.has(words.at(-1) ?? "")) return content <= mostBesidePronoun;
  const isBare = words.length <= mostWordsOfBare && !words.some((word) => ofSentences.has(word));
  return asking.has(first) && isBare && content <= mostContentOfBare;
}

/**
 * What memories are looked for by: the latest message of a user, and where that goes on from what they said before it, that as well.
 * The memories of both are then among those that answer.
 *
 * @param before what the user said before it, the newest first; read as far as it is needed
 */
export function askedTogether(latest: string, before: Iterable<string>): string {
  if (!isFollowUp(latest)) return latest;
  let looked = 0;
  for (const text of before) {
    if (text.trim() !== "" && !isFollowUp(text)) return `${latest}\n${text.slice(-longestBefore).toWellFormed()}`;
    if (++looked === farthest) break;
  }
  return latest;
}
