import { closedFences } from "./closed-fences.ts";

// Block structure of CommonMark in text that was said or recalled. Whatever begins a line, behind any indentation, quote
// marks and list markers, and could be a heading, an underline of one, a rule, a fence or a link definition. Read by hand:
// an expression for this tries every marker of a line again with the rest of the line.
const mayBeBlock = /[#=~`*_[-]/;

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

/** A link's label has at most 999 characters, of two UTF-16 units at most. */
const longestLabel = 2 * 999;

/**
 * Breaks what Markdown could take for a heading, a rule, a fence or a link definition by a character reference. A fence
 * that begins and ends within the text, at the start of lines, stays, and so does what is in it: source code remains
 * readable. Takes time linear in the text.
 *
 * @param startsLine false when something stands before the text on its first line
 */
export function escapeBlocks(text: string, startsLine: boolean): string {
  if (!mayBeBlock.test(text)) return text;
  let result = "";
  let from = 0;
  for (const { start, end } of closedFences(text, startsLine)) {
    result += escapeLines(text.slice(from, start), from > 0 || startsLine) + text.slice(start, end);
    from = end;
  }
  return result + escapeLines(text.slice(from), from > 0 || startsLine);
}

/** Breaks the first character of what is structure, at most one a line. */
function escapeLines(text: string, startsLine: boolean): string {
  let result = "";
  let from = 0;
  let labelEnd = -1;
  for (let start = 0; start < text.length; start = endOfLine(text, start) + 1) {
    if (start === 0 && !startsLine) continue;
    let at = structureOfLine(text, start, endOfLine(text, start));
    if (at < 0) {
      const opening = ~at;
      if (text.charAt(opening) !== "[") continue;
      // The next bracket is looked for once, however many lines begin with one before it.
      if (labelEnd <= opening) labelEnd = indexOrEnd(text, "]", opening + 1);
      const length = labelEnd - opening - 1;
      // Without its end a label may end in what is written behind the text.
      const isOpen = labelEnd === text.length;
      if (length > longestLabel || (!isOpen && (length < 1 || text.charAt(labelEnd + 1) !== ":"))) continue;
      at = opening;
    }
    result += text.slice(from, at) + (references[text.charAt(at)] ?? text.charAt(at));
    from = at + 1;
  }
  return result + text.slice(from);
}

/** Where the structure of a line begins; if it has none, where its content does, as `~index`. */
function structureOfLine(text: string, start: number, end: number): number {
  const markers: number[] = [];
  let content = skip(text, start, end, " \t>");
  for (let next = endOfMarker(text, content, end); next > 0; next = endOfMarker(text, content, end)) {
    markers.push(content);
    content = next;
  }
  return isStructure(text, content, end) ? content : structureOfMarkers(text, markers, content, end);
}

function isStructure(text: string, at: number, end: number): boolean {
  const character = text.charAt(at);
  switch (at < end ? character : "") {
    case "#": {
      const behind = skip(text, at, Math.min(end, at + 6), "#");
      return behind === end || text.charAt(behind) === " " || text.charAt(behind) === "\t";
    }
    case "=":
      return skip(text, skip(text, at, end, "="), end, " \t") === end;
    case "-":
      return skip(text, at, end, "- \t") === end;
    case "*":
    case "_":
      return skip(text, at, end, `${character} \t`) === end && text.slice(at, end).split(character).length > 3;
    case "`":
    case "~":
      return text.startsWith(character.repeat(3), at);
    default:
      return false;
  }
}

/** Markers of a list may be a rule together, or a lone `-`: with all that stands behind them, read from the end. */
function structureOfMarkers(text: string, markers: readonly number[], content: number, end: number): number {
  let behind = skip(text, content, end, " \t") === end;
  let rule = skip(text, content, end, "* \t") === end;
  let stars = rule ? text.slice(content, end).split("*").length - 1 : 0;
  for (let index = markers.length - 1; index >= 0 && (behind || rule); index--) {
    const at = markers[index] as number;
    const character = text.charAt(at);
    const isBare = skip(text, at + 1, markers[index + 1] ?? content, " \t") === (markers[index + 1] ?? content);
    behind &&= character === "-" && isBare;
    rule &&= character === "*" && isBare;
    if (rule) stars++;
    if (behind || (rule && stars >= 3)) return at;
  }
  return ~content;
}

/** Behind a list's marker and the white space it needs, or 0 where none begins. */
function endOfMarker(text: string, start: number, end: number): number {
  const character = text.charAt(start);
  let behind = start;
  if (character === "-" || character === "+" || character === "*") behind = start + 1;
  else {
    const digits = skip(text, start, Math.min(end, start + 9), "0123456789");
    if (digits > start && (text.charAt(digits) === "." || text.charAt(digits) === ")")) behind = digits + 1;
  }
  if (behind === start || behind >= end) return 0;
  const content = skip(text, behind, end, " \t>");
  return content > behind ? content : 0;
}

function skip(text: string, start: number, end: number, characters: string): number {
  let at = start;
  while (at < end && characters.includes(text.charAt(at))) at++;
  return at;
}

/** Where the line ends that begins at `start`: at its line break, or with the text. */
function endOfLine(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isLineBreak(text.charCodeAt(at))) at++;
  return at;
}

function isLineBreak(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d;
}

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index < 0 ? text.length : index;
}
