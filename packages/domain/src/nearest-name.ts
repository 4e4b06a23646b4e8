/**
 * The name among the known ones that somebody meant who wrote another: with few letters more, fewer or otherwise, or a part
 * of the known one. Upper and lower case count as the same.
 *
 * @returns `undefined` when none is like it
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const written = name.toLowerCase().slice(0, longestName);
  let nearest: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const meant = candidate.toLowerCase();
    const distance = isPartOf(written, meant) ? 0.5 : lettersBetween(written, meant);
    if (distance < least && distance <= mostLetters(written)) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

const longestName = 64;

/** Two letters of a name of five, at least one. */
function mostLetters(name: string): number {
  return Math.max(1, Math.floor(name.length * 0.4));
}

function isPartOf(written: string, meant: string): boolean {
  return written.length > 2 && (meant.includes(written) || (meant.length > 2 && written.includes(meant)));
}

/** How many letters are to be put in, taken out or changed to make one of the other (Levenshtein's distance). */
function lettersBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const changed = (above[column - 1] as number) + (one[row - 1] === other[column - 1] ? 0 : 1);
      line.push(Math.min((above[column] as number) + 1, (line[column - 1] as number) + 1, changed));
    }
    above = line;
  }
  return above[other.length] as number;
}
