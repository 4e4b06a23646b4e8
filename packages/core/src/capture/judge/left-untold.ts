import { clausesOf } from "../extract/sentences.ts";
import { wordsOf } from "../extract/words.ts";
import { type Facets, facetsOf } from "./facets.ts";
import { saysOtherFacts } from "./other-facts.ts";
import type { ReadMemory } from "./read-memory.ts";
import { sharedIn } from "./set-relations.ts";
import { topicsOf } from "./topics.ts";

/**
 * Whether a memory tells what a statement that replaces it does not: `Correction: the party is for twelve` says nothing of the day and
 * the place.
 */
export function leavesUntold(said: string, replaced: string): boolean {
  const [later, earlier] = [facetsOf(said), facetsOf(replaced)];
  return (
    speaksOfNothing(later, earlier.topics) ||
    namesOnlyWhatIsOver(earlier, later) ||
    hasMoreNames(earlier, later) ||
    hasMoreNumbers(earlier, later) ||
    saysMoreClauses(replaced, later) ||
    tellsMuchMore(earlier, later) ||
    isHalfTold(replaced, later) ||
    saysOtherFacts(replaced, later)
  );
}

/** `We upgraded to 4.5` says nothing of what was upgraded. */
function speaksOfNothing(later: Facets, topics: ReadonlySet<string>): boolean {
  return topics.size > 0 && sharedIn(topics, later.topics) === 0;
}

/** `I switched from Barbri to Themis` says nothing of the course. */
function namesOnlyWhatIsOver({ topics, surelyNamedTopics }: Facets, later: Facets): boolean {
  const isName = (topic: string): boolean => surelyNamedTopics.has(topic) || later.surelyNamedTopics.has(topic);
  const things = new Set([...topics].filter((topic) => !isName(topic)));
  return later.tellsChange && speaksOfNothing(later, things);
}

/**
 * `Kim left, Lucía can tag now` tells nothing of Tarek, and `we run 17 services now` nothing of the region. Where one name takes the
 * place of another, none is left.
 */
function hasMoreNames(earlier: Facets, later: Facets): boolean {
  const untold = [...earlier.namedTopics].filter((topic) => !later.topics.has(topic));
  const others = [...later.namedTopics].filter((topic) => !earlier.topics.has(topic));
  return untold.length > others.length;
}

/** `New patients get 30 minutes now` tells nothing of the 20 that others get, `practice is on Sunday now` nothing of `at 10`. */
function hasMoreNumbers({ numbers }: Facets, later: Facets): boolean {
  return numbers.size > later.numbers.size && (numbers.size > 1 || later.values.has("weekday"));
}

/** `GDScript only`, behind `We're on Godot 4.3`. */
function saysMoreClauses(replaced: string, later: Facets): boolean {
  const clauses = clausesOf(replaced);
  return clauses.length > 1 && clauses.some(({ text }) => speaksOfNothing(later, topicsOf(text)));
}

/** In topics. `I sold the Skoda` ends all of `I own a red Skoda Octavia`. */
const mostAlongside = 4;

/** `The wood stove is out` tells nothing of a house with a heat pump and panels. */
function tellsMuchMore({ topics }: Facets, later: Facets): boolean {
  return topics.size - sharedIn(topics, later.topics) > mostAlongside;
}

/**
 * `Stopped the melatonin` tells nothing of the second half of `I take melatonin at night and vitamin D`, and `Finn outgrew the egg
 * allergy` nothing of one thing among others: `Finn is allergic to peanuts and eggs`.
 */
function isHalfTold(memory: string, later: Facets): boolean {
  const isHalf = (parts: readonly string[]): boolean => {
    const untold = parts.map((part) => speaksOfNothing(later, topicsOf(part)));
    return untold.includes(true) && untold.includes(false);
  };
  return isHalf(memory.split(" and ")) || listedIn(memory).some(isHalf);
}

const titles: ReadonlySet<string> = new Set("dr prof mr mrs ms the a an my our".split(" "));

/** The words of each list: `peanuts, eggs and milk`, `Prof. Houten and Dr. Mbeki`. */
function listedIn(text: string): readonly (readonly string[])[] {
  const lists: string[][] = [];
  let list: string[] = [];
  let end = 0;
  let isJoined = false;
  for (const { text: word, raw, start, end: behind } of wordsOf(text)) {
    const joint = text.slice(end, start).trim();
    end = behind;
    if (word === "and" || word === "or") {
      isJoined = joint === "" || joint === ",";
      continue;
    }
    if (isJoined && titles.has(word)) continue;
    if (isJoined || joint === ",") list.push(raw);
    else lists.push((list = [raw]));
    isJoined = false;
  }
  return lists.filter((each) => each.length > 1);
}

/** Whether a memory is over when what is spoken of is, and tells of nothing else. */
export function isAllOf({ memory, facets }: Pick<ReadMemory, "memory" | "facets">, over: Facets): boolean {
  return !tellsMuchMore(facets, over) && !isHalfTold(memory.text, over) && !saysOtherFacts(memory.text, over);
}
