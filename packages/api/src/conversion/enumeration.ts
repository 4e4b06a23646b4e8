import { checkChoice, LociError } from "@loci/domain";
import { readsAnswer } from "../reading-answers.ts";

/** How an answer shows the number of a word that this version does not know. */
const laterWord = /^UNKNOWN_([1-9]\d{0,9})$/;

/** The words of a domain type beside the numbers of a protobuf enumeration, whose 0 stands for "unspecified". */
export class Enumeration<Word extends string, Value extends number> {
  readonly #numbers: ReadonlyMap<Word, Value>;
  readonly #words: readonly (Word | undefined)[];

  constructor(numbers: Readonly<Record<Word, Exclude<Value, 0>>>) {
    this.#numbers = new Map(Object.entries(numbers) as [Word, Value][]);
    const words: (Word | undefined)[] = [undefined];
    for (const [word, value] of this.#numbers) words[value] = word;
    this.#words = words;
  }

  words(): Word[] {
    return [...this.#numbers.keys()];
  }

  /** The number of a word; `undefined` for anything else. */
  numberOf(word: Word): Value | undefined {
    return this.#numbers.get(word);
  }

  /**
   * What an answer gave for a number of a later contract becomes that number again.
   *
   * @throws LociError `INVALID_REQUEST` for anything but that and one of the words
   */
  toProto(word: Word, field: string): Value {
    const number = this.#numbers.get(word) ?? this.#laterNumber(word);
    return number ?? (this.#numbers.get(checkChoice(word, this.words(), field)) as Value);
  }

  /** 0 for an absent word. @throws LociError `INVALID_REQUEST` for anything but one of the words */
  optionalToProto(word: Word | undefined, field: string): Value | 0 {
    return word === undefined ? 0 : this.toProto(word, field);
  }

  /** The word of a number; `undefined` for 0 and for numbers of a later contract. */
  wordOf(value: Value): Word | undefined {
    return this.#words[value];
  }

  /**
   * In an answer, a number of a later contract is a word such as `UNKNOWN_99`, whatever the type says.
   *
   * @throws LociError `INVALID_REQUEST` for 0, and in a request for numbers of a later contract
   */
  fromProto(value: Value, field: string): Word {
    const word = this.#words[value];
    if (word !== undefined) return word;
    if (value > 0 && readsAnswer()) return `UNKNOWN_${value}` as Word;
    throw new LociError("INVALID_REQUEST", {
      message: `${field} is ${value === 0 ? "missing" : `the unknown number ${value}`}.`,
      field,
      advice: `Use one of ${[...this.#numbers].map(([word, number]) => `${number} (${word})`).join(", ")}.`,
    });
  }

  #laterNumber(word: unknown): Value | undefined {
    const number = Number((typeof word === "string" && laterWord.exec(word)?.[1]) || 0);
    return number > 0 && number < 2 ** 31 && this.#words[number] === undefined ? (number as Value) : undefined;
  }

  /** `undefined` for 0. @throws LociError `INVALID_REQUEST` for numbers of a later contract */
  optionalFromProto(value: Value, field: string): Word | undefined {
    return value === 0 ? undefined : this.fromProto(value, field);
  }
}
