/**
 * What the relevance of a turn that holds a standing instruction is multiplied by. Measured on chats with assistants among 1
 * to 1.4; it is not looked for among people.
 */
export const instructionFactor = 1.2;

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

/** Words that tell a preference or a habit wherever they stand. */
const preferences: readonly string[] = [
  "whenever i",
  "every time i",
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
const anyOfThem = new RegExp([...rules, ...preferences].join("|"));

/** What holds from now on is said shortly: longer turns tell a story, or hold code. In UTF-16 units. */
const longestInstruction = 600;

/**
 * Whether a text tells an assistant what holds from now on: a rule (`always …`, `from now on …`) or a preference (`I prefer
 * …`). In English. Such turns are wanted again and again, by questions that share few words with them. Takes time linear in
 * the text's length, and none for one of more than 600 characters.
 */
export function holdsStandingInstruction(text: string): boolean {
  if (text.length > longestInstruction) return false;
  const lower = text.toLowerCase().replaceAll("\u2019", "'");
  if (!anyOfThem.test(lower)) return false;
  let opensClause = true;
  let opensWord = true;
  for (let index = 0; index < lower.length; index++) {
    const unit = lower.charCodeAt(index);
    if (!isLetter(unit)) {
      if (isBreak(unit)) opensClause = true;
      opensWord = true;
      continue;
    }
    if (opensWord && (opensClause ? rules : []).some((words) => standsAt(lower, words, index))) return true;
    if (opensWord && preferences.some((words) => standsAt(lower, words, index))) return true;
    opensClause = false;
    opensWord = false;
  }
  return false;
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
