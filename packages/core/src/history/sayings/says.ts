import { normalForm } from "@loci/domain";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import type { Saying, SayingKind } from "./saying.ts";
import { spanish } from "./spanish.ts";

/** All that sentences are known by, by language. What is in another language is not known. */
export const sayings: Readonly<Record<"english" | "german" | "french" | "spanish", readonly Saying[]>> = {
  english,
  german,
  french,
  spanish,
};

/** What may stand behind a greeting and belong to it: `Hi there!`, `Thank you so much.` */
const greetingEnd = ".{0,20}$";
const greetingStart = "^[¡¿]?";
const anyApostrophe = /[’ʼ＇]/g;

const patterns: Readonly<Record<SayingKind, RegExp>> = {
  decision: between("decision"),
  likelyDecision: between("likelyDecision"),
  noDecision: between("noDecision"),
  openPoint: between("openPoint"),
  progress: between("progress"),
  change: between("change"),
  greeting: new RegExp(`${greetingStart}(?:${wordsOf("greeting")})(?![\\p{L}\\p{N}_])${greetingEnd}`, "u"),
};

/** True for a sentence of this kind. One sentence may be of several. */
export function says(kind: SayingKind, sentence: string): boolean {
  const text = normalForm(sentence, "NFC").toLowerCase().replace(anyApostrophe, "'");
  if (!patterns[kind].test(text)) return false;
  return !(kind === "decision" || kind === "likelyDecision") || !patterns.noDecision.test(text);
}

/** The words of a kind in any language. */
function between(kind: SayingKind): RegExp {
  return patternOf(wordsOf(kind));
}

/** Finds words where they are not in the middle of others, in a text in lower case. */
export function patternOf(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`, "u");
}

function wordsOf(kind: SayingKind): string {
  return Object.values(sayings)
    .flat()
    .filter((saying) => saying.kind === kind)
    .map(({ words }) => words)
    .join("|");
}
