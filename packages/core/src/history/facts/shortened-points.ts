const longestPoint = 100;
const longestTogether = 150;
const mark = "...";

/** A shorter open point or change of mind says little without what stands before it: `Remind me tomorrow.` */
export const shortPoint = 25;
/** And so does a shorter question: `Shall I?` */
export const shortQuestion = 50;

/** At most so many UTF-16 units, cut behind a word where there is one. */
export function point(sentence: string, longest: number = longestPoint): string {
  if (sentence.length <= longest) return sentence;
  const cut = sentence
    .slice(0, longest - mark.length)
    .toWellFormed()
    .replace(/\uFFFD$/, "");
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > longest / 2 ? space : cut.length).trimEnd()}${mark}`;
}

/** A long sentence without the clauses before a place: what it is for does not begin it. */
export function pointFrom(sentence: string, place: number): string {
  const clause = Math.max(...[", ", "; ", ": ", " – "].map((end) => sentence.lastIndexOf(end, place)));
  return clause < shortPoint ? point(sentence) : point(`${mark} ${sentence.slice(clause + 1).trim()}`);
}

export function isLong(sentence: string): boolean {
  return sentence.length > longestPoint;
}

/** A sentence, with the one before it where it is shorter than `short`. */
export function withContext(before: string | undefined, sentence: string, short: number): string {
  const isShort = before !== undefined && sentence.length < short;
  return isShort && before.length + sentence.length < longestTogether
    ? joinSentences(before, sentence)
    : point(sentence);
}

/** One behind the other, the first with a full stop where it has no end. */
export function joinSentences(first: string, second: string): string {
  return `${first}${/[\p{L}\p{N}]$/u.test(first) ? "." : ""} ${second}`;
}

/** Whole sentences, each once and as many as there is room for; at least the first. */
export function sentencesWithin(sentences: readonly string[], longest: number): string {
  const [first = "", ...others] = new Set(sentences);
  let text = first.length <= longest ? first : point(first, longestTogether);
  for (const sentence of others) {
    if (text.length + 2 + sentence.length > longest) break;
    text = joinSentences(text, sentence);
  }
  return text;
}
