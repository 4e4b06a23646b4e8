import { isIdentifier, normalForm } from "@loci/domain";
import { stopWords } from "../../text/stop-words.ts";
import { wordGroups } from "./word-groups.ts";
import { isDateWord, isNumberWord } from "./word-kinds.ts";
import { wordsOf } from "./words.ts";

/** Most tags of a captured memory. */
const mostTags = 8;
/** Longest tag, in UTF-16 units: at most 64 bytes. */
const longestTag = 21;

const silent: ReadonlySet<string> = new Set(
  "user user's team team's assistant assistant's future time times thing things way rule lesson".split(" "),
);
const silentGroups = ["common", "mood", "habit", "verb", "rule", "modal", "transient", "change"];

/**
 * What a rule is about, so that it is found for a job of that kind: the tools that were used, and the nouns of the rule, as far as
 * they can be told from verbs. In lower case, at most 8. What callers may not choose as a tag is none: tools have any name.
 */
export function ruleTags(text: string, tools: readonly string[]): readonly string[] {
  const nouns = wordsOf(text)
    .map((word) => word.text)
    .filter(
      (word) =>
        word.length > 2 &&
        !stopWords.has(word) &&
        !silent.has(word) &&
        !isNumberWord(word) &&
        !isDateWord(word) &&
        !silentGroups.some((group) => wordGroups[group]?.has(word) === true) &&
        !/(?:ly|ing|ed)$/.test(word),
    );
  const all = [...tools.map((tool) => tool.toLowerCase()), ...nouns]
    .map((tag) => normalForm(tag, "NFC"))
    .filter((tag) => tag.length <= longestTag && isIdentifier(tag));
  return [...new Set(all)].slice(0, mostTags);
}
