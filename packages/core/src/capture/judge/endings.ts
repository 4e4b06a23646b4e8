import { readClause } from "../extract/read-clause.ts";
import { clausesOf } from "../extract/sentences.ts";
import { leadingWords } from "../extract/word-kinds.ts";
import { wordGroups } from "../extract/word-groups.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { type Facets, facetsOf } from "./facets.ts";

/** What a statement says is over, and what it says besides. */
export interface Ending {
  /** Of the clause that tells it. */
  readonly over: Facets;
  /** What it is about: the topics without those that only tell that it is over. */
  readonly topics: ReadonlySet<string>;
  /** Who left or died is somebody; what is history is no person. */
  readonly isOfSomebody: boolean;
  /** Whether the other clauses tell something that may take its place. */
  readonly hasSuccessor: boolean;
}

/** The clauses of a statement that say that something is over. Linear in its length. */
export function endingsOf(said: string): readonly Ending[] {
  const clauses = clausesOf(said);
  const over = clauses.filter(({ text }) => {
    const words = wordsOf(text);
    // `No gym tonight` is over tomorrow.
    return tellsOver(words) && readClause(words).refusal !== "TRANSIENT";
  });
  if (over.length === 0) return [];
  const hasSuccessor = clauses.some((clause) => !over.includes(clause) && mayTakePlace(clause.text));
  return over.map(({ text }) => {
    const facets = facetsOf(text);
    const isOfSomebody = wordsOf(text).some((word) => leaving.has(word.text));
    return { over: facets, topics: aboutOf(facets), isOfSomebody, hasSuccessor };
  });
}

/**
 * Whether what is over is what a memory says: at least half of what the clause is about stands in it or in its slot. A name alone is
 * whose it is, unless they have left where they work.
 */
export function endsWith(ending: Ending, memory: Facets, slotTopics: ReadonlySet<string>): boolean {
  const { over, topics } = ending;
  const met = [...topics].filter((topic) => memory.topics.has(topic) || slotTopics.has(topic));
  if (met.length === 0 || 2 * met.length < topics.size) return false;
  if (
    [...over.names].some((name) => !memory.names.has(name)) &&
    [...memory.names].some((name) => !over.names.has(name))
  )
    return false;
  const isNamed = met.every((topic) => over.namedTopics.has(topic) || memory.namedTopics.has(topic));
  return !isNamed || !ending.isOfSomebody || memory.topics.has("employment") || memory.topics.size <= fewTopics;
}

/** Where a memory is about no more, a name is what it is about. */
const fewTopics = 2;

const silent: ReadonlySet<string> = new Set(
  "altoge comple entire day gone over dead histor scrap killed kill cancel stop drop bin end plug pull shut hand back longer anymo more".split(
    " ",
  ),
);

function aboutOf({ topics }: Facets): ReadonlySet<string> {
  return new Set([...topics].filter((topic) => !silent.has(topic)));
}

const leaving: ReadonlySet<string> = new Set("left quit retired died gone bailed last".split(" "));
const endings: ReadonlySet<string> = new Set([
  ...(wordGroups["ending"] ?? []),
  ..."killed kicked dead history buried".split(" "),
]);
const callingOff: ReadonlySet<string> = new Set("stop cancel scrap drop bin forget".split(" "));

function tellsOver(words: readonly Word[]): boolean {
  const first = words.find(({ text }) => !leadingWords.has(text) && text !== "just");
  if (first !== undefined && callingOff.has(first.text)) return true;
  const has = (...texts: readonly string[]): boolean =>
    words.some((_, at) => texts.every((text, behind) => words[at + behind]?.text === text));
  return (
    facetsOf(words.map(({ raw }) => raw).join(" ")).tellsEnd ||
    words.some(({ text }) => endings.has(text)) ||
    has("no", "more") ||
    has("there", "is", "no") ||
    has("there", "are", "no") ||
    has("is", "no", "more") ||
    has("shut", "down") ||
    has("went", "back") ||
    has("torn", "out") ||
    has("switched", "off") ||
    has("have", "not", "got") ||
    has("has", "not", "got") ||
    isApart(words, "handed", "back") ||
    isApart(words, "pulled", "plug") ||
    words.at(-1)?.text === "off"
  );
}

/** In words. */
const widest = 4;

function isApart(words: readonly Word[], first: string, second: string): boolean {
  return words.some(
    ({ text }, at) => text === first && words.slice(at + 1, at + 1 + widest).some((word) => word.text === second),
  );
}

const pointing: ReadonlySet<string> = new Set("it them that one".split(" "));
/** In words. */
const longestRemark = 4;

/** Something of its own, `they handed me a Volvo`, and no word on what is over: `nobody missed it`, `we dropped it`. */
function mayTakePlace(clause: string): boolean {
  const words = wordsOf(clause);
  return (
    words.length > longestRemark &&
    !words.some(({ text }) => pointing.has(text)) &&
    readClause(words).refusal === undefined
  );
}
