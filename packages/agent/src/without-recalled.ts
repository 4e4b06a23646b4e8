import { blockTags } from "./block-layout.ts";

/**
 * What a user said, without the block of memories that was put in front of it. It is known by its tags, from the beginning of the
 * text on, and only whole: what somebody has merely begun like a block stays.
 */
export function withoutRecalled(text: string): string {
  let end = 0;
  for (const tag of blockTags) {
    const start = skipBlank(text, end);
    if (!opens(text, start, tag)) continue;
    const close = `</${tag}>`;
    const closing = text.indexOf(close, start);
    if (closing === -1) break;
    end = closing + close.length;
  }
  return end === 0 ? text : text.slice(skipBlank(text, end));
}

/** Procedures alone may be anybody's: they count behind a tag of the block only, which comes first. */
function opens(text: string, start: number, tag: string): boolean {
  if (tag === "procedures" && start === 0) return false;
  const next = text[start + tag.length + 1];
  return text.startsWith(`<${tag}`, start) && (next === ">" || next === " ");
}

function skipBlank(text: string, from: number): number {
  let place = from;
  while (text[place] === "\n" || text[place] === " " || text[place] === "\r") place++;
  return place;
}
