import type { Word } from "../extract/words.ts";
import { endingPhrases, endingWords } from "./ending-words.ts";
import { turnsOfEndingIn } from "./turns-of-ending.ts";

/** Verbs that tell of a change or an end, in the forms in which it took place. */
export const changingVerbs: ReadonlySet<string> = new Set([
  ...endingWords,
  ...`moved switched changed became replaced renamed migrated transferred rewrote turned passed upgraded downgraded increased raised lowered reduced
  grew grown rose risen fell fallen climbed shrank traded swapped exchanged shut given gave broke broken shifted postponed rescheduled
  pushed delayed over dead kicked buried split stepped thrown threw handed rid`.split(/\s+/),
]);

/** These stand between what is denied or supposed and the verb: `hasn't actually been cancelled`. */
const between: ReadonlySet<string> = new Set(
  `be been being have has had is are was were am to get got getting really actually even ever just yet all completely fully quite officially
  so easily simply only seriously happily anything anybody anyone`.split(/\s+/),
);
/** What denies what stands behind it. */
export const denying: ReadonlySet<string> = new Set(
  "not never hardly nobody nothing neither nor without barely".split(" "),
);

/** `No longer` is told by its second word. */
const verbPhrases = endingPhrases.filter(([, behind]) => behind !== "more" && behind !== "longer");

function isChange({ text }: Word, next: Word | undefined): boolean {
  return changingVerbs.has(text) || verbPhrases.some(([verb, behind]) => text === verb && next?.text === behind);
}

/** Where words tell of a change or an end: places of its verbs. */
export function changesIn(words: readonly Word[]): readonly number[] {
  const turns = new Set(turnsOfEndingIn(words));
  return words.flatMap((word, index) => {
    const isOver =
      (word.text === "more" || word.text === "longer") &&
      (words[index - 1]?.text === "any" || words[index - 1]?.text === "no");
    return isOver || turns.has(index) || isChange(word, words[index + 1]) ? index : [];
  });
}

/** Whether one of some words stands before a place, with nothing but auxiliaries and adverbs between them. */
export function leadsTo(words: readonly Word[], index: number, leads: ReadonlySet<string>): boolean {
  let before = index - 1;
  while (before >= 0 && between.has(words[before]?.text ?? "") && !leads.has(words[before]?.text ?? "")) before--;
  return leads.has(words[before]?.text ?? "");
}
