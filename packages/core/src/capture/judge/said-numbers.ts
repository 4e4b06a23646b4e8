import { amounts } from "../extract/number-words.ts";
import { isDateWord } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";
import { meaningOf } from "./value-families.ts";

/** What a number measures. `plain`: nothing that is known. */
export type Quantity = "plain" | "money" | "share" | "time" | "date" | "duration" | "size" | "times" | "grade";

/** A number, and what it measures. */
export interface MeasuredNumber {
  readonly value: string;
  readonly quantity: Quantity;
}

const ordinalNumbers: ReadonlyMap<string, number> = new Map(
  "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ").map((word, index) => [word, index + 1]),
);
/** What one goes through one after the other, or is on one of: who is in the third year is in the second no more. */
const counted: ReadonlySet<string> = new Set("year semester term trimester grade form floor storey".split(" "));

const frequencies: ReadonlyMap<string, string> = new Map([
  ["once", "1"],
  ["twice", "2"],
]);
const eachTime: ReadonlySet<string> = new Set("a an per each every".split(" "));

/** `Twice a day`, but not `once the train is in`. */
function timesAt(words: readonly Word[], index: number): string | undefined {
  return eachTime.has(words[index + 1]?.text ?? "") ? frequencies.get(words[index]?.text ?? "") : undefined;
}

/** `Class 9b`, `a 7a` to climb: another letter is another one. `20c` and `70f` are degrees. */
const gradeForm = /^\d{1,3}[abde]$/;

const ordinals: ReadonlySet<string> = new Set("first third".split(" "));

/** `In the first person`, but `the first of May`. */
function isOrdinalOfWords(words: readonly Word[], index: number): boolean {
  const next = words[index + 1]?.text ?? "";
  return ordinals.has(words[index]?.text ?? "") && next !== "" && next !== "of" && !isDateWord(next);
}

/** The numbers that words give, but those that something is called by: `room 204`. */
export function numbersOf(words: readonly Word[]): readonly MeasuredNumber[] {
  const found: MeasuredNumber[] = [];
  for (const [index, { text }] of words.entries()) {
    const share = shareOfHour(words, index);
    const hour = share === undefined ? undefined : hourOf(words[index + 2]?.text ?? "");
    if (share !== undefined && hour !== undefined) {
      found.push({ value: String(hour + share), quantity: "time" });
      continue;
    }
    if (index > 1 && shareOfHour(words, index - 2) !== undefined && hourOf(text) !== undefined) continue;
    const times = timesAt(words, index);
    if (times !== undefined) {
      found.push({ value: times, quantity: "times" });
      continue;
    }
    // `Year 5` of a school
    if (schooling.has(words[index - 1]?.text ?? "") && /^\d{1,2}$/u.test(text)) {
      found.push({ value: text, quantity: "grade" });
      continue;
    }
    // `Van 9` is called so.
    if (isNumberedAt(words, index - 1)) continue;
    const ordinal = counted.has(words[index + 1]?.text ?? "") ? ordinalNumbers.get(text) : undefined;
    if (ordinal !== undefined) {
      found.push({ value: String(ordinal), quantity: "plain" });
      continue;
    }
    if (gradeForm.test(text)) {
      found.push({ value: text, quantity: "plain" });
      continue;
    }
    const value = /^\d/.test(text)
      ? numberIn(text)
      : text === "one" || text === "second" || isOrdinalOfWords(words, index)
        ? undefined
        : amounts.get(text);
    if (value === undefined) continue;
    const next = words[index + 1]?.text;
    const scaled =
      next === "thousand"
        ? value * 1_000
        : next === "hundred"
          ? value * 100
          : next === "million"
            ? value * 1_000_000
            : value;
    const isAfternoon = (next === "pm" || text.endsWith("pm")) && scaled < 12;
    found.push({ value: String(isAfternoon ? scaled + 12 : scaled), quantity: quantityAt(words, index) });
  }
  return found;
}

/** The same by what they measure. */
export function quantitiesOf(numbers: readonly MeasuredNumber[]): ReadonlyMap<Quantity, ReadonlySet<string>> {
  const found = new Map<Quantity, Set<string>>();
  for (const { value, quantity } of numbers) found.set(quantity, (found.get(quantity) ?? new Set()).add(value));
  return found;
}

const units: Readonly<Record<Exclude<Quantity, "plain">, ReadonlySet<string>>> = {
  money: new Set(
    "$ \u20ac \u00a3 euro euros eur dollar dollars usd pound pounds gbp franc francs chf cent cents crown crowns krona kronor krone kroner zloty zlotys yen yuan rupee rupees peso pesos quid bucks grand".split(
      " ",
    ),
  ),
  share: new Set("% percent".split(" ")),
  time: new Set("am pm o'clock".split(" ")),
  times: new Set(["times"]),
  date: new Set(),
  grade: new Set(),
  duration: new Set(
    "ms millisecond milliseconds second seconds minute minutes min mins hour hours day days week weeks month months year years".split(
      " ",
    ),
  ),
  size: new Set(
    "kb mb gb tb kilobytes megabytes gigabytes km kilometres kilometers metres meters cm mm kg kilos grams g tonnes litres liters".split(
      " ",
    ),
  ),
};
const written: readonly (readonly [RegExp, Quantity])[] = [
  [/^\d{1,2}:\d{2}|^\d{1,2}(?:am|pm)$|^(?:noon|midnight)$/, "time"],
  [/^\d{1,2}(?:st|nd|rd|th)$/, "date"],
  [/^[\d.,]{1,12}(?:ms|min|h)$/, "duration"],
  [/^[\d.,]{1,12}(?:kb|mb|gb|tb|km|cm|mm|kg)$/, "size"],
];

/** `CZK`, in capitals: `all` and `try` are codes as well. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

const hoursOfDay = 25;
/** `At 20 knots`; but `at 8 on Mondays`, `at 8`. */
const mayBeMeasured =
  /^(?:(?!(?:and|but|so|on|in|from|to|till|until|sharp|every|each|or|now|instead|since|because|again|because|tomorrow)$)\p{L})|^[%\u00b0]/u;

/** By the number itself, or the word behind or before it: `75 euros`, `$75`, `250ms`, `March 22`. */
function quantityAt(words: readonly Word[], index: number): Quantity {
  const text = words[index]?.text ?? "";
  const [before = "", behind = ""] = [words[index - 1]?.text, words[index + 1]?.text];
  for (const [form, quantity] of written) if (form.test(text)) return quantity;
  if (currencies.has(words[index + 1]?.raw ?? "") || currencies.has(words[index - 1]?.raw ?? "")) return "money";
  for (const [quantity, names] of Object.entries(units) as [Quantity, ReadonlySet<string>][])
    if (names.has(behind) || (quantity === "money" && names.has(before))) return quantity;
  if (isDateWord(before) || meaningOf(behind)?.family === "month") return "date";
  const isHour = before === "at" && (hourOf(text) ?? hoursOfDay) < hoursOfDay && !mayBeMeasured.test(behind);
  return isHour ? "time" : "plain";
}

/** `a quarter past nine` is 9.25, `a quarter to ten` 9.75. */
const sharesOfHour: ReadonlyMap<string, number> = new Map([
  ["quarter past", 0.25],
  ["half past", 0.5],
  ["quarter to", -0.25],
]);

function shareOfHour(words: readonly Word[], index: number): number | undefined {
  return sharesOfHour.get(`${words[index]?.text} ${words[index + 1]?.text}`);
}

function hourOf(text: string): number | undefined {
  return /^\d{1,2}$/.test(text) ? Number(text) : amounts.get(text);
}

/** `1,550` and `1.550` are 1550, `23k` is 23000, `9:15` is 9.25, `12th` is 12, `01:00` is 1. */
function numberIn(text: string): number | undefined {
  const time = /^(\d{1,2}):(\d{2})$/.exec(text);
  if (time !== null) return Number(time[1]) + Number(time[2]) / 60;
  const value = Number.parseFloat(text.replaceAll(/,(?=\d{3})|(?<=^[1-9]\d{0,2})\.(?=\d\d0$)/g, ""));
  if (Number.isNaN(value)) return undefined;
  return /^[\d.,]{1,12}k$/.test(text) ? value * 1_000 : value;
}

const numbered: ReadonlySet<string> = new Set(
  "order invoice claim booking reservation incident parcel shipment flight episode volume lesson room flat apartment suite hall chapter version plot block building floor line platform partner quarter van bus truck route gate bay dock track table desk ticket issue exercise task sprint unit lot bed seat shelf locker box zone lane".split(
    " ",
  ),
);

const schooling: ReadonlySet<string> = new Set("year grade class form".split(" "));

/** Whether a word stands before the number that it is called by. */
export function isNumberedAt(words: readonly Word[], index: number): boolean {
  const [text, number] = [words[index]?.text ?? "", words[index + 1]?.text ?? ""];
  // `Year 2` of a school, but `the year 2026`.
  return (numbered.has(text) && /^\d/.test(number)) || (schooling.has(text) && /^\d{1,2}$/.test(number));
}
