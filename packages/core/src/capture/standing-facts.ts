import { isNameLike } from "./extract/word-kinds.ts";
import type { Word } from "./extract/words.ts";

/** What decides how important a captured memory is. */
export interface CapturedWeight {
  readonly text: string;
  readonly category: string;
  readonly isCorrection: boolean;
  readonly hasSlot: boolean;
  /** A procedure that is stated as a rule. */
  readonly isRule: boolean;
}

/** What does harm when it is forgotten. */
const hazards = /\b(?:allergic to|allerg(?:y|ies)|anaphyla\p{L}{1,8}|intolerant|intolerance|coeliac|celiac)\b/iu;
const importanceOfHazard = 0.85;

/**
 * 0 to 1: corrections 0.95, rules 0.9, procedures and what somebody must not eat or touch 0.85, others 0.5 and 0.05 for each thing
 * that makes them concrete.
 */
export function importanceOf({ text, category, isCorrection, hasSlot, isRule }: CapturedWeight): number {
  if (isCorrection) return 0.95;
  if (category === "procedure") return isRule ? 0.9 : 0.85;
  if (hazards.test(text)) return importanceOfHazard;
  const hasNumber = /\d/.test(text);
  const hasName = /[^.!?:]\s\p{Lu}\p{Ll}/u.test(text);
  const hasIdentifier = /\p{L}\d|\d\p{L}|[a-z]_[a-z]|\p{Ll}\p{Lu}/u.test(text);
  return Math.round(100 * (0.5 + 0.05 * [hasNumber, hasName, hasIdentifier, hasSlot].filter(Boolean).length)) / 100;
}

const staticWords =
  /\b(?:name is|was born|birthday|native|mother tongue|allergic|allergy|brother|sister|mother|father|son|daughter|wife|husband|parents)\b/i;

/** What somebody may not or does not eat counts wherever food is spoken of, whichever word the question has for it. */
const ownDiet =
  /\bthe user(?: is|['’]s)(?: an?)?(?: strict)? (?:vegan|vegetarian|pescatarian|coeliac|celiac|diabetic|(?:lactose|gluten)[ -]intolerant)\b/i;

/** Who somebody is, by name or by origin: `The user is Marta`, `The user is Portuguese`. Not `The user is OK with it`. */
const ownIdentity = /^The user is \p{Lu}\p{Ll}/u;

/** Of a captured memory what tells whether it holds for good. */
export interface CapturedStatement {
  readonly text: string;
  readonly words: readonly Word[];
  /** What it is the value of. Absent: of nothing that has a name. */
  readonly slot?: string | undefined;
  /** A rule for the assistant. */
  readonly isInstinct: boolean;
  /** It is the user's own, and not the project's. */
  readonly isOwn: boolean;
}

/** Whether it never fades: what is so for life, and of rules those of how to speak with the user. */
export function isStaticStatement({ text, words, slot = "", isInstinct, isOwn }: CapturedStatement): boolean {
  if (ofEveryAnswer.has(slot)) return isOwn;
  return isInstinct ? isOwn && isRuleOfManner(words) : isStaticText(text);
}

/** Slots whose value every answer to somebody has to heed: `write to me in German`, `call me Ann`. */
const ofEveryAnswer: ReadonlySet<string> = new Set(["answer language", "form of address"]);

/** Names, origins, births, native languages, family, allergies and diets. */
function isStaticText(text: string): boolean {
  return staticWords.test(text) || ownDiet.test(text) || ownIdentity.test(text);
}

const ofAnswers = new Set(
  "answer answers answering reply replies respond response responses emoji emojis jargon sentence sentences paragraph paragraphs bullet bullets tone short shorter brief concise".split(
    " ",
  ),
);

/** `Always give prices in pounds`, `think in Celsius` */
const units = new Set(
  "metric imperial kilometres kilometers km miles metres meters feet celsius fahrenheit kilograms kilos grams stone pounds euros dollars francs crowns".split(
    " ",
  ),
);

/** How to speak with whoever says it, which holds for every answer: `never use emojis`. */
function isRuleOfManner(words: readonly Word[]): boolean {
  return words.some(({ text }, index) => {
    const before = words[index - 1]?.text;
    // `Call me Ann`, but not `call me before noon`.
    const isCalled = before === "me" && words[index - 2]?.text === "call" && isNameLike(words[index] as Word, index);
    return ofAnswers.has(text) || (before === "in" && units.has(text)) || isCalled;
  });
}
