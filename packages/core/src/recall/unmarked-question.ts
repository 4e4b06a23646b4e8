/** Words that ask, and what may stand between them and the verb: `which bed are`, `how much is`. */
const askingWords: ReadonlySet<string> = new Set("what who where when why how which whose whom".split(" "));

/** `Whats`, `who's` and the like hold the verb themselves. */
const askingWithVerb: ReadonlySet<string> = new Set(
  [...askingWords].flatMap((word) => ["s", "'s", "re", "'re", "d", "'d"].map((verb) => `${word}${verb}`)),
);

/** Of these words a question is made by what stands behind: `how long`, not `how lovely`. */
const measured: ReadonlySet<string> = new Set("much many long far often old big come".split(" "));

const auxiliaries: ReadonlySet<string> = new Set(
  (
    "is are was were do does did have has had can could will would shall should am " +
    "isn't aren't wasn't weren't don't doesn't didn't haven't hasn't can't couldn't won't wouldn't shouldn't"
  ).split(" "),
);

/** Before a verb they say that somebody does it, behind it that it is asked whether they do. */
const subjects: ReadonlySet<string> = new Set(
  "i you u ya he she it we they there this that anyone anybody someone somebody everyone everybody".split(" "),
);

/** `Do it` and `have that` tell somebody to; `do you` and `have they` ask. */
const telling: ReadonlySet<string> = new Set("do don't have".split(" "));
const objects: ReadonlySet<string> = new Set("it this that there everyone everybody".split(" "));

/** `Ok so what time is it`: what may stand before a question. */
const openings: ReadonlySet<string> = new Set("so and but or ok okay oh hey well um uh wait".split(" "));

/** A question of so few words needs no verb: `which hospital`. */
const fewWords = 3;

/** A sentence of more words goes on to tell something: `can I just say, the bakery pulled out, so I thought of …`. */
const mostWords = 20;

/**
 * Whether a sentence in English asks, though no question mark says so, as people write in chats and as speech is written down: its
 * verb stands before its subject (`are you home`, `what time is it`), or it is next to nothing but a word that asks (`which hospital`).
 */
export function isUnmarkedQuestion(sentence: string): boolean {
  const words = wordsOf(sentence);
  if (words.length > mostWords) return false;
  while (openings.has(words[0] ?? "")) words.shift();
  const [first = "", second = "", third = ""] = words;
  if (askingWithVerb.has(first)) return true;
  if (!askingWords.has(first)) return isTurnedRound(first, second);
  if (first === "what" && (second === "a" || second === "an")) return false;
  if (first === "how" && !measured.has(second) && !auxiliaries.has(second)) return words.length === 1;
  if (words.length <= fewWords) return !subjects.has(second);
  if (auxiliaries.has(second)) return true;
  // Who does something is asked for without turning anything round: `who took my scissors`.
  if (first === "who") return !subjects.has(second);
  return !subjects.has(second) && auxiliaries.has(third);
}

function isTurnedRound(verb: string, subject: string): boolean {
  if (!auxiliaries.has(verb) || !subjects.has(subject)) return false;
  return !(telling.has(verb) && objects.has(subject));
}

function wordsOf(sentence: string): string[] {
  const words = sentence
    .toLowerCase()
    .replaceAll("\u2019", "'")
    .split(/[^\p{L}\p{N}']+/u);
  return words.filter((word) => word !== "");
}
