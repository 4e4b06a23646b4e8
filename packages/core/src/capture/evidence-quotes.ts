import type { EvidencePlace } from "@loci/domain";

/** A turn in which a quote is looked for. */
export interface QuotedTurn {
  readonly turn: number;
  readonly text: string;
}

/** A shorter quote stands anywhere: it has to be the whole turn. In UTF-16 units. */
const shortestPart = 8;

const whiteSpace = /[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Signs of one meaning that keyboards and models write in several ways. */
const plainSigns: ReadonlyMap<string, string> = new Map([
  ["\u2018", "'"],
  ["\u2019", "'"],
  ["\u201c", '"'],
  ["\u201d", '"'],
  ["\u2013", "-"],
  ["\u2014", "-"],
]);

/**
 * Finds the words that a candidate cites: first in the turn that it names, else in the only other turn that has them. Runs of
 * white space count as one space, typographic quotes and dashes as plain ones; case counts. Takes time linear in the texts.
 *
 * @returns the first place, as offsets into the turn's own text; `undefined` when the quote stands nowhere or, apart from the
 *   named turn, in several turns
 */
export function findQuote(turns: readonly QuotedTurn[], quote: string, turn: number): EvidencePlace | undefined {
  const wanted = plainText(quote).text.trim();
  if (wanted === "") return undefined;
  const named = turns.find((each) => each.turn === turn);
  const place = named && placeIn(named, wanted);
  if (place !== undefined) return place;
  const others = turns.filter((each) => each.turn !== turn).flatMap((each) => placeIn(each, wanted) ?? []);
  return others.length === 1 ? others[0] : undefined;
}

const quotationSigns = "\"'`\u2018\u2019\u201c\u201d\u00ab\u00bb";
const ellipses = /(?:\.{3}|\u2026)$/;

/**
 * Finds what a model has copied. Models put a quote in quotation marks, mark where they left off, and begin it as a sentence
 * begins: none of that changes what was said.
 *
 * @returns as {@link findQuote}
 */
export function findCopiedQuote(turns: readonly QuotedTurn[], quote: string, turn: number): EvidencePlace | undefined {
  const bare = withoutSigns(quote.trim());
  const [first = ""] = bare;
  const rest = bare.slice(first.length);
  for (const wanted of [quote, bare, first.toLowerCase() + rest, first.toUpperCase() + rest]) {
    const place = findQuote(turns, wanted, turn);
    if (place !== undefined) return place;
  }
  return undefined;
}

function withoutSigns(quote: string): string {
  const isMarked =
    quote.length > 1 && quotationSigns.includes(quote.charAt(0)) && quotationSigns.includes(quote.at(-1) ?? "");
  return (isMarked ? quote.slice(1, -1) : quote).trim().replace(ellipses, "");
}

function placeIn({ turn, text }: QuotedTurn, wanted: string): EvidencePlace | undefined {
  const plain = plainText(text);
  if (wanted.length < shortestPart && plain.text.trim() !== wanted) return undefined;
  const found = firstPlace(plain.text, wanted);
  if (found < 0) return undefined;
  const last = found + wanted.length - 1;
  return { turn, start: plain.starts[found] as number, end: plain.starts[last + 1] ?? text.length };
}

/** A text with one space for each run of white space and plain signs. */
interface PlainText {
  readonly text: string;
  /** Where each unit begins in the original. */
  readonly starts: readonly number[];
}

function plainText(original: string): PlainText {
  const units: string[] = [];
  const starts: number[] = [];
  let isBehindSpace = false;
  for (let index = 0; index < original.length; index++) {
    const unit = original.charAt(index);
    const isSpace = whiteSpace.test(unit);
    if (!isSpace || !isBehindSpace) {
      starts.push(index);
      units.push(isSpace ? " " : (plainSigns.get(unit) ?? unit));
    }
    isBehindSpace = isSpace;
  }
  return { text: units.join(""), starts };
}

/** As `indexOf`, in time linear in both: what that takes grows with their product when the text is made for it. */
function firstPlace(text: string, wanted: string): number {
  const fallbacks: number[] = [0];
  for (let index = 1, matched = 0; index < wanted.length; index++) {
    while (matched > 0 && wanted.charCodeAt(index) !== wanted.charCodeAt(matched))
      matched = fallbacks[matched - 1] as number;
    if (wanted.charCodeAt(index) === wanted.charCodeAt(matched)) matched++;
    fallbacks.push(matched);
  }
  for (let index = 0, matched = 0; index < text.length; index++) {
    while (matched > 0 && text.charCodeAt(index) !== wanted.charCodeAt(matched))
      matched = fallbacks[matched - 1] as number;
    if (text.charCodeAt(index) === wanted.charCodeAt(matched)) matched++;
    if (matched === wanted.length) return index - matched + 1;
  }
  return -1;
}
