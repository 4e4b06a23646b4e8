import type { CaptureReason } from "@loci/domain";
import type { TurnReader } from "./turn-reader.ts";
import type { Sentence } from "./sentences.ts";

const bracketed = /\(([^()\n]{8,160})\)/gu;

/** What asks for something may tell of something beside it. */
const mayTellAside: ReadonlySet<CaptureReason | undefined> = new Set(["QUESTION", "TRANSIENT", "VAGUE"]);

/**
 * `Can you help with the form (it's a SvelteKit app)?`: what stands in brackets and is a fact by itself.
 *
 * @param refusal why the sentence around it is not worth remembering, if it is not
 */
export function asidesTold(
  sentence: Sentence,
  read: TurnReader,
  refusal: CaptureReason | undefined,
): readonly Sentence[] {
  return mayTellAside.has(refusal) ? asidesOf(sentence).filter((aside) => tellsFact(aside, read)) : [];
}

function tellsFact(aside: Sentence, read: TurnReader): boolean {
  const { pattern, refusal } = read(aside);
  return pattern?.kind === "semantic" && refusal === undefined;
}

function asidesOf({ text, start }: Sentence): readonly Sentence[] {
  return [...text.matchAll(bracketed)].map(({ 1: aside = "", index }) => {
    const place = start + index + 1;
    return { text: aside, start: place, end: place + aside.length };
  });
}

/** In words. */
const fewestInside = 3;

/** The same sentences, where one that begins inside of brackets ends with them. */
export function withoutLooseBrackets(sentences: readonly Sentence[]): readonly Sentence[] {
  return sentences.flatMap((sentence) => {
    const { text, start, end } = sentence;
    const close = text.indexOf(")");
    const isLoose = close > 0 && close < text.length - 3 && !text.slice(0, close).includes("(");
    // `a) prose`, `great :)`
    if (!isLoose || text.slice(0, close).split(" ").length < fewestInside || /[:;=-]$/u.test(text.slice(0, close)))
      return sentence;
    const rest = text.slice(close + 1).trimStart();
    return [
      { text: text.slice(0, close), start, end: start + close },
      { text: rest, start: end - rest.length, end },
    ];
  });
}

const opens = /^\((?:(?:ooc|out of character)[:,]?\s+)?(?=\p{L})/iu;
const closes = /(?<=[\p{L}\p{N}.!?\u2026"'])\)[.!]?$/u;

/** `(ooc: British spelling, always)`: a sentence that stands in brackets, begins or ends them, without them. */
export function withoutOuterBrackets(sentence: Sentence): Sentence {
  const { text, start } = sentence;
  const lead = opens.exec(text)?.[0].length ?? 0;
  const inside = text.slice(lead);
  const end = closes.exec(inside)?.index ?? inside.length;
  const close = inside.indexOf(")");
  const isWhole = lead > 0 && (close < 0 || close === end);
  const isEnd = lead === 0 && close === end && !inside.includes("(");
  const told = isWhole || isEnd ? inside.slice(0, end) : text;
  const from = start + (isWhole ? lead : 0);
  return told.length < fewestTold ? sentence : { text: told, start: from, end: from + told.length };
}

/** In UTF-16 units: `(so)` says nothing. */
const fewestTold = 6;
