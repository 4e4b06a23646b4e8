/** The control character that is made for standing between records. */
const mark = "\u001e";
const between = `\n${mark}\n`;
/** What a text may not have in it: the mark, and halves of characters, which no session takes. */
const unjoinable = /[\u001e\p{Surrogate}]/gu;
const written = /\u001e([0-9a-f]{4})/g;

/** Texts as one, which a person can read. */
export function joinedTexts(texts: readonly string[]): string {
  return texts
    .map((text) => text.replace(unjoinable, (unit) => mark + unit.charCodeAt(0).toString(16).padStart(4, "0")))
    .join(between);
}

/** The texts that were joined. */
export function splitTexts(joined: string): string[] {
  return joined
    .split(between)
    .map((text) => text.replace(written, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))));
}
