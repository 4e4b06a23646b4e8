import type { BlockFieldChange, BlockValue } from "@loci/loci";

/** Whatever cannot be seen, or changes how what stands around it looks. Not what separates words and lines in plain text. */
const unseen = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]--[\t ]]/gv;

/**
 * The lines of a text as somebody sees them who decides about it: what cannot be seen stands there as `\u{…}`, so that it is decided
 * about as well.
 */
export function shownLines(text: string): readonly string[] {
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.replace(unseen, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16) ?? ""}}`));
}

/** A text that goes, line by line. */
export function goingLines(text: string): readonly string[] {
  return shownLines(text).map((line) => `- ${line}`);
}

/** A text that comes, line by line. */
export function comingLines(text: string): readonly string[] {
  return shownLines(text).map((line) => `+ ${line}`);
}

/** What changes in a block: each field with the lines that go and those that come. What stays before and after them is left out. */
export function changedLines(changes: readonly BlockFieldChange[]): readonly string[] {
  return changes.flatMap(({ field, before, after }) => {
    const [left, right] = [linesOf(before), linesOf(after)];
    if (isList(before) || isList(after)) return [`${field}:`, ...changedEntries(left, right)];
    const shorter = Math.min(left.length, right.length);
    let first = 0;
    while (first < shorter && left[first] === right[first]) first++;
    let last = 0;
    while (last < shorter - first && left.at(-1 - last) === right.at(-1 - last)) last++;
    return [
      `${field}:`,
      ...left.slice(first, left.length - last).flatMap(goingLines),
      ...right.slice(first, right.length - last).flatMap(comingLines),
    ];
  });
}

function isList(value: BlockValue | undefined): boolean {
  return typeof value === "object";
}

/** An entry stands in a list once. Of those that stay nothing is shown, unless they change places. */
function changedEntries(left: readonly string[], right: readonly string[]): readonly string[] {
  const going = left.filter((entry) => !right.includes(entry));
  const coming = right.filter((entry) => !left.includes(entry));
  const stay = left.filter((entry) => right.includes(entry));
  const stayed = right.filter((entry) => left.includes(entry));
  if (stay.length === stayed.length && stay.every((entry, place) => entry === stayed[place]))
    return [...going.flatMap(goingLines), ...coming.flatMap(comingLines)];
  return [...left.flatMap(goingLines), ...right.flatMap(comingLines)];
}

function linesOf(value: BlockValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === "object" ? value : String(value).split("\n");
}
