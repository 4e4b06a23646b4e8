import { weekdayNames } from "../../text/weekday-names.ts";
import { isDayWord } from "./word-kinds.ts";
import { type Word, wordsOf } from "./words.ts";

const weekdays: ReadonlySet<string> = new Set(weekdayNames);
const everyWeekday: ReadonlySet<string> = new Set(weekdayNames.map((day) => `${day}s`));

const events: ReadonlySet<string> = new Set(
  "class classes lessons practice rehearsal rehearsals choir standup stand-up retro sync club bins".split(" "),
);
const habits: ReadonlySet<string> = new Set(
  "teach teaches train trains play plays swim swims run runs deliver delivers practise practises rehearse rehearses".split(
    " ",
  ),
);
/** `Thursday to Saturday nights` */
const hours: ReadonlySet<string> = new Set(
  "nights days mornings afternoons evenings shifts shift hours open closed work works working off".split(" "),
);
const once: ReadonlySet<string> = new Set(
  "this next coming last tomorrow today tonight yesterday missed skipped".split(" "),
);

/**
 * Whether a text speaks of a weekday as one of every week, so that it has no date: `I run on Saturdays, she has her kids on Sunday`, `Bram
 * has swimming lessons on Wednesday`, `I teach on Monday and Thursday`, `I'm on Thursday to Saturday nights`.
 */
export function comesEachWeek(text: string): boolean {
  if (!/day/iu.test(text)) return false;
  const words = wordsOf(text);
  if (words.some((word) => everyWeekday.has(word.text))) return true;
  const day = words.findIndex((word) => weekdays.has(word.text));
  if (day < 0 || words.some(isOneDay)) return false;
  return (
    words.some((word) => events.has(word.text)) ||
    (isOfSeveral(words, day) && words.some((word) => habits.has(word.text))) ||
    (isRange(words, day) && words.some((word) => habits.has(word.text) || hours.has(word.text)))
  );
}

/** `This Friday`, `Friday 12 March`, `the 14th`; but not `since October`. */
function isOneDay(word: Word, index: number, words: readonly Word[]): boolean {
  if (once.has(word.text) || /^(?:\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th))$/u.test(word.text)) return true;
  const isMonth = isDayWord(word) && !weekdays.has(word.text);
  return isMonth && [words[index - 1], words[index + 1]].some((beside) => /^\d{1,2}$/u.test(beside?.text ?? ""));
}

/** `Monday and Thursday` */
function isOfSeveral(words: readonly Word[], day: number): boolean {
  return words[day + 1]?.text === "and" && weekdays.has(words[day + 2]?.text ?? "");
}

const upTo: ReadonlySet<string> = new Set("to through till until".split(" "));

/** `Thursday to Saturday` */
function isRange(words: readonly Word[], day: number): boolean {
  return upTo.has(words[day + 1]?.text ?? "") && weekdays.has(words[day + 2]?.text ?? "");
}
