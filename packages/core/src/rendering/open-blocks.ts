const marker = /^( {0,3}(?:[-+*]|\d{1,9}[.)]))( *)/;
/** A heading, a rule, a quote, a tag. */
const blockStart = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|([-*_])(?:[ \t]*\1){2,}[ \t]*$|[<>])/;
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const fenceStart = /^( *)(?:(`{3,})[^`]*|(~{3,})[^]*)$/;
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
 * A text that was cut may end inside a fence. Blocks of HTML that a blank line ends are not looked at.
 */
export function closingOfOpenBlock(text: string): string | undefined {
  if (!mayOpenBlock.test(text)) return undefined;
  let open: OpenBlock | undefined;
  let list: List = noList;
  let isAfterText = false;
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
    if (isBlank) {
      if (list.isEmpty) list = noList;
      isAfterText = false;
      continue;
    }
    const startsBlock = blockStart.test(line) || fenceStart.test(line) || listBegunBy(line, isAfterText) !== noList;
    // Text right behind the text of an item goes on with it, however it is indented.
    const isContinued = isAfterText && !startsBlock;
    if (indentation < list.indentation && !isContinued) list = noList;
    list = list === noList ? listBegunBy(line, isAfterText) : { ...list, isEmpty: false };
    isAfterText = !list.isEmpty && !blockStart.test(line);
    open = openedBy(line, indentation, list.indentation);
  }
  return open === undefined || open.indentation > 0 ? undefined : open.closing;
}

/** The outermost list a line is in. */
interface List {
  /** How far its items are indented; 0 without a list. */
  readonly indentation: number;
  /** True while nothing but its marker is there: a blank line ends it. */
  readonly isEmpty: boolean;
}

const noList: List = { indentation: 0, isEmpty: false };

function listBegunBy(line: string, isAfterText: boolean): List {
  const found = marker.exec(line);
  if (found === null || rule.test(line)) return noList;
  const [start, mark = "", spaces = ""] = found;
  const content = line.slice(start.length);
  // Behind text a lone marker begins nothing; `-` then underlines a heading.
  if (content === "") return isAfterText ? noList : { indentation: mark.length + 1, isEmpty: true };
  if (spaces === "") return noList;
  return { indentation: mark.length + (spaces.length > 4 ? 1 : spaces.length), isEmpty: false };
}

function openedBy(line: string, indentation: number, listIndentation: number): OpenBlock | undefined {
  const isInList = listIndentation > 0 && indentation >= listIndentation;
  const container = isInList ? listIndentation : 0;
  if (!isInList && indentation > 3) return undefined;
  const fence = fenceStart.exec(line);
  const fenceMark = fence?.[2] ?? fence?.[3];
  if (fenceMark !== undefined) {
    const end = new RegExp(`^ {0,${container + 3}}${fenceMark.charAt(0)}{${fenceMark.length},}[ \\t]*$`);
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
