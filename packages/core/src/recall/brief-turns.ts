/** So many words of its own say something. With 8 and 10 LoCoMo gains the same within half a point. */
const enoughWords = 6;
/** A turn of no word counts so much. */
const wordless = 0.5;

const partsOfName = /\S+/gu;

/**
 * What the relevance of a person's turn is multiplied by for saying next to nothing: `Maya: 😱` comes near to every question that
 * names Maya, and `OK, and how long does that take?` is near to what the assistant talked about. From a half without a word of its own to 1 with six, when it is `undefined`. Of LoCoMo's turns with fewer than six one in 15
 * answers a question, of the others three in ten.
 *
 * @param length of its text in terms, with the name of who said it
 */
export function briefFactor(length: number, speaker: string | undefined): number | undefined {
  const ofName = speaker?.match(partsOfName)?.length ?? 0;
  const own = Math.max(0, length - ofName);
  return own < enoughWords ? wordless + ((1 - wordless) * own) / enoughWords : undefined;
}
