// Block structure of CommonMark in text that was said or recalled. Whatever begins a line, behind any indentation, quote
// marks and list markers, and could be a heading, an underline of one, a rule, a fence or a link definition.
const container = String.raw`[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t>]+)*`;
const blockStart = new RegExp(
  [
    String.raw`^(${container})(?:`,
    // The character to break, and what makes it structure.
    String.raw`#(?=#{0,5}(?:[ \t]|$))`,
    String.raw`|=(?==*[ \t]*$)|-(?=[- \t]*$)`,
    String.raw`|([*_])(?=(?:[ \t]*\2){2,}[ \t]*$)`,
    "|`(?=``)|~(?=~~)",
    String.raw`|\[(?=[^\]]{1,999}\]:)`,
    ")",
  ].join(""),
  "gmu",
);
const mayBeBlock = /[#=~`*_[-]/;
const openingFence = /^(?:(`{3,})[^`\r\n]*|(~{3,})[^\r\n]*)$/;

const references: Readonly<Record<string, string>> = {
  "#": "&#35;",
  "=": "&#61;",
  "-": "&#45;",
  "*": "&#42;",
  _: "&#95;",
  "`": "&#96;",
  "~": "&#126;",
  "[": "&#91;",
};

/** Undone by `unescapeText`. */
export const blockCharacters: readonly (readonly [reference: string, character: string])[] = Object.entries(
  references,
).map(([character, reference]) => [reference, character]);

/**
 * Breaks what Markdown could take for a heading, a rule, a fence or a link definition by a character reference. A fence
 * that begins and ends within the text, at the start of lines, stays, and so does what is in it: source code remains
 * readable.
 *
 * @param startsLine false when something stands before the text on its first line
 */
export function escapeBlocks(text: string, startsLine: boolean): string {
  if (!mayBeBlock.test(text)) return text;
  if (!text.includes("```") && !text.includes("~~~")) return escapeLines(text, startsLine);
  const lines = text.split(/(?<=\n|\r(?!\n))/);
  let result = "";
  let plain = "";
  let plainStartsLine = startsLine;
  // No fence of that many characters or more is closed any more: looked for once.
  const unclosed: Record<string, number> = { "`": Infinity, "~": Infinity };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    const fence = index > 0 || startsLine ? fenceOf(line) : undefined;
    const end = fence === undefined ? -1 : closingLine(lines, index, fence, unclosed);
    if (end < 0) {
      plain += line;
      continue;
    }
    result += escapeLines(plain, plainStartsLine) + lines.slice(index, end + 1).join("");
    plain = "";
    plainStartsLine = true;
    index = end;
  }
  return result + escapeLines(plain, plainStartsLine);
}

function escapeLines(text: string, startsLine: boolean): string {
  return text.replace(blockStart, (match: string, prefix: string, ...rest: readonly unknown[]) => {
    const offset = rest.find((value) => typeof value === "number");
    if (offset === 0 && !startsLine) return match;
    return prefix + match.slice(prefix.length).replace(/^./u, (character) => references[character] ?? character);
  });
}

function fenceOf(line: string): string | undefined {
  const found = openingFence.exec(line.replace(/[\r\n]+$/, ""));
  return found?.[1] ?? found?.[2];
}

function closingLine(lines: readonly string[], start: number, fence: string, unclosed: Record<string, number>): number {
  const character = fence.charAt(0);
  if (fence.length >= (unclosed[character] as number)) return -1;
  for (let index = start + 1; index < lines.length; index++) {
    const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*[\r\n]*$/.exec(lines[index] as string)?.[1];
    if (closing?.startsWith(fence) === true) return index;
  }
  unclosed[character] = fence.length;
  return -1;
}
