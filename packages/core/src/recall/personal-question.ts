/** Words by which people ask about what is theirs, and agents about the person they talk with. */
const ownWords: ReadonlySet<string> = new Set(
  "i i'm i've i'd me my mine myself we we're we've us our ours ourselves he he's him his she she's her hers".split(" "),
);

/** `How do I fold a sheet?` asks how anybody does, and `tell me` only wants to be told. */
const saidByAnybody: ReadonlySet<string> = new Set(
  "how do i,how can i,how could i,how should i,what should i,what can i,how do we,how can we,how should we".split(","),
);
const commands: ReadonlySet<string> = new Set("tell give show write make help explain let".split(" "));

/** A question about somebody says so early. Only so many UTF-16 units are looked at. */
const lookedAt = 1_000;

/**
 * Whether a question in English is about who asks, or about somebody they know: it says `I`, `my`, `we`, `she` or the like, and
 * not only as in `how do I`. Such a question is put to a memory rather than to the world, so that less closeness is enough for
 * an answer. Takes time linear in at most 1,000 characters.
 */
export function isPersonalQuestion(question: string): boolean {
  const words = question
    .slice(0, lookedAt)
    .toLowerCase()
    .replaceAll("\u2019", "'")
    .split(/[^a-z']/u);
  return words.some((word, index) => {
    if (!ownWords.has(word)) return false;
    const before = words[index - 1] ?? "";
    return !commands.has(before) && !saidByAnybody.has(`${words[index - 2] ?? ""} ${before} ${word}`);
  });
}

/**
 * Whether a question in English asks for what an assistant can tell anybody, `What snacks do you recommend for me?`, `How do I fold a sheet?`, and
 * for nothing that is remembered of who asks. Takes time linear in at most 1,000 characters.
 */
export function asksForHelp(question: string): boolean {
  return !isPersonalQuestion(question.slice(0, lookedAt).replaceAll(/\bme\b/giu, ""));
}

/** Whether a question asks what anybody does, `How do I fold a sheet?`, or is none but a task, `Explain the …`. */
export function isForAnybody(question: string): boolean {
  const [first = "", second = "", third = ""] = question
    .toLowerCase()
    .trim()
    .split(/[^a-z']+/u, 3);
  return commands.has(first) || saidByAnybody.has(`${first} ${second} ${third}`);
}

/** What is enough for a question about who asks, or about somebody who spoke. Calibrated on one-line facts. */
const personalShare = 0.85;

/** How close the closest memory must come. @param floors what the embedder declares */
export function answerFloorOf(
  floors: { readonly relevance: number; readonly answer?: number | undefined },
  isPersonal: boolean,
): number {
  const { relevance, answer = relevance } = floors;
  return Math.max(relevance, isPersonal ? personalShare * answer : answer);
}
