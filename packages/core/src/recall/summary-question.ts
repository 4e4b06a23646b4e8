const verbs: ReadonlySet<string> = new Set("summarize summarise summarizing summarising".split(" "));
const nouns: ReadonlySet<string> = new Set("summary recap overview rundown".split(" "));
/** In front of `recap` where it is what somebody is to do. */
const beforeRequests: ReadonlySet<string> = new Set(["", "you", "please", "and", "to"]);

/**
 * Whether words of English ask for a summary at one of them: `summarize how …`, `a summary of …`, `can you recap …?`. Not where one is
 * spoken of: `that recap is helpful`, `Good summary!`.
 */
export function asksForSummaryAt(words: readonly string[], index: number): boolean {
  const word = words[index] ?? "";
  if (verbs.has(word) || (nouns.has(word) && words[index + 1] === "of")) return true;
  return word === "recap" && beforeRequests.has(words[index - 1] ?? "");
}
