/**
 * What a sentence does in a conversation:
 * - `decision`: it leaves no doubt that something is settled; `likelyDecision`: it may be so.
 * - `noDecision`: it speaks of deciding, and says that nothing is settled; whatever else it says then is no decision.
 * - `openPoint`: it says itself that something is still open.
 * - `progress`: of an assistant, what it has done or does next.
 * - `change`: it changes the files it names.
 * - `greeting`: the whole of it opens a talk or says that one has heard, and a request begins behind it.
 * - `acceptance`: the whole of it takes up what was offered; `changedAcceptance`: it does so with a change, which these words lead to;
 *   `asksWhich`: a question that no `yes` answers.
 * - `takesBack`: of a user, something that was settled before holds no longer.
 * - `rule`: of a user, what is to be kept to from now on.
 * - `reminder`: of a user, what is still to be done; `unsure`: what one would like to be told.
 * - `settled`: something that was open is so no longer.
 */
export type SayingKind =
  | "decision"
  | "likelyDecision"
  | "noDecision"
  | "openPoint"
  | "progress"
  | "change"
  | "greeting"
  | "acceptance"
  | "changedAcceptance"
  | "asksWhich"
  | "takesBack"
  | "rule"
  | "reminder"
  | "unsure"
  | "settled";

/** Words that a kind of sentence is known by, in one language. */
export interface Saying {
  readonly kind: SayingKind;
  /**
   * Source of a regular expression that is looked for between words, in lower case. Apostrophes are `'`. Repetitions are
   * bounded, so that time stays linear in the text.
   */
  readonly words: string;
  /** Sentences it must be found in, each a test. */
  readonly examples: readonly string[];
  /** Sentences that look like it and of which it must not be said that they are of this kind, each a test. */
  readonly counterexamples: readonly string[];
}
