/** `:)`, `;-(`, `:P`, as a pattern without flags. */
export const emoticonPattern: string = String.raw`[:;]['\u2019]?-?[()DPp]`;

const emoticon = new RegExp(String.raw`${emoticonPattern}(?=\s|$)`, "uy");

/** How long the emoticon at a place is, in UTF-16 units. 0: none stands there. */
export function emoticonAt(text: string, index: number): number {
  const unit = text.charAt(index);
  if (unit !== ":" && unit !== ";") return 0;
  emoticon.lastIndex = index;
  return emoticon.exec(text)?.[0].length ?? 0;
}
