import { normalForm } from "@loci/domain";
import { english } from "./english.ts";
import { englishReplies } from "./english-replies.ts";
import { french } from "./french.ts";
import { frenchReplies } from "./french-replies.ts";
import { german } from "./german.ts";
import { germanReplies } from "./german-replies.ts";
import type { Saying, SayingKind } from "./saying.ts";
import { spanish } from "./spanish.ts";
import { spanishReplies } from "./spanish-replies.ts";

/** All that sentences are known by, by language. What is in another language is not known. */
export const sayings: Readonly<Record<"english" | "german" | "french" | "spanish", readonly Saying[]>> = {
  english: [...english, ...englishReplies],
  german: [...german, ...germanReplies],
  french: [...french, ...frenchReplies],
  spanish: [...spanish, ...spanishReplies],
};

/** What may stand behind a greeting and belong to it: `Hi there!`, `Thank you so much.` */
const greetingEnd = ".{0,20}$";
const greetingStart = "^[¡¿]?";
const anyApostrophe = /[’ʼ＇]/g;

/** What is not so where a sentence says that nothing is settled. */
const deniable: ReadonlySet<SayingKind> = new Set(["decision", "likelyDecision", "settled"]);

const patterns: Readonly<Record<SayingKind, RegExp>> = {
  decision: between("decision"),
  likelyDecision: between("likelyDecision"),
  noDecision: between("noDecision"),
  openPoint: between("openPoint"),
  progress: between("progress"),
  change: between("change"),
  takesBack: between("takesBack"),
  rule: between("rule"),
  reminder: between("reminder"),
  unsure: between("unsure"),
  settled: between("settled"),
  asksWhich: between("asksWhich"),
  // One or more of them and nothing else.
  acceptance: new RegExp(`${accepting()}$`, "u"),
  changedAcceptance: new RegExp(`${accepting()}(?:${wordsOf("changedAcceptance")})(?![\\p{L}\\p{N}_])`, "u"),
  greeting: new RegExp(`${greetingStart}(?:${wordsOf("greeting")})(?![\\p{L}\\p{N}_])${greetingEnd}`, "u"),
};

/** Tells of a sentence whether it is of a kind; it may be of several. Its words are made comparable once for all of them. */
export function sayingsOf(sentence: string): (kind: SayingKind) => boolean {
  const text = comparedText(sentence);
  return (kind) => patterns[kind].test(text) && !(deniable.has(kind) && patterns.noDecision.test(text));
}

/** Where a sentence begins to say what was decided; 0 where that is not known. */
export function placeOfDecision(sentence: string): number {
  const text = comparedText(sentence);
  if (text.length !== sentence.length) return 0;
  const plain = text.search(patterns.decision);
  return Math.max(0, plain < 0 ? text.search(patterns.likelyDecision) : plain);
}

function comparedText(sentence: string): string {
  return normalForm(sentence, "NFC").toLowerCase().replace(anyApostrophe, "'");
}

/** Up to four of the words that take something up, from the start on. */
function accepting(): string {
  return `^[¡¿]?(?:(?:${wordsOf("acceptance")})(?![\\p{L}\\p{N}_])[\\s,.!–-]{0,4}){1,4}`;
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
