const lineBreak = /\r\n|[\r\n\u2028\u2029]/g;

/** A text of somebody else's as a part of a line: each line break is a space, and there is none at its ends. */
export function textOnOneLine(text: string): string {
  return text.replace(lineBreak, " ").trim();
}
