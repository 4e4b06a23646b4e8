import { asksForSummaryAt } from "./summary-question.ts";

/** What an assistant does with words: `did you recommend`, and `you recommended`. */
const sayings: ReadonlySet<string> = new Set(
  "say tell mention suggest recommend advise propose explain describe list give provide answer outline show write warn point".split(
    " ",
  ),
);
const sayingsOfPast: ReadonlySet<string> = new Set(
  "said told mentioned suggested recommended advised proposed explained described listed gave given provided answered outlined showed shown wrote written warned pointed".split(
    " ",
  ),
);

/** What may stand between `you` and what was done. */
const between: ReadonlySet<string> = new Set("have had already once previously just also".split(" "));

/** `Your advice on …` was given. */
const givenWords: ReadonlySet<string> = new Set(
  "suggestion suggestions recommendation recommendations advice answer answers explanation explanations".split(" "),
);

/** Only so many UTF-16 units of a question are looked at: longer ones are texts that tell more than they ask. */
const lookedAt = 600;

/**
 * Whether a question in English asks for what the assistant said before: `what did you recommend for …?`, `the plan you gave me`,
 * `your advice on …`, or for a summary, which is told by both sides. Not `what would you recommend?` nor `can you tell me …?`, which ask for something new. Takes time linear in at
 * most 600 characters.
 */
export function asksForAnswers(question: string): boolean {
  if (question.length > lookedAt) return false;
  const words = question.toLowerCase().split(/[^a-z']+/u);
  return words.some((word, index) => {
    if (asksForSummaryAt(words, index)) return true;
    const next = words[index + 1] ?? "";
    if (word === "your") return givenWords.has(next);
    if (word !== "you") return false;
    if (words[index - 1] === "did" && sayings.has(next)) return true;
    return sayingsOfPast.has(between.has(next) ? (words[index + 2] ?? "") : next);
  });
}
