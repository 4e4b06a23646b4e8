import { wordGroups } from "../extract/word-groups.ts";
import { isNameLike, leadingWords } from "../extract/word-kinds.ts";
import { type Word, wordsOf } from "../extract/words.ts";

/** `Moved in December of 2019 to a new desk`: what stands behind the article. */
const movedTo =
  /(?<!\p{L})moved (?:(?:in|on|at|over|last|this|early|late) (?:[\p{L}\d]{1,12} ){1,4}?)?(?:in)?to (?:an?|the|another|my|our|their|his|her) ([\p{L}\d -]{2,48})/iu;
/** What people live in or move to. */
const homes: ReadonlySet<string> = new Set(
  `home house flat apartment place studio cottage bungalow condo duplex loft attic annexe farm farmhouse houseboat caravan dorm hostel
   city town village country countryside county suburb suburbs coast seaside island mountains area district neighbourhood neighborhood
   street road lane outskirts centre center capital region state north south east west`.split(/\s+/u),
);
/** In words: `a much bigger flat in the same street`. */
const longestHome = 4;

/** These stand between whoever moved and `moved`. */
const between: ReadonlySet<string> = new Set(
  "have has had just recently finally also all both already since now then".split(" "),
);
const people: ReadonlySet<string> = new Set(
  "i we user family he she they who that parents friends neighbours neighbors couple people".split(" "),
);

/** `My office moved to Antwerp`: what moved is no person. Without a subject it is who speaks. */
function isThing(words: readonly Word[], moved: number): boolean {
  let place = moved - 1;
  while (between.has(words[place]?.text ?? "")) place--;
  const mover = words[place];
  if (mover === undefined || leadingWords.has(mover.text) || people.has(mover.text)) return false;
  return (
    wordGroups["relation"]?.has(mover.text) !== true && !/'(?:ve|d|s)$/.test(mover.text) && !/^\p{Lu}/u.test(mover.raw)
  );
}

/**
 * Whether a text that tells that somebody moved tells of something else than a home: `I moved to a new desk`, `moved to the other team`.
 * Where a name follows, it may be a place.
 */
export function movedElsewhere(text: string): boolean {
  const said = wordsOf(text);
  const moved = said.findIndex((word) => word.text === "moved");
  if (moved >= 0 && isThing(said, moved)) return true;
  const found = movedTo.exec(text)?.[1];
  if (found === undefined) return false;
  const words = wordsOf(found).slice(0, longestHome);
  return !words.some((word, index) => homes.has(word.text) || isNameLike(word, index + 1));
}
