import { isParticiple } from "../../text/past-tense.ts";
import { tellsTrouble } from "./confirmed-remedies.ts";
import { contentOf } from "./read-clause.ts";
import { clausesOf } from "./sentences.ts";
import { wordGroups } from "./word-groups.ts";
import { leadingWords } from "./word-kinds.ts";
import { type Word, wordsOf } from "./words.ts";

const states: ReadonlySet<string> = new Set("is are has have needs need must".split(" "));
/** What things do that nobody is told to do. */
const doings: ReadonlySet<string> = new Set(
  `accept allow arrive beat become belong carry come contain cost cover depend drop emit end exist expect expire feed get give go happen
   have hold inherit land last lie listen live map match mean mirror need overwrite own parse pass point poll pretend produce provide
   receive redirect refer reach rely require resend rewrite roll sit stem support sync target touch transform trigger turn
   use vary work`.split(/\s+/u),
);
/** What is wanted, awaited, thought or said is so for now, or of somebody's mind. */
const passing: ReadonlySet<string> = new Set(
  "wait want wonder hope think look seem ask say tell stop start begin try keep do claim like love hate prefer".split(
    " ",
  ),
);
const forNow: ReadonlySet<string> = new Set("not still now yet meantime currently already again".split(" "));
/** Pronouns and what is of others tell not what is spoken of, and speakers tell of themselves. */
const notNaming: ReadonlySet<string> = new Set(
  `it he she they this that these those there here what which who you one ones let somebody someone nobody nothing
   their his her i we my me our us`.split(/\s+/u),
);
/** `Ping her in reviews` and `the old one` name nothing, and `the new file` came just now. */
const unnamed: ReadonlySet<string> = new Set("it her him them me us one ones new next last latest".split(" "));
const determiners: ReadonlySet<string> = new Set(
  "the a an my our your his her its their this that every each all no of".split(" "),
);
/** The subject of what is said so shortly has so many words at most. */
const longestSubject = 7;
/** In words that mean something. */
const fewestSaid = 2;

/**
 * Whether a sentence says how things work where somebody works: in the simple present, of a thing or somebody that it names, `the tests
 * run in the container`, `mypy is strict`. Not of what is in trouble, or only pointed to.
 */
export function tellsHowThingsWork(sentence: string): boolean {
  // What only follows from something is none.
  if (/^(?:and )?then\s/iu.test(sentence)) return false;
  return clausesOf(sentence).some(({ text }) => tellsInClause(wordsOf(text)));
}

function tellsInClause(all: readonly Word[]): boolean {
  const words = all.slice(
    Math.max(
      0,
      all.findIndex(({ text }) => !leadingWords.has(text)),
    ),
  );
  const place = words.slice(0, longestSubject + 1).findIndex((_, index) => index > 0 && isVerb(words, index));
  const [subject] = words;
  if (subject === undefined || place < 1 || notNaming.has(subject.text)) return false;
  if (words.slice(0, place).some(({ text }) => unnamed.has(text))) return false;
  if (tellsTrouble(words) || words.some(({ text }) => forNow.has(text))) return false;
  const verb = words[place] as Word;
  const said = words.slice(place + 1);
  const isJudged = wordGroups["mood"]?.has(said[0]?.text ?? "") === true;
  if (isPassing(verb.text) || isJudged || contentOf(said).words === 0 || contentOf(words).words < fewestSaid)
    return false;
  return !isDone(verb, said);
}

/** `The branch is merged` is what has happened; `the types are generated from the schema` is how it is. */
function isDone({ text }: Word, [first, second]: readonly Word[]): boolean {
  return (text === "is" || text === "are") && first !== undefined && second === undefined && isParticiple(first.text);
}

function isVerb(words: readonly Word[], index: number): boolean {
  const { text } = words[index] as Word;
  const before = words[index - 1]?.text ?? "";
  if (states.has(text)) return true;
  if (determiners.has(before)) return false;
  if (text.endsWith("s")) return stemsOf(text).some(isDoing);
  return isDoing(text) && /[^su]s$/u.test(before);
}

function isDoing(stem: string): boolean {
  return doings.has(stem) || wordGroups["verb"]?.has(stem) === true || passing.has(stem);
}

function isPassing(verb: string): boolean {
  return passing.has(verb) || stemsOf(verb).some((stem) => passing.has(stem));
}

function stemsOf(verb: string): readonly string[] {
  return [verb.replace(/s$/u, ""), verb.replace(/es$/u, "")];
}
