import type { CaptureReason } from "@loci/domain";
import { isPastTense } from "../../text/past-tense.ts";
import { hasVerb } from "./finite-verbs.ts";
import type { ReadClause } from "./read-clause.ts";
import { behindWhatItIsOf, isRelativeClause } from "./relative-clauses.ts";
import type { Clause } from "./sentences.ts";
import { isNameLike, isNumberWord, leadingWords } from "./word-kinds.ts";
import type { Word } from "./words.ts";

/** A clause of a sentence, with what it says. */
export interface ReadPart {
  readonly clause: Clause;
  readonly words: readonly Word[];
  readonly read: ReadClause;
  readonly refusal: CaptureReason | undefined;
}

/** The sentence without its clauses that are refused, with what it quotes. */
export function keptOf(text: string, parts: readonly ReadPart[]): string {
  if (parts.every(({ refusal }) => refusal === undefined)) return text.trim();
  let said = "";
  for (const [index, part] of parts.entries()) {
    if (part.refusal !== undefined) continue;
    const before = parts[index - 1];
    const between =
      said === ""
        ? ""
        : before?.refusal === undefined && before !== undefined
          ? text.slice(before.clause.end, part.clause.start)
          : ", ";
    const told = withWhatLeadsToIt(text, parts, index);
    said += said === "" && before?.refusal !== undefined ? told.replace(joining, "") : between + told;
  }
  return said;
}

/** `Especially since Danielle praised it`: what joins a reason to what is left out. Not `since March`. */
const joining =
  /^(?:(?:and|but|so) )?(?:(?:especially|particularly|mainly|mostly|just|also) )?(?:since|because|considering(?: that)?|given that|seeing (?:as|that)|now that) (?=(?:i|we|he|she|they)(?!\p{L})|(?:my|our) \p{L}{2,20}(?: \p{L}{2,20})? (?:is|are|was|were|has|have)(?!\p{L})|\p{L}{2,20} (?:is|was|has|will|told|said|gave|made|wants|needs|\p{L}{2,15}ed)(?!\p{L}))/iu;

const determiner = /(?<![\p{L}\p{N}])(?:my|our|the|a|an|this|these|his|her|their)\s/iu;

/** `Ship it to my office: Conrad Street 12`: what stands before a colon tells what follows it is. */
function withWhatLeadsToIt(sentence: string, parts: readonly ReadPart[], index: number): string {
  const [part, before] = [parts[index] as ReadPart, parts[index - 1]];
  const { clause } = part;
  const isLedTo =
    before?.refusal !== undefined &&
    before.refusal !== "FILLER" &&
    sentence.slice(before.clause.end, clause.start).trim() === ":";
  if (before?.refusal === "TRANSIENT" && needsItsLead(part, before))
    return sentence.slice(leadOf(parts, index - 1).clause.start, clause.end);
  return isLedTo ? sentence.slice(before.clause.start, clause.end) : withItsSubject(sentence, part, before);
}

/** `I got feedback from Kimberly` in `I got feedback from Kimberly, a close friend since college, on March 10`: what is part of a clause leads to nothing alone. */
function leadOf(parts: readonly ReadPart[], index: number): ReadPart {
  let first = index;
  while (parts[first - 1]?.refusal === "TRANSIENT" && isPartOfClause(parts[first] as ReadPart)) first--;
  return parts[first] as ReadPart;
}

/** Who it is that starts stands before it. */
const verbsOfSomebody: ReadonlySet<string> = new Set(
  "starts begins joins leaves leads moves becomes gets takes works lives ends costs cost".split(" "),
);
const pronouns: ReadonlySet<string> = new Set("it that this they he she".split(" "));

/** `Lea found a place, it's called Casa Mare`, `found someone new, Karim`, `Tiago got an offer, starts in March`, `swimming starts again but now it's at 9`: says nothing without the clause before it. */
function needsItsLead({ clause, words }: ReadPart, before: ReadPart): boolean {
  const first = words.find(({ text }) => !leadingWords.has(text) && text !== "now")?.text ?? "";
  const isName =
    words.length <= longestAppended && words.some(isNameLike) && !words.some(({ text }) => isNumberWord(text));
  return (
    pronouns.has(first) ||
    verbsOfSomebody.has(first) ||
    isPastTense(first) ||
    words.some(({ text }) => ofSomebody.has(text)) ||
    isPartOfClause({ clause, words }) ||
    (!hasVerb(words) && (isName || (isAmount(words) && before.read.statement !== undefined)))
  );
}

const beginningsOfParts: ReadonlySet<string> = new Set(
  "to into onto like including such plus for with without by about".split(" "),
);
const subjects: ReadonlySet<string> = new Set("i we you he she they it there".split(" "));

/** `Like the deadline on 15 May`, `a close friend since college`, `to allow two weeks for testing`: no clause, but a part of one. */
function isPartOfClause({ clause, words }: Pick<ReadPart, "clause" | "words">): boolean {
  if (joining.test(clause.text)) return false;
  const [first = "", second] = words.flatMap(({ text }) => (leadingWords.has(text) ? [] : text));
  // `But only` leads to a reason, `otherwise as usual` to a condition, and `everything runs through Triodos` has a subject.
  if (
    (second === undefined && first === "only") ||
    first === "otherwise" ||
    /^(?:every|no|some|any)(?:thing|one|body)$/.test(first)
  )
    return false;
  return !hasVerb(words) || (beginningsOfParts.has(first) && !words.some(({ text }) => subjects.has(text)));
}

const ofSomebody: ReadonlySet<string> = new Set("them him".split(" "));

/** `I want to run the Lavaredo, 120k, on 26 June` */
function isAmount(words: readonly Word[]): boolean {
  return words.length <= longestAmount && words.some(({ text }) => /\d/.test(text));
}

/** In words. */
const longestAmount = 4;

/** In words. */
const longestAppended = 2;

/** `I'm trying to speed up the API, which has reached 250 ms`: what the clause that is left out was about. */
function withItsSubject(sentence: string, { clause }: ReadPart, before: ReadPart | undefined): string {
  const text = sentence.slice(clause.start, clause.end);
  if (before?.refusal === undefined || !isRelativeClause(text)) return text;
  const start = before.clause.text.search(determiner);
  return start < 0 ? text : behindWhatItIsOf(text, before.clause.text.slice(start));
}
