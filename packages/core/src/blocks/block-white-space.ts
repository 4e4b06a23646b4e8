/** White space of blocks: ASCII only, so that every language trims alike. */
const blank = /^[ \t\n\r\f\v]*$/;
const blanks = new Set([" ", "\t", "\n", "\r", "\f", "\v"]);
/** All that a context shows as one: `visibleText` makes `\n` of the rare ones. */
const lineBreak = /\r?[\n\v\f\u0085\u2028\u2029]|\r/g;

/** The text without ASCII white space at its ends. */
export function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && blanks.has(text.charAt(start))) start++;
  while (end > start && blanks.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** The text with a space for each line break. */
export function onOneLine(text: string): string {
  return text.replaceAll(lineBreak, " ");
}

/** Whether a line shows nothing. */
export function isBlankLine(line: string): boolean {
  return blank.test(line);
}

/** The lines of a text, whatever ends them: `\n`, `\r\n` or `\r`. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|[\r\n]/);
}

/** Lines without those at either end that show nothing, as one text with `\n` between. */
export function textOfLines(lines: readonly string[]): string {
  let start = 0;
  let end = lines.length;
  while (start < end && isBlankLine(lines[start] as string)) start++;
  while (end > start && isBlankLine(lines[end - 1] as string)) end--;
  return lines.slice(start, end).join("\n");
}
