import type { Word } from "../extract/words.ts";
import { aspectOf } from "./begins-or-ends.ts";
import { type ForWhom, forWhomIn } from "./for-whom.ts";
import { detailsOf, objectsOf } from "./named-objects.ts";
import { changedObjectOf, subjectOf } from "./named-subject.ts";
import { type NamedPhrase, readPhrase } from "./named-phrase.ts";
import { daysOf, determiners, mayName, rootsNamedIn } from "./naming-words.ts";
import { rootOf } from "./topics.ts";
import { meaningOf } from "./value-families.ts";

/** What a text tells something of, where it names that: `interview with Anna` in `The interview with Anna is on 12 May`. */
export interface ThingToldOf extends NamedPhrase {
  /** By the root of a noun what stands behind it with `with`, `for`, `about` or `of`: `Anna` by `interview`. */
  readonly details: ReadonlyMap<string, ReadonlySet<string>>;
  /** Of a text of the speaker, roots of what else it names: `newsletter` in `I write the newsletter on Fridays`. */
  readonly objects: ReadonlySet<string>;
  /** Roots of what is measured: `sertraline` in `50 mg sertraline`. */
  readonly measured: ReadonlySet<string>;
  /** Roots of where it says that something is: `staging` in `the docs live on staging`. */
  readonly places: ReadonlySet<string>;
  /** Roots of where it stays, by a verb that says so: `eu-west` in `production runs in eu-west`. */
  readonly whereabouts: ReadonlySet<string>;
  /** When it begins or when it ends. Absent: neither is told. */
  readonly aspect: "begins" | "ends" | undefined;
  /** For whom it is so, of several. Absent: that is not told. */
  readonly forWhom: ForWhom | undefined;
  /** Roots of all words that the text has. */
  readonly roots: ReadonlySet<string>;
  /** Roots of the slot that the text is the value of. */
  readonly slot: ReadonlySet<string>;
}

/** Reads what a text tells something of. Linear in its length. */
export function thingToldOf(text: string, words: readonly Word[]): ThingToldOf {
  const pointsElsewhere = words.some((word) => pointing.has(word.text));
  const phrase = pointsElsewhere ? [] : (subjectOf(words) ?? changedObjectOf(words) ?? []);
  return {
    ...readPhrase(phrase, words),
    details: detailsOf(words),
    objects: phrase.length > 0 || pointsElsewhere ? none : objectsOf(text, words),
    measured: measuredIn(words),
    places: placesIn(text, words, () => true),
    whereabouts: placesIn(text, words, isOfBeingThere),
    aspect: aspectOf(words),
    forWhom: forWhomIn(text),
    roots: new Set([...rootsNamedIn(words), ...daysOf(words)]),
    slot: none,
  };
}

const none: ReadonlySet<string> = new Set();

/** Of so much of something there is another measure of another thing. */
const measures: ReadonlySet<string> = new Set(
  "mg g kg ml cl dl l litres liters grams milligrams kilos cups spoons drops".split(" "),
);

function measuredIn(words: readonly Word[]): ReadonlySet<string> {
  return new Set(
    words.flatMap(({ text }, index) => {
      if (!measures.has(text) || index === 0) return [];
      const what = words[index + (words[index + 1]?.text === "of" ? 2 : 1)];
      return what !== undefined && mayName(what.text) ? [rootOf(what.text)] : [];
    }),
  );
}

const leadingToPlace: ReadonlySet<string> = new Set("in on at inside under behind near".split(" "));
/** In words: `in the big meeting room`. */
const longestPlace = 3;

const beingThere: ReadonlySet<string> = new Set(
  "is are lives live sits sit stands stand runs run hangs hang stays stay hosted kept stored located parked based meets meet".split(
    " ",
  ),
);
/** In words: `is now in`. */
const longestLead = 2;

/** `Is in the shed`, `is kept under the stairs`; but `is written in Go`, and `is in English`. */
function isOfBeingThere(words: readonly Word[], index: number): boolean {
  const before = words.slice(Math.max(0, index - longestLead), index);
  const verb = before.findLast(({ text }) => text !== "now");
  const behind = words[index + 1]?.text ?? "";
  return beingThere.has(verb?.text ?? "") && meaningOf(behind) === undefined;
}

function placesIn(
  text: string,
  words: readonly Word[],
  isPlace: (words: readonly Word[], index: number) => boolean,
): ReadonlySet<string> {
  return new Set(
    words.flatMap((word, index) => {
      if (!leadingToPlace.has(word.text) || !isPlace(words, index)) return [];
      const start = index + (determiners.has(words[index + 1]?.text ?? "") ? 2 : 1);
      const behind = words.slice(start, start + longestPlace);
      // `In Gent, check-up on 3 May`: what a sign parts is no place any more.
      const end = behind.findIndex(
        (each, place) =>
          !mayName(each.text) ||
          each.text === "since" ||
          (place > 0 && /[,;:]/u.test(text.slice(behind[place - 1]?.start, each.start))),
      );
      return rootsNamedIn(end < 0 ? behind : behind.slice(0, end));
    }),
  );
}

/** What is said of these is said of something else. */
const pointing: ReadonlySet<string> = new Set("it its that one ones them those they".split(" "));
