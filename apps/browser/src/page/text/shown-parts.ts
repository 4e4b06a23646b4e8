/** A piece of a text as it is shown: words as they are, or the name of a character that nobody would see. */
export interface ShownPart {
  readonly text: string;
  readonly isMark: boolean;
}

/** Joiners and variation selectors: emoji and the scripts of many languages are written with them, behind what they belong to. */
const strayJoiner = String.raw`(?<![\p{L}\p{M}\p{Emoji}\u{fe0f}])[\u{200c}\u{200d}]|(?<!\p{Emoji})[\u{fe0e}\u{fe0f}]`;
const joiner = String.raw`[\u{200c}\u{200d}\u{fe0e}\u{fe0f}]`;

/** Characters that are invisible, change the order of others or are none. */
const unseen = new RegExp(
  String.raw`${strayJoiner}|(?!${joiner})[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029]|(?![\n\t])\p{Cc}|\p{Co}|\p{Cs}`,
  "gu",
);

/** What is shown of a text, in order: nothing in it is hidden, and nothing turns what stands beside it around. */
export function shownParts(text: string): readonly ShownPart[] {
  const parts: ShownPart[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(unseen)) {
    if (index > end) parts.push({ text: text.slice(end, index), isMark: false });
    parts.push({ text: markOf(character), isMark: true });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMark: false });
  return parts;
}

/** The same as one string, for places that hold nothing else, such as the label of a row. */
export function shownText(text: string): string {
  return text.replaceAll(unseen, markOf);
}

function markOf(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
}
