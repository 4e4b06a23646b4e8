import { placeOfDecision } from "../sayings/says.ts";
import { isLong, point, pointFrom, shortPoint, shortQuestion, withContext } from "./shortened-points.ts";
import type { SpokenSentence } from "./spoken-sentences.ts";
import { tellingWords } from "./telling-words.ts";

/** Something worth keeping of a message. */
export interface MessageDecision {
  readonly text: string;
  /** True when the words leave no doubt: `decided`, `agreed`, `let's use`. */
  readonly isPlain: boolean;
  /** True when the user says it: what an assistant says of decisions may be an advice. */
  readonly isOfUser: boolean;
  /** Of one that takes something back: what it is about, so that what it takes back is known. */
  readonly takesBack?: readonly string[] | undefined;
  /** The decision that held before. */
  readonly before?: string | undefined;
}

/** What is settled by a message, and what is left open. */
export interface TalkPoints {
  readonly decisions: readonly MessageDecision[];
  /** Sentences that ask. They stay open until the other side speaks. */
  readonly questions: readonly string[];
  /** Sentences that say themselves that something is still open. */
  readonly openPoints: readonly string[];
  /** What the message is about when it says that something is settled; empty when it does not. */
  readonly settled: readonly string[];
}

// More words than these say less and less of what is settled.
const mostSettled = 40;

/** @param request where a user's message begins to ask */
export function pointsOf(
  sentences: readonly SpokenSentence[],
  { isOfUser, request }: { readonly isOfUser: boolean; readonly request: number | undefined },
): TalkPoints {
  const decisions: MessageDecision[] = [];
  const questions: string[] = [];
  const openPoints: string[] = [];
  // The last sentence that is told by itself.
  let told = -1;
  for (const [place, sentence] of sentences.entries()) {
    const { text, before, isQuestion, says } = sentence;
    const isToDo = isOfUser && says("reminder");
    const isOpen = isToDo || says("openPoint");
    // `I'm not sure how` and `tell me whether it still needs the driver` are open until they are answered.
    const asks = isQuestion || (isOfUser && says("unsure")) || (isOpen && !isToDo && place === request);
    if (asks) questions.push(point(text));
    else if (isOpen) openPoints.push(told === place - 1 ? point(text) : withContext(before, text, shortPoint));
    else decisions.push(...decisionIn(sentence, isOfUser));
    if (isOpen || isQuestion) told = place;
  }
  return { decisions, questions, openPoints, settled: settledWords(sentences) };
}

/** What a sentence decides that leaves nothing open: at most one thing. */
function decisionIn(sentence: SpokenSentence, isOfUser: boolean): readonly MessageDecision[] {
  const { text, accepts, says } = sentence;
  // It settles what was said before, and says nothing of it.
  if (accepts) return [];
  if (isOfUser && says("takesBack")) return [takenBack(sentence)];
  const isPlain = says("decision") || (isOfUser && says("rule"));
  return isPlain || says("likelyDecision") ? [{ text: settledPoint(text), isPlain, isOfUser }] : [];
}

/** What stands behind what replaces it. */
const replaced =
  /(?<![\p{L}\p{N}_])(?:instead of|rather than|anstatt|statt|au lieu d|en vez de|en lugar de)(?![\p{L}\p{N}_])(.{1,60})/iu;
/** Where it ends: what comes behind says why. */
const reason = /[,.;:(!]| (?:to|for|because|so|since|um|damit|weil|pour|car|para|porque) /u;

/** A sentence that takes something back. Where it says only `that`, the one before says what. */
function takenBack({ text, before }: SpokenSentence): MessageDecision {
  const [, former] = replaced.exec(text) ?? [];
  const about = former?.split(reason, 1)[0];
  const words = (about === undefined ? [text, before ?? ""] : [about]).flatMap(tellingWords);
  const told = withContext(before, text, shortQuestion);
  return { text: told, isPlain: former === undefined, isOfUser: true, takesBack: [...new Set(words)] };
}

/** A decision on its way into a summary. Of a long sentence the clause that decides begins it, not what it is for. */
function settledPoint(text: string): string {
  return isLong(text) ? pointFrom(text, placeOfDecision(text)) : text;
}

function settledWords(sentences: readonly SpokenSentence[]): readonly string[] {
  if (!sentences.some(({ isQuestion, says }) => !isQuestion && says("settled"))) return [];
  return [...new Set(sentences.flatMap(({ text }) => tellingWords(text)))].slice(0, mostSettled);
}
