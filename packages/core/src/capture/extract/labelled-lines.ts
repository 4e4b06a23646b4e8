import { wordGroups } from "./word-groups.ts";
import { wordsOf } from "./words.ts";

/** What leads to an example, or to a text that is only spoken of. In UTF-16 units. */
const leadingToExample =
  /^\s*(?:for (?:example|instance)|e\.g\.?|examples?|sample|output|title|subject line|summary|headline|caption|quote|translation)\s?\d{0,3}:\s/iu;

/** `For example: I like tea` */
export function beginsAsExample(text: string): boolean {
  return leadingToExample.test(text);
}

const label = /^\s{0,3}(\p{L}[\p{L} ]{1,30}):\s{1,3}(?=\S)/u;
/** In words: `names of the test files`. */
const longestLabel = 5;
/** In words. */
const longestRule = 12;

/** `Naming: snake_case for files`, `tests: one file per module`: a rule without a verb, by what it is of. */
export function isLabelledRule(text: string): boolean {
  const found = label.exec(text);
  if (found === null) return false;
  const [lead, rule] = [wordsOf(found[1] ?? ""), wordsOf(text.slice(found[0].length))];
  if (lead.length > longestLabel || rule.length === 0 || rule.length > longestRule || text.includes("?")) return false;
  return lead.some(({ text: word }) => wordGroups["convention"]?.has(word) === true);
}

const ofSomebody = /^[^:]{1,120}:\s{1,3}(?:she|he|her|his)\s/iu;
const somebody = /(?<!\p{L})(?:my|our|mr|mrs|ms|dr|[\p{Lu}]\p{Ll}{2,20})\s/u;

/** `The difference between crystalloid: Her name is Tina`: behind a heading that names nobody it is told of somebody in a text. */
export function tellsOfNobodyNamed(text: string): boolean {
  const heading = text.slice(0, text.indexOf(":"));
  return ofSomebody.test(text) && !somebody.test(`${heading.slice(1)} `);
}
