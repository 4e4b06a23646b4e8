import { isPastTense } from "../../text/past-tense.ts";
import { isNumberWord, leadingWords } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";
import { toldAspects } from "./begins-or-ends.ts";
import { changingVerbs } from "./change-verbs.ts";
import { isProperty, joining, ownerOf } from "./named-phrase.ts";
import { determiners, mayName, speaking } from "./naming-words.ts";

/** In words: `the big interview with Anna from legal`. */
const longestPhrase = 7;

/** The words before the first verb, without what leads to them. */
export function subjectOf(words: readonly Word[]): readonly Word[] | undefined {
  const start = words.findIndex(({ text }) => !leadingWords.has(text));
  if (start < 0) return undefined;
  const verb = words.findIndex((_, index) => index > start && isVerbAt(words, index, start));
  const phrase = verb < 0 || verb - start > longestPhrase ? [] : words.slice(start, verb);
  return isNaming(phrase) ? phrase : undefined;
}

/** `The rent` in `we raised the rent`, where the speaker is who changed it. */
export function changedObjectOf(words: readonly Word[]): readonly Word[] | undefined {
  const verb = words.findIndex(
    ({ text }, index) => changingVerbs.has(text) && determiners.has(words[index + 1]?.text ?? ""),
  );
  const speaker = words.slice(Math.max(0, verb - 3), Math.max(0, verb));
  if (verb < 0 || !speaker.some(({ text }) => text === "i" || text === "we")) return undefined;
  const behind = words.slice(verb + 1, verb + 1 + longestPhrase);
  const end = behind.findIndex(({ text }) => /^(?:to|from|by|on|at|until|and|because|so)$/.test(text));
  const phrase = end < 0 ? behind : behind.slice(0, end);
  return isNaming(phrase) ? phrase : undefined;
}

function isVerbAt(words: readonly Word[], index: number, start: number): boolean {
  const { text } = words[index] as Word;
  const next = words[index + 1];
  if (finite.has(text) || toldAspects.has(text)) return true;
  // `The unit tests run`, and not `the run club`.
  if (ofSeveral.has(text) && /[a-z]{2}[^s']s$/u.test(words[index - 1]?.text ?? "")) return true;
  // `Sven's got a new number`
  if (text === "'s") return /^(?:got|had|been|gone|moved|changed|started|become)$/.test(next?.text ?? "");
  const before = words[index - 1]?.text ?? "";
  if (index < start + 1 || joining.has(before) || determiners.has(before) || before === "'s") return false;
  if (isPastTense(text)) return true;
  const isBefore = next !== undefined && (behindVerb.has(next.text) || isNumberWord(next.text));
  return (
    /[a-z]{2}[^s']s$/u.test(text) && index > start && isBefore && (next === undefined || !joinsNouns(words, index))
  );
}

/** `Lessons with Mrs Lund are`: a noun, as a verb follows. */
function joinsNouns(words: readonly Word[], index: number): boolean {
  return words.slice(index + 1, index + longestPhrase).some(({ text }) => finite.has(text) || toldAspects.has(text));
}

function isNaming(phrase: readonly Word[]): boolean {
  const isOwned = (index: number): boolean => phrase[index + 1]?.text === "'s";
  return (
    phrase.some(({ text }) => mayName(text)) &&
    !phrase.some(({ text }, index) => (unnamed.has(text) || finite.has(text)) && !isOwned(index)) &&
    !phrase.some(
      ({ text }, index) =>
        speaking.has(text) && !isOwned(index) && (index === 0 || determiners.has(phrase[index - 1]?.text ?? "")),
    ) &&
    (!isProperty(phrase) || ownerOf(phrase) !== undefined)
  );
}

/** What points elsewhere, or is said of the speaker, names nothing. */
const unnamed: ReadonlySet<string> = new Set(
  "i we you he she it they that these those there this one ones which what who when where how why if not no and or but so user team family always never every everything all everyone everybody nobody nothing cause cos is are was do does did has have".split(
    " ",
  ),
);
const finite: ReadonlySet<string> = new Set(
  "is are was were has have plays play lives pays uses works sits gets stands had will would can could should must may might been does do goes go comes come costs cost runs needs need takes take requires require".split(
    " ",
  ),
);
/** What several do: a noun where they are not named before it. */
const ofSeveral: ReadonlySet<string> = new Set("run live use work pay sit start end open close go".split(" "));
const behindVerb: ReadonlySet<string> = new Set(
  "out to at on in up down from off over now for by with until till when while every each".split(" "),
);
