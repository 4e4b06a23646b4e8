import { isPastTense } from "../../text/past-tense.ts";
import { stopWords } from "../../text/stop-words.ts";
import { leadingWords } from "./word-kinds.ts";
import type { Word } from "./words.ts";

/** What who says so in the simple present does again and again, with whatever object: `I keep bees`. */
const habitual: ReadonlySet<string> = new Set(
  `babysit bake bike blog bowl box breed brew busk camp carve carpool climb coach collect commute compose crochet cycle dance dive draw
   drive dye embroider farm fence fish foster garden grow hike host hunt inject jog juggle keep knit lease manage meditate mentor moderate
   moonlight narrate own paint photograph play practise practice raise rap referee repair restore ride roast row sail sculpt sell sew shave sing skate
   ski smoke snorkel speak stammer stutter study surf swim take teach train translate trade tutor upcycle vape volunteer vote wear weave weld
   whittle windsurf write`.split(/\s+/u),
);
const adverbs: ReadonlySet<string> = new Set(
  "also still mostly mainly only both usually sometimes occasionally often".split(" "),
);
/** What these are done with is spoken of already, or is told of this moment. */
const noObjects: ReadonlySet<string> = new Set(
  `it that this them these those you your him her me us what which how why where when if one ones something anything everything nothing note notice
   care time turn turns part place advantage account credit offence responsibility blame risk risks break breaks look point hint issue exception
   track pace quiet still going asking thinking wondering getting forgetting
   model models network script function method code command idea file files data bug picture`.split(/\s+/u),
);
/** In words: `the accordion in a folk band`. */
const longestObject = 6;

/** `I take metformin`, `we keep geese`, `I sell candles at the market`: somebody does it, and not only now. Linear in the number of words. */
export function tellsPlainHabit(words: readonly Word[]): boolean {
  const start = words.findIndex(({ text }) => !leadingWords.has(text));
  const [subject, ...rest] = words.slice(Math.max(0, start));
  if (subject?.text !== "i" && subject?.text !== "we") return false;
  const place = rest.findIndex(({ text }) => !adverbs.has(text));
  const verb = rest[place]?.text ?? "";
  const object = rest.slice(place + 1);
  if (!habitual.has(verb) || isPastTense(verb) || object.length === 0 || object.length > longestObject) return false;
  return !object.some(({ text }) => noObjects.has(text)) && object.some(({ text }) => !stopWords.has(text));
}
