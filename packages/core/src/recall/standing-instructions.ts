import type { PassageQuestion } from "./found-passage.ts";
import { ruleCondition } from "./rule-condition.ts";

/**
 * What the relevance of a turn that holds a standing instruction is multiplied by. Measured on chats with assistants among 1
 * to 1.4; it is not looked for among people.
 */
const standingFactor = 1.2;

/**
 * The same for one that says of itself that it holds for what is asked: `when I ask about snacks`. It is wanted before what only speaks of
 * snacks. Measured among 1.5 and 6, of which 2 to 6 differ by two questions of 89.
 */
const applyingFactor = 3;

/**
 * What the relevance of a person's turn to an assistant is multiplied by for telling how to be from now on. `undefined`: it does not.
 *
 * @param question that asks an assistant for something; absent for one that asks for what is remembered
 */
export function instructionFactor(
  text: string,
  question: Pick<PassageQuestion, "terms" | "analyser"> | undefined,
): number | undefined {
  const kind = standingInstruction(text);
  if (kind === undefined) return undefined;
  if (kind === "preference" || question === undefined) return standingFactor;
  const named = question.analyser.analyse(ruleCondition(text));
  return question.terms.some((term) => named.has(term)) ? applyingFactor : standingFactor;
}

/** Words that make a rule of the sentence, or the part of one, that they begin: `when I ask for code, always add types`. */
const rules: readonly string[] = [
  "always",
  "never",
  "from now on",
  "in the future",
  "going forward",
  "please always",
  "please never",
  "please keep",
  "please avoid",
  "remember to",
  "make sure to",
  "make sure you",
  "don't ever",
];

/** The same wherever they stand. */
const rulesAnywhere: readonly string[] = ["whenever i", "every time i"];

/** Words that tell a preference or a habit wherever they stand. */
const preferences: readonly string[] = [
  "i prefer",
  "i'd prefer",
  "i would prefer",
  "i'd rather",
  "i would rather",
  "i always",
  "i never",
  "i like to",
  "i don't like",
];

/** Stands in every text that holds one of them. Most hold none, and that is quickly told. */
const anyOfThem = new RegExp([...rules, ...rulesAnywhere, ...preferences].join("|"));

/** What holds from now on is said shortly: longer turns tell a story, or hold code. In UTF-16 units. */
const longestInstruction = 600;

/**
 * Whether a text tells an assistant what holds from now on: a rule (`always …`, `from now on …`) or else a preference or habit (`I prefer
 * …`, `I always …`). In English. Such turns are wanted again and again, by questions that share few words with them. Takes time linear in
 * the text's length, and none for one of more than 600 characters.
 */
export function standingInstruction(text: string): "rule" | "preference" | undefined {
  if (text.length > longestInstruction) return undefined;
  const lower = text.toLowerCase().replaceAll("\u2019", "'");
  if (!anyOfThem.test(lower)) return undefined;
  let isPreference = false;
  let opensClause = true;
  let opensWord = true;
  for (let index = 0; index < lower.length; index++) {
    const unit = lower.charCodeAt(index);
    if (!isLetter(unit)) {
      if (isBreak(unit)) opensClause = true;
      opensWord = true;
      continue;
    }
    if (opensWord) {
      const stands = (words: string): boolean => standsAt(lower, words, index);
      if ((opensClause && rules.some(stands)) || rulesAnywhere.some(stands)) return "rule";
      isPreference ||= preferences.some(stands);
    }
    opensClause = false;
    opensWord = false;
  }
  return isPreference ? "preference" : undefined;
}

/** Only whole words: `never` does not stand in `nevertheless`. */
function standsAt(text: string, words: string, index: number): boolean {
  return text.startsWith(words, index) && !isLetter(text.charCodeAt(index + words.length));
}

function isLetter(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}

/** Ends a sentence, or a part of one. */
function isBreak(unit: number): boolean {
  return [0x0a, 0x21, 0x2c, 0x2e, 0x3a, 0x3b, 0x3f].includes(unit);
}
