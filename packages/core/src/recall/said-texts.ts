import { normalForm } from "@loci/domain";

/** In UTF-16 units, of a text as it is compared. */
const beginningLength = 16;
/** What a beginning is made from, white space and all. */
const readFirst = 96;
const combining = /\p{M}/u;

/** A text as it is compared: in composed form, each run of white space as one space, none at either end. */
export function saidText(content: string): string {
  return normalForm(content, "NFC").replaceAll(/\s+/gu, " ").trim();
}

/**
 * What is said in any case, to tell whether a text says the same. Of most texts it looks at the beginning only, so that it
 * costs no more to ask about a long one.
 */
export class SaidTexts {
  readonly #texts = new Set<string>();
  readonly #beginnings = new Set<string>();

  /** @param contents empty ones say nothing */
  constructor(contents: Iterable<string> = []) {
    for (const content of contents) {
      const said = saidText(content);
      if (said === "") continue;
      this.#texts.add(said);
      this.#beginnings.add(said.slice(0, beginningLength));
    }
  }

  /** Whether one of them is the same but for white space and how letters are composed. */
  has(content: string): boolean {
    if (this.#texts.size === 0) return false;
    const beginning = beginningOf(content);
    if (beginning !== undefined && !this.#beginnings.has(beginning)) return false;
    return this.#texts.has(saidText(content));
  }
}

/**
 * The beginning of what {@link saidText} makes of a content, without reading the rest. `undefined` where that takes more: of what
 * is short, has much white space, or may be composed otherwise.
 */
function beginningOf(content: string): string | undefined {
  const first = content.slice(0, readFirst);
  const said = plainText(first) ?? (combining.test(first) ? "" : saidText(first));
  // What comes behind it may change the last letter, and no other.
  return said.length > beginningLength ? said.slice(0, beginningLength) : undefined;
}

/** What {@link saidText} makes of ASCII, as much as is compared and a letter more; `undefined` of anything else. */
function plainText(content: string): string | undefined {
  let said = "";
  let start = 0;
  for (let at = 0; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code > 0x7f) return undefined;
    const isSpace = code === 0x20 || (code >= 0x09 && code <= 0x0d);
    if (!isSpace && said.length + at - start <= beginningLength) continue;
    if (at > start) said += content.slice(start, at);
    start = at + (isSpace ? 1 : 0);
    if (said.length > beginningLength) return said;
    if (isSpace && said !== "" && !said.endsWith(" ")) said += " ";
  }
  return said + content.slice(start);
}
