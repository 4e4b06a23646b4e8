import type { Sentence } from "./sentences.ts";

const bracketed = /\(([^()\n]{8,160})\)/gu;

/** `Can you help with the form (it's a SvelteKit app)?`: what stands in brackets, by itself. */
export function asidesOf({ text, start }: Sentence): readonly Sentence[] {
  return [...text.matchAll(bracketed)].map(({ 1: aside = "", index }) => {
    const place = start + index + 1;
    return { text: aside, start: place, end: place + aside.length };
  });
}

/** The same sentences, where one that begins inside of brackets ends with them. */
export function withoutLooseBrackets(sentences: readonly Sentence[]): readonly Sentence[] {
  return sentences.flatMap((sentence) => {
    const { text, start, end } = sentence;
    const close = text.indexOf(")");
    if (close < 1 || close > text.length - 3 || text.lastIndexOf("(", close) >= 0) return sentence;
    const rest = text.slice(close + 1).trimStart();
    return [
      { text: text.slice(0, close), start, end: start + close },
      { text: rest, start: end - rest.length, end },
    ];
  });
}
