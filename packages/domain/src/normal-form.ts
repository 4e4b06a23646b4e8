export type NormalForm = "NFC" | "NFD" | "NFKC" | "NFKD";

const beyondAscii = /[^\0-\x7f]/;

/** Runs of combining marks that take noticeable time to put in order. Words of real languages have at most a handful. */
const longRun = 30;

// U+FF9E and U+FF9F are letters that decompose to combining marks.
const mark = String.raw`[\p{M}\uff9e\uff9f]`;
const longRuns = new RegExp(`${mark}{${longRun},}`, "gu");

/** A mark of every combining class there is, from the lowest to the highest. */
const ofEachClass = Array.from(
  "\u0334\u{16ff0}\u093c\u3099\u094d\u05b0\u05b1\u05b2\u05b3\u05b4\u05b5\u05b6\u05b7\u05b8\u05b9\u05bb\u05bc\u05bd\u05bf" +
    "\u05c1\u05c2\ufb1e\u064b\u064c\u064d\u0618\u0619\u061a\u0651\u0652\u0670\u0711\u0c55\u0c56\u0e38\u0e48\u0eb8\u0ec8" +
    "\u0f71\u0f72\u0f74\u0321\u1dce\u031b\u1dfa\u0316\u059a\u302e\u{1d16d}\u05ae\u0300\u0315\u035c\u035d\u0345",
);
const lowest = ofEachClass[0] as string;
const highest = ofEachClass.at(-1) as string;
/** The rank of a character that has no class and stays where it is. */
const standsForItself = -1;
/** By code point, of marks of long runs. There are some thousand marks in Unicode. */
const ranks = new Map<number, number>();
/** By form and code point: what a mark decomposes to. */
const decompositions = { NFD: new Map<number, readonly number[]>(), NFKD: new Map<number, readonly number[]>() };

/**
 * `text.normalize(form)`, in time linear in the text. By itself `normalize` takes time quadratic in a run of combining
 * marks that are out of order: 160,000 of them take most of a minute. Long runs are therefore put in order first.
 */
export function normalForm(text: string, form: NormalForm): string {
  // ASCII is in every form.
  if (!beyondAscii.test(text)) return text;
  return text.replaceAll(longRuns, (run) => inCanonicalOrder(run, form)).normalize(form);
}

/** The marks of a run decomposed and, between any that stand for themselves, ordered by their combining class. */
function inCanonicalOrder(run: string, form: NormalForm): string {
  const decomposition = form === "NFC" || form === "NFD" ? "NFD" : "NFKD";
  const known = decompositions[decomposition];
  let ordered = "";
  /** By rank. */
  let waiting: number[][] = [];
  const write = (): void => {
    for (const marks of waiting) if (marks !== undefined) ordered += fromCodePoints(marks);
    waiting = [];
  };
  for (let index = 0; index < run.length; index++) {
    const codePoint = run.codePointAt(index) as number;
    if (codePoint > 0xffff) index++;
    let parts = known.get(codePoint);
    if (parts === undefined) known.set(codePoint, (parts = decomposed(codePoint, decomposition)));
    for (const part of parts) {
      let rank = ranks.get(part);
      if (rank === undefined) ranks.set(part, (rank = rankOf(String.fromCodePoint(part))));
      if (rank === standsForItself) {
        write();
        ordered += String.fromCodePoint(part);
      } else (waiting[rank] ??= []).push(part);
    }
  }
  write();
  return ordered;
}

function decomposed(codePoint: number, form: "NFD" | "NFKD"): readonly number[] {
  return Array.from(String.fromCodePoint(codePoint).normalize(form), (part) => part.codePointAt(0) as number);
}

/** Among classes: odd for those known, with room between them, so that one that a later Unicode adds has its place. */
function rankOf(mark: string): number {
  if (!areSwapped(highest, mark) && !areSwapped(mark, lowest)) return standsForItself;
  let low = 0;
  let high = ofEachClass.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const known = ofEachClass[middle] as string;
    if (areSwapped(known, mark)) high = middle;
    else if (areSwapped(mark, known)) low = middle + 1;
    else return 2 * middle + 1;
  }
  return 2 * low;
}

/** True when the class of the first mark is higher than that of the second, so that normalising swaps them. */
function areSwapped(first: string, second: string): boolean {
  return `a${first}${second}`.normalize("NFD") === `a${second}${first}` && first !== second;
}

function fromCodePoints(codePoints: readonly number[]): string {
  // As many arguments as a call may have anywhere.
  const most = 4_096;
  let text = "";
  for (let start = 0; start < codePoints.length; start += most)
    text += String.fromCodePoint(...codePoints.slice(start, start + most));
  return text;
}
