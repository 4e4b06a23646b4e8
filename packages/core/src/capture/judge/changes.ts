import { wordGroups } from "../extract/word-groups.ts";
import { isRelativeValue } from "../extract/relative-values.ts";
import { isDateWord, leadingWords } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";
import { changesByPhrase } from "./change-phrases.ts";
import { endingPhrases } from "./ending-words.ts";
import { turnsOfEndingIn } from "./turns-of-ending.ts";

const endings: ReadonlySet<string> = wordGroups["ending"] ?? new Set();

const changeWords: ReadonlySet<string> = new Set(
  "now nowadays since anymore moved switched changed become became becomes replaced sold quit stopped retired dropped renamed migrated transferred gone again cut slips instead rewrote started turned passed new cancelled measured everywhere upgraded downgraded upped bumped doubled halved increased raised lowered reduced extended shortened prolonged grew grown rose risen fell fallen climbed shrank traded swapped exchanged converted reverted relocated promoted reassigned inherited superseded tripled slashed trimmed meanwhile meantime".split(
    " ",
  ),
);

/** Whether words say that something is different now. */
export function tellsChange(words: readonly Word[]): boolean {
  return (
    words.some(
      ({ text }, index) =>
        changeWords.has(text) &&
        // `Say what changed`
        words[index - 1]?.text !== "what" &&
        !goesOnToNext(words, index) &&
        !isListedAsNew(words, index),
    ) ||
    pairs(words, "these", "days") ||
    pairs(words, "any", "more") ||
    pairs(words, "any", "longer") ||
    pairs(words, "no", "longer") ||
    pairs(words, "from", "now") ||
    pairs(words, "from", "today") ||
    (pairs(words, "from", "here") && pairs(words, "here", "on")) ||
    beginsAtTime(words) ||
    pairs(words, "starting", "today") ||
    pairs(words, "as", "of") ||
    pairs(words, "make", "it") ||
    pairs(words, "used", "to") ||
    pairs(words, "down", "to") ||
    pairs(words, "up", "to") ||
    pairs(words, "stands", "in") ||
    goesToAmount(words) ||
    setsAmount(words) ||
    movesInTime(words) ||
    isRelativeValue(words) ||
    changesByPhrase(words) ||
    pairs(words, "i", "left") ||
    pairs(words, "we", "left") ||
    pairs(words.slice(0, 5), "it", "is")
  );
}

/** `210 from this summer`, `lates from April`; but `Farah joins from April, Henrik still leads` tells of her alone. */
function beginsAtTime(words: readonly Word[]): boolean {
  const begins = words.some(({ text }, index) => {
    const [next, second] = words.slice(index + 1, index + 3).map((word) => word.text);
    if (text !== "from" || next === undefined) return false;
    if (words.slice(index + 2, index + 5).some((word) => rangeWords.has(word.text))) return false;
    return next === "this" || next === "next" ? periods.has(second ?? "") : isDateWord(next);
  });
  return begins && !words.some(({ text }) => text === "still");
}

/** `From Monday to Friday` begins nothing. */
const rangeWords: ReadonlySet<string> = new Set("to until till through".split(" "));
const periods: ReadonlySet<string> = new Set(
  "week month year quarter term season spring summer autumn fall winter".split(" "),
);

/** `Now this one`, `now for the next` */
function goesOnToNext(words: readonly Word[], index: number): boolean {
  return index === 0 && words[0]?.text === "now" && /^(?:this|for|to)$/.test(words[1]?.text ?? "");
}

/** `Topics: summer courses, new glazes` */
function isListedAsNew(words: readonly Word[], index: number): boolean {
  const [before, behind] = [words[index - 1]?.text ?? "", words[index + 1]?.text ?? ""];
  return words[index]?.text === "new" && behind.endsWith("s") && !beforeNew.has(before);
}

/** `The new rules`, `what is new is` */
const beforeNew: ReadonlySet<string> = new Set(
  "a an the my our your his her their this that these is are was were".split(" "),
);

/** These say by themselves that something takes place at another time. */
export const rescheduling: ReadonlySet<string> = new Set(
  "moved shifted postponed rescheduled pushed delayed".split(" "),
);
const moving: ReadonlySet<string> = new Set([...rescheduling, ..."brought gone went slipped slid".split(" ")]);

/** Whether words say that something takes place at another time: `moved to 11 June`. */
export function movesInTime(words: readonly Word[]): boolean {
  return words.some(({ text }, index) => {
    if (isGivenTime(text, words[index + 1]?.text ?? "", words[index + 2]?.text ?? "")) return true;
    const to = moving.has(text) ? words.slice(index, index + longestMoved).findIndex((word) => word.text === "to") : -1;
    // `Postponed the wedding to May`, but `went to Brno in May`.
    if (to < 1 || (to > 1 && !rescheduling.has(text))) return false;
    return words.slice(index + to + 1, index + to + 3).some((word) => isTime(word));
  });
}

const giving: ReadonlySet<string> = new Set("gave give given got get have".split(" "));

/** `They gave us till the 22nd`, `we have until noon` */
function isGivenTime(verb: string, whom: string, behind: string): boolean {
  const isUntil = (text: string): boolean => text === "till" || text === "until";
  return giving.has(verb) && (isUntil(whom) || ((whom === "me" || whom === "us") && isUntil(behind)));
}

/** Between `postponed` and where its time stands. In words. */
const longestMoved = 6;

/** A number, a day or a month. `May` is one as it is written. */
export function isTime({ text, raw }: Word): boolean {
  return /^\d/.test(text) || isDateWord(text) || raw === "May";
}

/** `Tagine goes to 21` */
function goesToAmount(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) =>
      (text === "goes" || text === "went" || text === "going") &&
      words[index + 1]?.text === "to" &&
      /^\d/.test(words[index + 2]?.text ?? ""),
  );
}

const setting: ReadonlySet<string> = new Set(
  "raise lower increase reduce cut set bump change move shift push extend shorten".split(" "),
);
const settled: ReadonlySet<string> = new Set("my our".split(" "));
const unsettled: ReadonlySet<string> = new Set("if unless maybe perhaps would could should".split(" "));
/** In words. */
const longestSet = 4;

/** `Please raise my budget to 2,500`: who orders it says what it is from now on. */
function setsAmount(words: readonly Word[]): boolean {
  const start = words.findIndex(({ text }) => !leadingWords.has(text));
  const [verb, owner, ...behind] = words.slice(Math.max(0, start));
  if (!setting.has(verb?.text ?? "") || !settled.has(owner?.text ?? "")) return false;
  const to = behind.findIndex(({ text }) => text === "to");
  if (to < 1 || to > longestSet || words.some(({ text }) => unsettled.has(text))) return false;
  return behind.slice(to + 1, to + 3).some((word) => isTime(word));
}

/** Whether words say that something is over. */
export function tellsEnd(words: readonly Word[]): boolean {
  return (
    words.some(({ text }) => endings.has(text)) ||
    endingPhrases.some(([first, second]) => pairs(words, first, second)) ||
    turnsOfEndingIn(words).length > 0 ||
    isOverNow(words) ||
    isTakenOff(words) ||
    isThrownAway(words)
  );
}

const rubbish: ReadonlySet<string> = new Set("tip dump skip scrapyard scrapheap landfill rubbish trash".split(" "));
const leadingThere: ReadonlySet<string> = new Set("at to in on".split(" "));

/** `The sofa is at the tip`, `took the fridge to the dump` */
function isThrownAway(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) =>
      rubbish.has(text) && words[index - 1]?.text === "the" && leadingThere.has(words[index - 2]?.text ?? ""),
  );
}

/** `That is over`, but not `she is over 30`. */
function isOverNow(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) =>
      (text === "is" || text === "are") &&
      words[index + 1]?.text === "over" &&
      [undefined, "and", "now", "for"].includes(words[index + 2]?.text),
  );
}

/** So many words stand between `took` and `off`. */
const widestTaking = 4;

/** `We took the couscous off the menu` */
function isTakenOff(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) =>
      (text === "took" || text === "taken" || text === "take" || text === "threw") &&
      words.slice(index + 1, index + 2 + widestTaking).some((word) => word.text === "off"),
  );
}

/** Whether one word follows another. */
export function pairs(words: readonly Word[], first: string, second: string): boolean {
  return words.some(({ text }, index) => text === first && words[index + 1]?.text === second);
}
