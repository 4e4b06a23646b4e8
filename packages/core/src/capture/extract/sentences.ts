import { emoticonAt } from "./emoticons.ts";
import { longestSentence } from "./words.ts";

/** A sentence of a turn, as offsets in its UTF-16 units. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const closing = "\"')]\u201d\u2019";
const abbreviations: ReadonlySet<string> = new Set("mr mrs ms dr prof st v vs etc e.g i.e approx nr".split(" "));

/** Most sentences of a turn that are read: who says more pastes a document. */
const mostSentences = 200;

/**
 * The sentences of a turn: up to `.`, `!`, `?`, `;`, an emoticon or a line break, not behind abbreviations and inside numbers; and what takes back
 * the last words, up to its comma. Sentences of more
 * than 600 units are read in pieces, up to a dash or comma, and four at most. Linear in the length.
 */
export function sentencesOf(text: string): readonly Sentence[] {
  const found: Sentence[] = [];
  let start = 0;
  for (let index = 0; index <= text.length && found.length < mostSentences; index++) {
    if (index < text.length && !endsAt(text, index, start) && !endsWithdrawal(text, index, start)) continue;
    let end = Math.min(index + Math.max(1, emoticonAt(text, index)), text.length);
    while (end < text.length && (closing.includes(text.charAt(end)) || "!?.".includes(text.charAt(end)))) end++;
    addTrimmed(found, text, start, end);
    start = end;
    index = Math.max(index, end - 1);
  }
  return found;
}

function addTrimmed(found: Sentence[], text: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  for (let piece = 0; piece < mostPieces && end > start; piece++) {
    const cut = end - start <= longestSentence ? end : lastJoint(text, start, start + longestSentence);
    if (cut === undefined) return;
    const pieceEnd = start + text.slice(start, cut).trimEnd().length;
    if (pieceEnd > start) found.push({ text: text.slice(start, pieceEnd), start, end: pieceEnd });
    start = cut;
    while (start < end && /[\s,-]/.test(text.charAt(start))) start++;
  }
}

/** A longer run of clauses without an end is pasted. */
const mostPieces = 4;

/** Where the last but-clause, dash or comma begins between two places. */
function lastJoint(text: string, from: number, to: number): number | undefined {
  const range = text.slice(from, to);
  const place = Math.max(range.lastIndexOf(" - "), range.lastIndexOf(", but "), range.lastIndexOf(", and "));
  const comma = range.lastIndexOf(", ");
  const cut = place > 0 ? place : comma;
  return cut > 0 ? from + cut : undefined;
}

function endsAt(text: string, index: number, start: number): boolean {
  const unit = text.charAt(index);
  if (unit === "\n" || emoticonAt(text, index) > 0) return true;
  if (!".!?;".includes(unit)) return false;
  const next = text.charAt(index + 1);
  if (next !== "" && !/[\s"')\]\u201d!?.]/.test(next)) return false;
  if (unit !== ".") return true;
  const word =
    text
      .slice(Math.max(start, index - 8), index)
      .split(/\s/)
      .at(-1)
      ?.replace(/^["'([\u201c\u2018]{1,3}/u, "") ?? "";
  // `1. no nuts`: the mark of an item at the beginning of its line.
  if (/^\d{1,2}$/.test(word) && text.slice(start, index).trim() === word && next === " ") return false;
  // `No. 5`, but `Wait, no.`
  if (word.toLowerCase() === "no") return !/^\s\d/.test(text.slice(index + 1, index + 3));
  return !abbreviations.has(word.toLowerCase()) && !/^\p{Lu}$/u.test(word);
}

const withdrawal =
  /^(?:(?:oh|no|ok|okay|hm|wait|actually|sorry|and|but),? ){0,3}(?:(?:scratch|strike|scrap|forget) that|(?:i(?:['\u2019]?m| am|['\u2019]?m only| was) )?(?:just |only )?(?:kidding|joking))$/iu;
/** In UTF-16 units. */
const longestWithdrawal = 48;

/** `Scratch that, I live in Rome` takes back what was said, and says something of its own. */
function endsWithdrawal(text: string, index: number, start: number): boolean {
  if (index - start > longestWithdrawal || !",:-\u2013\u2014".includes(text.charAt(index))) return false;
  return withdrawal.test(text.slice(start, index).trim()) && /^\s+\p{L}/u.test(text.slice(index + 1, index + 4));
}

/** A part of a sentence that says something of its own. */
export interface Clause {
  readonly text: string;
  /** Offsets in the sentence. */
  readonly start: number;
  readonly end: number;
}

const joints =
  /,(?=\s)(?!\s\d{4}(?!\d))|\s[-\u2013\u2014]\s|:(?=\s)|\s(?=(?:and|but|because|though|although)\s)|(?<!(?<!\p{L})(?:am|im|is|are|was|were|be|been|not|feel|feels|felt)|['\u2019](?:m|s|re))\s(?=so\s(?!(?:many|much|few|little|far|long)\s))|\s(?=[\u{1f300}-\u{1faff}])/gu;

/** `and Thursdays`, `and a half hours`: no clause, but a part of the one before it. */
const listed =
  /^ and (?:a half(?: \p{L}{1,20})?|(?!(?:i|we|you|he|she|it|they|that|this|then|not|no|never|also) )[\p{L}\d][\p{L}\d.:'\u2019-]{0,24}(?: \p{L}{1,20})?)[,.!?]?(?= |$)/iu;
/** Longer than what is listed. In UTF-16 units. */
const longestListed = 80;

/** `Ania`, `my sister`: nothing but who it is. */
const onlySomebody =
  /^(?:and |but |so |also ){0,2}(?:(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) \p{L}{1,20}|(?:\p{Lu}[\p{L}'\u2019-]{0,30} ?){1,2})$/u;
/** `Tomek and me`: never the beginning of a clause. */
const andMe = /^ and (?:me|myself)(?![\p{L}'\u2019])/iu;
/** `and Tomek are`: of both. */
const andAnother =
  /^ and (?:I|(?:my|our|his|her|their) \p{L}{1,20}|\p{Lu}[\p{L}'\u2019-]{0,30}) (?:both |also |now ){0,2}(?:are|aren['\u2019]t|were|have|haven['\u2019]t|do|don['\u2019]t)(?= )/u;

/** `When I say the board, I mean the Trello one` is one clause. */
const naming =
  /^(?:and |but |also |so )?(?:(?:when|whenever|if) (?:i|we) (?:just |only )?(?:say|write|mention|type)|by) /iu;
const meaning = /^, (?:i|we) (?:always |just |only |usually )?mean /iu;

/** The clauses of a sentence: between commas, dashes, colons and words that join clauses. */
export function clausesOf(sentence: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  const add = (end: number): void => {
    const text = sentence.slice(start, end);
    const lead = text.length - text.trimStart().length;
    if (text.trim() !== "")
      clauses.push({ text: text.trim(), start: start + lead, end: start + text.trimEnd().length });
  };
  for (const match of sentence.matchAll(joints)) {
    const behind = sentence.slice(match.index, match.index + longestListed);
    const before = sentence.slice(start, match.index);
    if (
      endsList(behind) ||
      andMe.test(behind) ||
      (meaning.test(behind) && naming.test(before.trimStart().slice(0, longestListed))) ||
      (andAnother.test(behind) && isShortName(before))
    )
      continue;
    add(match.index);
    start = match.index + match[0].length;
  }
  add(sentence.length);
  return clauses;
}

function isShortName(text: string): boolean {
  return text.length <= longestListed && onlySomebody.test(text.trim());
}

function endsList(text: string): boolean {
  const found = listed.exec(text)?.[0];
  return found !== undefined && (found.length === text.length || /[,.!?]$/.test(found));
}
