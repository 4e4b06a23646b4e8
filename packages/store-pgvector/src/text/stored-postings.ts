/**
 * A posting as a page of a segment has it, in 32 bits: which text of the segment it is, how often the term stands there, and how long
 * the text is. A page with some posting that does not fit has numbers and weights of all apart, as `weightOf` makes them.
 */
const [textBits, frequencyBits, lengthBits] = [16, 5, 11];
const [mostText, mostFrequency, mostLength] = [2 ** textBits - 1, 2 ** frequencyBits - 1, 2 ** lengthBits - 1];

interface ApartPostings {
  readonly numbers: readonly number[];
  readonly weights: readonly number[];
}

/** Whether all of them fit. @param segment its first number */
export function fitTogether({ numbers, weights }: ApartPostings, segment: number): boolean {
  for (let index = 0; index < numbers.length; index++) {
    const weight = weights[index] as number;
    if (
      (numbers[index] as number) - segment > mostText ||
      weight >>> 16 > mostFrequency ||
      (weight & 65_535) > mostLength
    )
      return false;
  }
  return true;
}

export function joinedPosting(number: number, weight: number, segment: number): number {
  return ((number - segment) << textBits) | ((weight >>> 16) << lengthBits) | (weight & 65_535);
}

export function numberOf(joined: number, segment: number): number {
  return segment + (joined >>> textBits);
}

export function weightOfJoined(joined: number): number {
  return (((joined >>> lengthBits) & mostFrequency) << 16) | (joined & mostLength);
}

/**
 * The SQL of number, frequency and length of a posting.
 *
 * @param posting the SQL of an element of `numbers`
 * @param weight the SQL of the one of `weights` at its place, NULL where there are none
 * @param segment the SQL of the first number of the segment
 */
export function postingSql(
  posting: string,
  weight: string,
  segment: string,
): Readonly<Record<"number" | "frequency" | "length", string>> {
  const either = (joined: string, apart: string): string =>
    `CASE WHEN ${weight} IS NULL THEN ${joined} ELSE ${apart} END`;
  return {
    number: either(`${segment} + ((${posting} >> ${textBits}) & ${mostText})`, posting),
    frequency: either(`(${posting} >> ${lengthBits}) & ${mostFrequency}`, `(${weight} >> 16) & 65535`),
    length: either(`${posting} & ${mostLength}`, `${weight} & 65535`),
  };
}
