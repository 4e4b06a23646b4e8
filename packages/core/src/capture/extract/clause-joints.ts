const pause = /[\s,:\u2013\u2014-]/u;
const jointWord = /\s(?:and|but|so|because)$/u;
/** Of the longest such word, with the space before it. */
const jointLength = 8;

/** Where a text ends without what joins it to what follows: pauses, and words like `and`. */
export function endBeforeJoint(text: string, length: number): number {
  let end = length;
  for (;;) {
    while (end > 0 && pause.test(text.charAt(end - 1))) end--;
    const word = jointWord.exec(text.slice(Math.max(0, end - jointLength), end))?.[0];
    if (word === undefined) return end;
    end -= word.length;
  }
}
