import { beginsPhrase, phrasesOf } from "./phrases.ts";

/** Words by which a question asks for how things are now, or for what came last. */
const latestWords: ReadonlySet<string> = new Set(
  `last latest lately newest recent recently current currently now nowadays today still anymore presently`.split(" "),
);
const latestPhrases = phrasesOf([
  "at the moment",
  "at present",
  "to date",
  "these days",
  "up to date",
  "any more",
  "any longer",
  "so far",
  "as of",
  "end up",
  "ended up",
  "in the end",
]);

/** What `last` also means: a time that has passed, a name. */
const afterOtherLast: ReadonlySet<string> = new Set(
  "week weekend month year night summer winter spring autumn fall name january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday".split(
    " ",
  ),
);

/** Only so many UTF-16 units of a question are looked at: longer ones are texts that tell more than they ask. */
const lookedAt = 300;

/**
 * Whether a question in English asks for the latest: `what did we decide last?`, `the current deploy day`, `where do I live
 * now?`. Not `last week`, which names a time, nor `how long does it last?`. Takes time linear in at most 300 characters.
 */
export function asksForLatest(question: string): boolean {
  if (question.length > lookedAt) return false;
  const words = question
    .toLowerCase()
    .split(/[^a-z]/u)
    .filter((word) => word !== "");
  return words.some((word, index) => {
    if (word === "last") return !afterOtherLast.has(words[index + 1] ?? "") && !isDuration(words);
    if (latestWords.has(word)) return true;
    return beginsPhrase(words, index, latestPhrases);
  });
}

function isDuration(words: readonly string[]): boolean {
  return words.some((word, index) => word === "how" && words[index + 1] === "long");
}
