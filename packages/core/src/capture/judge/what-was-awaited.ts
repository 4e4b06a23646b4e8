import { isPastTense } from "../../text/past-tense.ts";
import { clausesOf } from "../extract/sentences.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { facetsOf } from "./facets.ts";
import type { ReadMemory } from "./read-memory.ts";
import { areApart, sharedIn } from "./set-relations.ts";
import { topicsOf } from "./topics.ts";

/** In words: between `not` and what is awaited. */
const widest = 2;
const participles: ReadonlySet<string> = new Set("come been gone done seen sent run begun".split(" "));
/** With one of these it did not happen, or nobody knows. */
const unreal: ReadonlySet<string> = new Set(
  "not never no nobody if once when until till unless before should would could might nearly almost".split(" "),
);

const openWords = /\b(?:yet|still)\b/iu;

/** What somebody waits for, as a text tells it: `paid` in `Carlsen has not paid invoice 2207 yet`. */
function awaitedIn(words: readonly Word[]): string | undefined {
  const at = words.findIndex(({ text }) => text === "not");
  const isOpen = words.some(({ text }, index) => text === "yet" || (text === "still" && index < at));
  if (at < 0 || !isOpen) return undefined;
  return words.slice(at + 1, at + 1 + widest).find(({ text }) => isPastTense(text) || participles.has(text))?.text;
}

function numbersIn(words: readonly Word[]): ReadonlySet<string> {
  return new Set(words.map(({ text }) => text).filter((text) => /\d/u.test(text)));
}

/**
 * The memories that tell of what has not happened yet where a statement says that it has: `Carlsen paid 2207` ends `Carlsen has not paid
 * invoice 2207 yet`, and no other invoice. Linear in both.
 */
export function toldOfWhatWasAwaited(said: string, memories: Iterable<ReadMemory>): readonly ReadMemory[] {
  // Few memories are of that kind, and each statement is held against all.
  const waiting = [...memories].filter(({ memory }) => openWords.test(memory.text));
  if (waiting.length === 0) return [];
  const happened = clausesOf(said)
    .map(({ text }) => ({ text, words: wordsOf(text) }))
    .filter(({ words }) => !words.some(({ text }) => unreal.has(text)));
  if (happened.length === 0) return [];
  return waiting.filter(({ memory, facets }) => {
    const verb = awaitedIn(wordsOf(memory.text));
    if (verb === undefined) return false;
    const [root] = topicsOf(verb);
    // Facets have no number of what did not happen, nor of what something is called by.
    const numbers = numbersIn(wordsOf(memory.text));
    const awaited = new Set([...facets.topics].filter((topic) => topic !== root));
    return happened.some(({ text, words }) => {
      if (!words.some((word) => word.text === verb)) return false;
      const told = facetsOf(text);
      const toldNumbers = numbersIn(words);
      const named = sharedIn(awaited, told.topics) + sharedIn(numbers, toldNumbers);
      const isOther = areApart(numbers, toldNumbers) || areApart(facets.names, told.names);
      return !isOther && named > 0 && 2 * named >= awaited.size;
    });
  });
}
