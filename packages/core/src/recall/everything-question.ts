const asking: ReadonlySet<string> = new Set("what everything all anything whatever things facts".split(" "));
const knowing: ReadonlySet<string> = new Set(
  "know remember recall learned learnt stored saved noted remembered gathered".split(" "),
);
const oneself: ReadonlySet<string> = new Set("me us myself ourselves".split(" "));
/** What may stand behind it and names nothing. */
const besides: ReadonlySet<string> = new Set(
  "so far yet now already today still please then exactly right again and at all in general overall".split(" "),
);

/** Only so many UTF-16 units of a question are looked at: a longer one names something. */
const lookedAt = 200;

/**
 * Whether a question in English asks for all that is known of who asks, and names nothing: `What do you know about me?`, `Tell me everything you
 * remember`, `Who am I?`. Not `What do you know about my job?`. Takes time linear in at most 200 characters.
 */
export function asksForEverything(question: string): boolean {
  if (question.length > lookedAt) return false;
  const words = question
    .toLowerCase()
    .replaceAll("\u2019", "'")
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => word !== "");
  const naming = (some: readonly string[]): readonly string[] => some.filter((word) => !besides.has(word));
  if (naming(words).join(" ") === "who am i") return true;
  const known = words.findIndex(
    (word, index) => knowing.has(word) && /^(?:you|you've|have)$/.test(words[index - 1] ?? ""),
  );
  if (known < 0) return false;
  const behind = naming(words.slice(known + 1));
  const isAskedBehind = asking.has(behind[0] ?? "");
  if (!isAskedBehind && !words.slice(0, known).some((word) => asking.has(word))) return false;
  const rest = isAskedBehind ? behind.slice(1) : behind;
  const [preposition = "", whom = "", ...more] = rest;
  return rest.length === 0 || (/^(?:about|of|on)$/.test(preposition) && oneself.has(whom) && more.length === 0);
}
