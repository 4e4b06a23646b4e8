import type { CaptureReason } from "@loci/domain";
import { namedPersonIn } from "./named-people.ts";
import { plainlySaid, type TurnStatement } from "./turn-statement.ts";
import { toldToBeForgotten } from "./told-to-be-forgotten.ts";
import { namedPattern } from "./unphrased-patterns.ts";
import { wordsOf } from "./words.ts";

/** What is refused for saying too little may name somebody all the same; what is a secret or taken back may not. */
const mayName: ReadonlySet<CaptureReason | undefined> = new Set([
  undefined,
  "QUESTION",
  "TRANSIENT",
  "VAGUE",
  "FILLER",
]);

/** Whom a sentence names that is not worth remembering otherwise, once. */
export function personNamedIn(
  { turn, sentence, refusal, company }: TurnStatement,
  spoken: string,
  earlier: readonly TurnStatement[],
): TurnStatement | undefined {
  if (!mayName.has(refusal)) return undefined;
  const { start, end } = sentence;
  // `Forget all about my sister Clara`
  if (toldToBeForgotten(sentence.text) !== undefined) return undefined;
  const person = namedPersonIn({ text: spoken.slice(start, end), start, end });
  if (person === undefined || earlier.some(({ text }) => text === person.text)) return undefined;
  const { place, text } = person;
  return {
    ...plainlySaid,
    turn,
    company,
    sentence: place,
    words: wordsOf(place.text),
    said: place.text,
    text,
    pattern: namedPattern,
  };
}
