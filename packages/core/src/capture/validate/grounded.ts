import { foldText } from "../../text/fold-text.ts";
import { relativeDates } from "../extract/relative-dates.ts";
import { wordGroups } from "../extract/word-groups.ts";
import { isNameLike, isNumberWord } from "../extract/word-kinds.ts";
import { wordsOf } from "../extract/words.ts";
import { facetsOf } from "../judge/facets.ts";
import { topicsOf } from "../judge/topics.ts";

const ownWords: ReadonlySet<string> = new Set(
  "user user's users team team's assistant assistant's project the".split(" "),
);
const sentenceStart = /(?:^|[.!?:]\s{0,3})$/;

/**
 * Whether every number, date, identifier and capitalised name of a text stands in what it cites. Numbers may be written out there,
 * and a day may follow from the time at which a turn was said.
 *
 * @param cited the cited turns and those before them
 */
export function isGrounded(text: string, cited: readonly { readonly content: string; readonly at: number }[]): boolean {
  const source = foldText(cited.map(({ content }) => content).join("\n"));
  const known = new Set(
    wordsOf(source.slice(0, longestSource)).flatMap(({ text: word, raw }) => [word, raw.toLowerCase()]),
  );
  const numbers = facetsOf(source).numbers;
  const days = new Set(
    cited.flatMap(({ content, at }) =>
      relativeDates(content.slice(0, longestSource), at).flatMap(({ date, shown }) => [date, shown]),
    ),
  );
  return wordsOf(text).every((word, index) => {
    if (known.has(word.text) || ownWords.has(word.text) || days.has(word.raw)) return true;
    if (isNumberWord(word.text)) return [...facetsOf(word.raw).numbers].every((number) => numbers.has(number));
    // What begins a sentence has its capital from there.
    const begins =
      sentenceStart.test(text.slice(Math.max(0, word.start - 5), word.start)) && !/[\d_]|\p{Ll}\p{Lu}/u.test(word.raw);
    return begins || wordGroups["common"]?.has(word.text) === true || !isNameLike(word, index);
  });
}

/** So much of what is cited is read, in UTF-16 units. */
const longestSource = 20_000;

/** So much of what a text is about has to be in what it cites and what was said before that, */
const supportedShare = 0.5;
/** and so much in what it cites alone. */
const citedShare = 1 / 3;

/**
 * Whether what a text is about was said: a model may put it into other words, and not say something else. A text that is about
 * nothing needs no support.
 *
 * @param around the cited turns, and those before them that may explain them
 */
export function isSupported(text: string, cited: readonly Said[], around: readonly Said[]): boolean {
  const { topics } = facetsOf(text);
  const share = (turns: readonly Said[]): number => {
    const said = topicsOf(turns.map(({ content }) => content.slice(0, longestSource)).join("\n"));
    return [...topics].filter((topic) => said.has(topic)).length / topics.size;
  };
  return topics.size === 0 || (share(cited) >= citedShare && share(around) >= supportedShare);
}

interface Said {
  readonly content: string;
}
