/** The control character that is made for standing between records. */
const mark = "\u001e";
const between = `\n${mark}\n`;
/** What no text has that is joined to others: the mark, and halves of characters, which no session takes. */
const unjoinable = /[\u001e\p{Surrogate}]/gu;
const written = /\u001e([0-9a-f]{4})/g;
const beginning = /^data:[\w/+.;=-]{0,200},/;
/** Longer than what lets anybody in, as an image or a signature is. */
const leastBase64 = 512;
const notBase64 = /[^\w+/-]/;
const run = /(.{31})(.)/gs;

/** Texts as one, which a person can read, and whoever looks for secrets: each stands in it as it is, but for what could not. */
export function joinedTexts(texts: readonly string[]): string {
  return texts.map(joinable).join(between);
}

/** The texts that were joined. */
export function splitTexts(joined: string): string[] {
  return joined
    .split(between)
    .map((text) => text.replace(written, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))));
}

/** In much Base64 anything can be found by chance. Broken up it has no words, and what looks for secrets leaves it whole. */
function joinable(text: string): string {
  if (isBase64(text)) return text.replace(run, (_, before: string, unit: string) => before + code(unit));
  return text.replace(unjoinable, code);
}

/** By looking for what it may not have: one expression for all of it fails on texts of many megabytes. */
function isBase64(text: string): boolean {
  if (text.length < leastBase64) return false;
  const start = beginning.exec(text.slice(0, leastBase64))?.[0].length ?? 0;
  const end = text.length - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
  return end - start >= leastBase64 && !notBase64.test(text.slice(start, end));
}

function code(unit: string): string {
  return mark + unit.charCodeAt(0).toString(16).padStart(4, "0");
}
