/** Code between fences, from the start of the line that opens it to the end of the one that closes it. */
export interface ClosedFence {
  readonly start: number;
  readonly end: number;
}

/** A line that could open or close a fence. */
interface FenceLine {
  readonly start: number;
  /** Behind its line break. */
  readonly end: number;
  readonly character: string;
  readonly length: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

/**
 * Fences of a Markdown text that begin at the start of a line and are closed within the text, first to last. Takes time
 * linear in the text: whether a fence is closed at all is known before its end is looked for.
 *
 * @param startsLine false when something stands before the text on its first line
 */
export function closedFences(text: string, startsLine: boolean): readonly ClosedFence[] {
  if (!text.includes("```") && !text.includes("~~~")) return [];
  const lines = fenceLines(text);
  const longestBehind = longestClosingBehind(lines);
  const fences: ClosedFence[] = [];
  for (let index = 0; index < lines.length; index++) {
    const { start, character, length, opens } = lines[index] as FenceLine;
    if (!opens || (start === 0 && !startsLine)) continue;
    if ((longestBehind[index]?.[character] ?? 0) < length) continue;
    do index++;
    while (!closesFence(lines[index] as FenceLine, character, length));
    fences.push({ start, end: (lines[index] as FenceLine).end });
  }
  return fences;
}

function closesFence(line: FenceLine, character: string, length: number): boolean {
  return line.closes && line.character === character && line.length >= length;
}

/** For each line, the longest fences of each kind that close behind it. */
function longestClosingBehind(lines: readonly FenceLine[]): readonly Readonly<Record<string, number>>[] {
  const longest: Readonly<Record<string, number>>[] = [];
  let behind: Readonly<Record<string, number>> = {};
  for (let index = lines.length - 1; index >= 0; index--) {
    longest[index] = behind;
    const { character, length, closes } = lines[index] as FenceLine;
    if (closes && length > (behind[character] ?? 0)) behind = { ...behind, [character]: length };
  }
  return longest;
}

function fenceLines(text: string): readonly FenceLine[] {
  const lines: FenceLine[] = [];
  for (let start = 0; start < text.length;) {
    let content = start;
    while (content < text.length && text.charCodeAt(content) !== 0x0a && text.charCodeAt(content) !== 0x0d) content++;
    const end = content + (text.startsWith("\r\n", content) ? 2 : 1);
    const line = fenceLineOf(text, start, content, end);
    if (line !== undefined) lines.push(line);
    start = end;
  }
  return lines;
}

function fenceLineOf(text: string, start: number, contentEnd: number, end: number): FenceLine | undefined {
  let at = start;
  while (at < Math.min(contentEnd, start + 3) && text.charAt(at) === " ") at++;
  const character = text.charAt(at);
  if (character !== "`" && character !== "~") return undefined;
  let behind = at;
  while (behind < contentEnd && text.charAt(behind) === character) behind++;
  if (behind - at < 3) return undefined;
  const rest = text.slice(behind, contentEnd);
  return {
    start,
    end: Math.min(end, text.length),
    character,
    length: behind - at,
    opens: at === start && (character === "~" || !rest.includes("`")),
    closes: rest.replaceAll("\t", " ").trimEnd() === "",
  };
}
