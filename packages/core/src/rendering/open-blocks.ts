const marker = /^( {0,3})(?:[-+*]|\d{1,9}[.)])(?: +|$)/;
const fenceStart = /^( *)(?:(`{3,})[^`]*|(~{3,}).*)$/;
/** Blocks of HTML that a blank line does not end, and what ends them. */
const htmlBlocks: readonly (readonly [start: RegExp, end: RegExp, closing: string])[] = [
  [/^ *<script(?=[\s>]|$)/i, /<\/script>/i, "</script>"],
  [/^ *<pre(?=[\s>]|$)/i, /<\/pre>/i, "</pre>"],
  [/^ *<style(?=[\s>]|$)/i, /<\/style>/i, "</style>"],
  [/^ *<textarea(?=[\s>]|$)/i, /<\/textarea>/i, "</textarea>"],
  [/^ *<!--/, /-->/, "-->"],
  [/^ *<\?/, /\?>/, "?>"],
  [/^ *<!\[CDATA\[/, /\]\]>/, "]]>"],
  [/^ *<![A-Za-z]/, />/, ">"],
];
const mayOpenBlock = /`{3}|~{3}|<[!?]|<(?:script|pre|style|textarea)/i;

interface OpenBlock {
  /** Ends it, on a line of its own. */
  readonly closing: string;
  /** True for the line that ends it. */
  ends(line: string): boolean;
  /** In a list the block ends with the list item, at the first line that is indented less. */
  readonly indentation: number;
}

/**
 * What a Markdown text leaves open, so that headings behind it would be part of it: the line that closes it, or nothing.
 * A text that was cut may end inside a fence.
 */
export function closingOfOpenBlock(text: string): string | undefined {
  if (!mayOpenBlock.test(text)) return undefined;
  let open: OpenBlock | undefined;
  let listIndentation = 0;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const indentation = line.length - line.trimStart().length;
    const isBlank = line.trim() === "";
    if (open !== undefined) {
      if (!isBlank && indentation < open.indentation) open = undefined;
      else {
        if (open.ends(line)) open = undefined;
        continue;
      }
    }
    if (isBlank) continue;
    const item = marker.exec(line);
    if (indentation < listIndentation) listIndentation = 0;
    if (listIndentation === 0 && item !== null) listIndentation = item[0].length;
    open = openedBy(line, indentation, listIndentation);
  }
  return open === undefined || open.indentation > 0 ? undefined : open.closing;
}

function openedBy(line: string, indentation: number, listIndentation: number): OpenBlock | undefined {
  const isInList = listIndentation > 0 && indentation >= listIndentation;
  const container = isInList ? listIndentation : 0;
  if (!isInList && indentation > 3) return undefined;
  const fence = fenceStart.exec(line);
  const fenceMark = fence?.[2] ?? fence?.[3];
  if (fenceMark !== undefined) {
    const end = new RegExp(`^ *${fenceMark.charAt(0)}{${fenceMark.length},}[ \\t]*$`);
    return { closing: fenceMark, ends: (later) => end.test(later), indentation: container };
  }
  for (const [start, end, closing] of htmlBlocks) {
    const found = start.exec(line);
    if (found === null) continue;
    if (end.test(line.slice(found[0].length))) return undefined;
    return { closing, ends: (later) => end.test(later), indentation: container };
  }
  return undefined;
}
