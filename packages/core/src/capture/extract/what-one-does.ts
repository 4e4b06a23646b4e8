import { isPastTense } from "../../text/past-tense.ts";
import { stopWords } from "../../text/stop-words.ts";
import { leadingWords } from "./word-kinds.ts";
import type { Word } from "./words.ts";

/** What is felt, thought, asked, or done by being said: `I see`, `we hope`, `I attach`. */
const said: ReadonlySet<string> = new Set(
  `think know guess mean feel hope wish see hear say tell ask wonder believe suppose assume remember forget understand agree
   promise apologise apologize thank appreciate love like hate prefer enjoy want need get give take let look try paste attach send
   share show notice find seem suggest recommend expect doubt swear bet admit regret mind care worry imagine fear trust bother
   repeat confirm mention copy quote insist propose request beg plan intend decide put set cut hit read cost quit shut hurt come go
   talk speak stand sit wait stay start begin stop continue keep end run`.split(/\s+/u),
);
const adverbs: ReadonlySet<string> = new Set(
  "also now just only still mostly mainly both all never always rarely seldom often usually".split(" "),
);
/** In words that mean something, the verb and what stands behind it. */
const fewestSaid = 2;

/**
 * `We validate by hand in this repo`: in the simple present it is what somebody does, and not what just happens.
 */
export function tellsWhatOneDoes(words: readonly Word[]): boolean {
  const start = words.findIndex(({ text }) => !leadingWords.has(text));
  const [subject, ...rest] = words.slice(Math.max(0, start));
  if (subject?.text !== "i" && subject?.text !== "we") return false;
  const place = rest.findIndex(({ text }) => !adverbs.has(text));
  const verb = rest[place];
  return (
    verb !== undefined &&
    rest.length - place > fewestSaid &&
    contentWordsOf(rest.slice(place)) > fewestSaid &&
    /^[a-z]{3,20}$/u.test(verb.text) &&
    !said.has(verb.text) &&
    !stopWords.has(verb.text) &&
    !/(?:ing|ly|ever|ways)$/u.test(verb.text) &&
    !isPastTense(verb.text)
  );
}

function contentWordsOf(words: readonly Word[]): number {
  return words.filter(({ text }) => !stopWords.has(text)).length;
}
