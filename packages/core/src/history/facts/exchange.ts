import { sentencesWithin, shortQuestion, withContext } from "./shortened-points.ts";
import type { SpokenSentence } from "./spoken-sentences.ts";

// What a conversation begins with says whom and what it is about.
const longestOpening = 300;
const longestRequest = 150;

/** What a message of a user wants of the assistant. */
export interface UserFacts {
  /** What is asked, from behind a greeting on: whole sentences, at least one. */
  readonly request: string;
  /** The same with more of what is said behind it. */
  readonly opening: string;
  /** What is said to take up an offer, such as `yes please`. Empty where nothing is taken up. */
  readonly acceptance: string;
  /** True when the message says nothing but that, or that something was heard. */
  readonly isAnswer: boolean;
}

/** Of a message that is none of a user. */
export const noUser: UserFacts = { request: "", opening: "", acceptance: "", isAnswer: false };

/** Where a user's message begins to ask for something. `undefined`: it only answers or greets. */
export function placeOfRequest(sentences: readonly SpokenSentence[]): number | undefined {
  const place = sentences.findIndex(({ accepts, says }) => !accepts && !says("greeting"));
  return place < 0 ? undefined : place;
}

/** @param place where it begins to ask */
export function userFacts(sentences: readonly SpokenSentence[], place: number | undefined): UserFacts {
  const asked = sentences.slice(place ?? 0).map(({ text }) => text);
  const [first] = sentences;
  const takesUp = first !== undefined && (first.accepts || first.acceptsWithChange);
  return {
    request: sentencesWithin(asked, longestRequest),
    opening: sentencesWithin(asked, longestOpening),
    acceptance: takesUp ? first.text : "",
    isAnswer: sentences.length > 0 && place === undefined,
  };
}

/** The last question of an assistant that `yes` answers, with the sentence before it where it is short. Empty: there is none. */
export function offerOf(sentences: readonly SpokenSentence[]): string {
  const offer = sentences.findLast(({ isQuestion, says }) => isQuestion && !says("asksWhich"));
  return offer === undefined ? "" : withContext(offer.before, offer.text, shortQuestion);
}
