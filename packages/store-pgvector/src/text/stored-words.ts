import type { TermFrequencies } from "@loci/store";

/**
 * The words of a text in one value: each once, between spaces, then those that stand in it several times, with how often:
 * ` deploy on thursday <tab>thursday 2<tab>`. As jsonb they took three times the room, and longer to write and to read.
 */
export function storedWords(terms: TermFrequencies): string {
  let words = "";
  let repeated = "";
  for (const [term, frequency] of terms) {
    const word = wordOf(term);
    words += ` ${word}`;
    if (frequency !== 1) repeated += `\t${word} ${frequency}`;
  }
  if (words === "") return "";
  return repeated === "" ? `${words} ` : `${words} ${repeated}\t`;
}

/** What `storedWords` was made of. */
export function termsOfWords(words: string): Map<string, number> {
  const terms = new Map<string, number>();
  const [once = "", ...repeated] = words.split("\t");
  for (const word of once.split(" ").slice(1, -1)) terms.set(termOf(word), 1);
  for (const own of repeated.slice(0, -1)) {
    const end = own.indexOf(" ");
    terms.set(termOf(own.slice(0, end)), Number(own.slice(end + 1)));
  }
  return terms;
}

/** How a term is looked for in the words of texts. */
export function soughtWord(term: string): string {
  return ` ${wordOf(term)} `;
}

/** Counts terms in the words of texts, each in one number, in the order of the terms. */
export function termCounter(terms: readonly string[]): (words: string) => readonly number[] {
  // Looked for from its first letter on, which is rarer than the space before it.
  const sought = terms.map((term) => `${wordOf(term)} `);
  return (words) => {
    const hasRepeated = words.includes("\t");
    return sought.map((word) => (standsIn(words, word) ? (hasRepeated ? repeatedIn(words, word) : 1) : 0));
  };
}

/** The SQL of how often a word stands in a text. @param word the SQL of a `soughtWord` */
export function frequencySql(words: string, word: string): string {
  const repeated = `split_part(split_part(${words}, E'\\t' || substr(${word}, 2), 2), E'\\t', 1)`;
  return `CASE WHEN strpos(${words}, ${word}) = 0 THEN 0 WHEN strpos(${words}, E'\\t') = 0 THEN 1
    ELSE coalesce(nullif(${repeated}, '')::integer, 1) END`;
}

function standsIn(words: string, sought: string): boolean {
  let place = words.indexOf(sought);
  while (place !== -1 && words[place - 1] !== " ") place = words.indexOf(sought, place + 1);
  return place !== -1;
}

/** How often a word stands in a text that has it. */
function repeatedIn(words: string, sought: string): number {
  const mark = `\t${sought}`;
  const start = words.indexOf(mark);
  if (start === -1) return 1;
  return Number(words.slice(start + mark.length, words.indexOf("\t", start + mark.length)));
}

/**
 * The SQL of a row for each word of a text, as `word` and `frequency`, with the word as it stands in a text.
 *
 * @param words the SQL of them
 */
export function wordRowsSql(words: string): string {
  return `(SELECT ${unescapedSql("word")} AS term, ${frequencySql(words, "' ' || word || ' '")} AS frequency
    FROM string_to_table(nullif(regexp_replace(split_part(${words}, E'\\t', 1), '^ | $', '', 'g'), ''), ' ') AS own (word))`;
}

const hasMark = /[\\ \t]/u;
const marks = /[\\ \t]/gu;
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", " ": "\\s", "\t": "\\t" };

/** A term as it stands among others. The analyser makes no words with spaces, but the contract says nothing of what is in a term. */
export function wordOf(term: string): string {
  if (!hasMark.test(term)) return term;
  return term.replaceAll(marks, (mark) => escapes[mark] as string);
}

function termOf(word: string): string {
  if (!word.includes("\\")) return word;
  return word.replaceAll(/\\(.)/gu, (_, mark: string) => (mark === "s" ? " " : mark === "t" ? "\t" : mark));
}

/** A pair of backslashes is set aside, as what follows it is no mark. */
function unescapedSql(word: string): string {
  return `CASE WHEN strpos(${word}, '\\') = 0 THEN ${word} ELSE
    (SELECT string_agg(replace(replace(part, '\\s', ' '), '\\t', E'\\t'), '\\' ORDER BY place)
      FROM string_to_table(${word}, '\\\\') WITH ORDINALITY AS one (part, place)) END`;
}
