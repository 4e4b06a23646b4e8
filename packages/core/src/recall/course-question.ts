import { beginsPhrase, phrasesOf } from "./phrases.ts";
import { asksForSummaryAt } from "./summary-question.ts";

/** Words by which a question asks for how something went on, and not for a part of it. */
const courseWords: ReadonlySet<string> = new Set(
  "timeline chronological chronologically chronology throughout".split(" "),
);
const coursePhrases = phrasesOf([
  "the order in which",
  "the order that",
  "in what order",
  "in which order",
  "over time",
  "over the course of",
  "over the past",
  "over the last",
  "across our",
  "across my",
  "across all",
]);

/** `In order` at the end of a clause. `In order to` is something else. */
const afterOtherOrder: ReadonlySet<string> = new Set(["to", "that", "for"]);

/** Only so many UTF-16 units of a question are looked at: longer ones are texts that tell more than they ask. */
const lookedAt = 600;

/**
 * Whether a question in English asks for the course of something, which no single talk tells: `in what order did I bring up …`, `summarize how
 * the project went`, `across our conversations`, `over time`. Takes time linear in at most 600 characters.
 */
export function asksForCourse(question: string): boolean {
  if (question.length > lookedAt) return false;
  const words = question.toLowerCase().split(/[^a-z']+/u);
  return words.some((word, index) => {
    if (courseWords.has(word) || asksForSummaryAt(words, index)) return true;
    if (word === "order" && words[index - 1] === "in") return !afterOtherOrder.has(words[index + 1] ?? "");
    return beginsPhrase(words, index, coursePhrases);
  });
}
