import type { CapturedTurn } from "@loci/domain";
import { troubles } from "../judge/what-was-solved.ts";
import type { Company } from "./company.ts";
import { withoutLeadWords } from "./lead-words.ts";
import { contentOf } from "./read-clause.ts";
import { endsAsQuestion } from "./requests.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { inThirdPerson } from "./third-person.ts";
import { longestText, plainlySaid, type TurnStatement } from "./turn-statement.ts";
import { remedyPattern } from "./unphrased-patterns.ts";
import { withoutPastedLines } from "./without-pasted-lines.ts";
import { type Word, wordsOf } from "./words.ts";

/** What a user said does not work, and in which turn. */
export interface ToldTrouble {
  readonly turn: CapturedTurn;
  readonly said: string;
}

/** `500`: what a server answers in trouble. */
const statusOfTrouble = /^[45]\d\d$/u;

const answering: ReadonlySet<string> = new Set(
  "return returns returned get gets got give gives throw throws with a an".split(" "),
);
/** `An error on submit` is trouble, and `the error plugin` is not. */
const named: ReadonlySet<string> = new Set("error errors bug bugs problem problems issue issues incident".split(" "));
const behindTrouble: ReadonlySet<string> = new Set("on in with when at for after since while if and every".split(" "));

/** Whether words tell of what does not work. */
export function tellsTrouble(words: readonly Word[]): boolean {
  return words.some(({ text }, index) => {
    if (text === "thing" || text === "one") return false;
    const [before = "", next] = [words[index - 1]?.text, words[index + 1]?.text];
    if (statusOfTrouble.test(text)) return answering.has(before);
    return troubles.has(text) && (!named.has(text) || next === undefined || behindTrouble.has(next));
  });
}

/** `That fixed it`, `nice, works now` */
const confirming =
  /^(?:(?:nice|great|perfect|awesome|cool|yes|yep|yay|ok|okay|thanks|thx|oh|wow|\p{Extended_Pictographic})[,.! ]{1,3}){0,2}(?:(?:that|this|it) (?:fixed|solved|resolved|cured|did) (?:it|that|the (?:trick|problem|issue|bug))|(?:(?:that|this|it) )?(?:works|worked)(?: now| again)?|(?:(?:that|this|it)(?:['\u2019]s| is) )?(?:fixed|solved)(?: now)?)(?![\p{L}\p{N}])/iu;
/** `Works, but only on Mondays` takes it back. */
const limited = /(?<!\p{L})(?:but|not|except|only|almost|half|if)(?!\p{L})/iu;
/** In UTF-16 units. */
const longestConfirmation = 80;

function confirms({ text }: Sentence): boolean {
  return text.length <= longestConfirmation && confirming.test(text) && !limited.test(text) && !endsAsQuestion(text);
}

/** `Fixed: the session waits for it` */
const reporting = /^(?:fixed|done|solved|found it)[:;,.!] /iu;
const behindSemicolon = /; The(?= (?:assistant|user|team|family)(?!\p{L}))/gu;
/** In words that mean something: `Fixed.` tells nothing of how. */
const fewestOfRemedy = 2;
const mostSentences = 2;

/**
 * What helped against the trouble, in the words in which the assistant told of it, when the user says that it did. `undefined`: nobody says so, or
 * nothing is told of it.
 *
 * @param before what the assistant said last before it
 * @param sentences of the user's turn
 */
export function confirmedRemedy(
  trouble: ToldTrouble,
  sentences: readonly Sentence[],
  { turn, before, company }: { readonly turn: CapturedTurn; readonly before: CapturedTurn; readonly company: Company },
): TurnStatement | undefined {
  const [sentence] = sentences;
  if (sentence === undefined || !confirms(sentence)) return undefined;
  const told = sentencesOf(withoutPastedLines(before.content)).filter(
    ({ text }) => !endsAsQuestion(text) && contentOf(wordsOf(text)).words >= fewestOfRemedy,
  );
  const remedy = told.slice(0, mostSentences);
  const [first, last] = [remedy[0], remedy.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const quote = before.content.slice(first.start, last.end);
  const problem = inThirdPerson(withoutLeadWords(trouble.said.replace(/[\s.!:]{1,9}$/u, "")), "user", company);
  const solution = remedy
    .map(({ text }) => inThirdPerson(text.replace(reporting, ""), "assistant", company))
    .join(" ")
    .replace(behindSemicolon, "; the");
  const text = `${problem}. What fixed it: ${solution}`;
  if (text.length > longestText) return undefined;
  return {
    ...plainlySaid,
    sentence,
    words: wordsOf(text),
    said: text,
    text,
    turn,
    company,
    pattern: remedyPattern,
    offered: { turn: before.turn, start: first.start, end: last.end, quote },
    explainedBy: trouble.turn.turn,
  };
}
