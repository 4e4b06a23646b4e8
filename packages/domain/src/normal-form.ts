export type NormalForm = "NFC" | "NFD" | "NFKC" | "NFKD";

/** Runs of combining marks that take noticeable time to put in order. Words of real languages have at most a handful. */
const longRun = 30;

// U+FF9E and U+FF9F are letters that decompose to combining marks.
const mark = String.raw`[\p{M}\uff9e\uff9f]`;
const longRuns = new RegExp(`${mark}{${longRun},}`, "gu");

/** Combining classes 1 and 240: no mark's is lower or higher. */
const lowest = "\u0338";
const highest = "\u0345";

/**
 * `text.normalize(form)`, in time linear in the text. By itself `normalize` takes time quadratic in a run of combining
 * marks that are out of order: 160,000 of them take most of a minute. Long runs are therefore put in order first.
 */
export function normalForm(text: string, form: NormalForm): string {
  return text.replaceAll(longRuns, (run) => inCanonicalOrder(run, form)).normalize(form);
}

/** The marks of a run decomposed and, between any that stand for themselves, ordered by their combining class. */
function inCanonicalOrder(run: string, form: NormalForm): string {
  const decomposition = form === "NFC" || form === "NFD" ? "NFD" : "NFKD";
  const decomposed = new Map<string, readonly string[]>();
  const marks: string[] = [];
  for (const character of run) {
    let parts = decomposed.get(character);
    if (parts === undefined) decomposed.set(character, (parts = Array.from(character.normalize(decomposition))));
    marks.push(...parts);
  }
  const classes = combiningClasses(new Set(marks));
  let ordered = "";
  let waiting: string[][] = [];
  const write = (): void => {
    for (const ofClass of waiting) if (ofClass !== undefined) ordered += ofClass.join("");
    waiting = [];
  };
  for (const character of marks) {
    const itsClass = classes.get(character);
    if (itsClass === undefined) {
      write();
      ordered += character;
    } else (waiting[itsClass] ??= []).push(character);
  }
  write();
  return ordered;
}

/** Ranks of combining classes, from 0. A character without one, which begins anew, is left out. */
function combiningClasses(characters: ReadonlySet<string>): ReadonlyMap<string, number> {
  const combining = [...characters]
    .filter((character) => areSwapped(highest, character) || areSwapped(character, lowest))
    .toSorted((left, right) => (areSwapped(left, right) ? 1 : areSwapped(right, left) ? -1 : 0));
  const classes = new Map<string, number>();
  let rank = -1;
  let before: string | undefined;
  for (const character of combining) {
    if (before === undefined || areSwapped(character, before)) rank++;
    classes.set(character, rank);
    before = character;
  }
  return classes;
}

/** True when the class of the first mark is higher than that of the second, so that normalising swaps them. */
function areSwapped(first: string, second: string): boolean {
  return `a${first}${second}`.normalize("NFD") === `a${second}${first}` && first !== second;
}
