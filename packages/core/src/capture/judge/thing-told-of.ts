import type { Word } from "../extract/words.ts";
import { aspectOf } from "./begins-or-ends.ts";
import { type ForWhom, forWhomIn } from "./for-whom.ts";
import { detailsOf, objectsOf } from "./named-objects.ts";
import { changedObjectOf, subjectOf } from "./named-subject.ts";
import { type NamedPhrase, readPhrase } from "./named-phrase.ts";
import { daysOf, rootsNamedIn } from "./naming-words.ts";

/** What a text tells something of, where it names that: `interview with Anna` in `The interview with Anna is on 12 May`. */
export interface ThingToldOf extends NamedPhrase {
  /** By the root of a noun what stands behind it with `with`, `for`, `about` or `of`: `Anna` by `interview`. */
  readonly details: ReadonlyMap<string, ReadonlySet<string>>;
  /** Of a text of the speaker, roots of what else it names: `newsletter` in `I write the newsletter on Fridays`. */
  readonly objects: ReadonlySet<string>;
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
    aspect: aspectOf(words),
    forWhom: forWhomIn(text),
    roots: new Set([...rootsNamedIn(words), ...daysOf(words)]),
    slot: none,
  };
}

const none: ReadonlySet<string> = new Set();

/** What is said of these is said of something else. */
const pointing: ReadonlySet<string> = new Set("it its that one ones them those they".split(" "));
