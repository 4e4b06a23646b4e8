/** The texts of one division of a scope: where their numbers stand, and which of them lie on pages of postings. */
export interface TextDivision {
  /** By which rows and pages of the tenant name it. */
  readonly division: number;
  /** The last number that was given. None is given twice. */
  readonly lastNumber: number;
  /** Texts up to there lie on pages. Those behind are searched one by one. */
  readonly pagedThrough: number;
  /** Terms in the texts behind `pagedThrough`, repetitions counted, also of those removed since. */
  readonly tailLength: number;
  /** The first number of each segment, ascending. A segment ends where the next one begins, the last at `pagedThrough`. */
  readonly segments: readonly number[];
}

export const emptyTextDivision: Omit<TextDivision, "division"> = {
  lastNumber: 0,
  pagedThrough: 0,
  tailLength: 0,
  segments: [],
};

/** Added to the numbers of texts that are too long for postings, so that they are always behind `pagedThrough`. */
export const longTextNumbers: number = 2 ** 30;

/** A search reads so many texts themselves, and so many terms in them, before they get postings. */
const longestTail = 128;
const longestTailLength = 4_096;
/** From so many texts on a segment is on the next level; one of the last level is never merged. */
const levels = [512, 2_048, 8_192] as const;
/** So many segments of a level become one. */
const fanOut = 4;

export function needsPages({ lastNumber, pagedThrough, tailLength }: TextDivision): boolean {
  return lastNumber - pagedThrough > longestTail || (lastNumber > pagedThrough && tailLength > longestTailLength);
}

/**
 * Where the segment has to begin that takes the texts behind `pagedThrough`: at the first of them, or further back, with the
 * segments it is to be merged with. So each text is written again a few times at most, and a search looks into few segments.
 */
export function beginningOfSegment({ lastNumber, pagedThrough, segments }: TextDivision): number {
  let beginning = pagedThrough + 1;
  for (;;) {
    const level = levelOf(lastNumber - beginning + 1);
    if (level === levels.length) return beginning;
    const before = segments.filter((first) => first < beginning);
    const size = (place: number): number => (before[place + 1] ?? beginning) - (before[place] as number);
    let place = before.length;
    while (place > 0 && levelOf(size(place - 1)) <= level) place--;
    if (before.length - place < fanOut - 1) return beginning;
    beginning = before[place] as number;
  }
}

/** The division once its texts from `beginning` on are one segment. */
export function withSegment({ division, lastNumber, segments }: TextDivision, beginning: number): TextDivision {
  return {
    division,
    lastNumber,
    pagedThrough: lastNumber,
    tailLength: 0,
    segments: [...segments.filter((first) => first < beginning), beginning],
  };
}

/** The segment with the text of a number, by its first number. `undefined` for one without postings. */
export function segmentOf({ pagedThrough, segments }: TextDivision, number: number): number | undefined {
  return number > pagedThrough ? undefined : segments.findLast((first) => first <= number);
}

function levelOf(size: number): number {
  const level = levels.findIndex((least) => size < least);
  return level === -1 ? levels.length : level;
}
