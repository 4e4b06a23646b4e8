import type { Company } from "./company.ts";
import type { StatementPattern } from "./grammar/statement-pattern.ts";
import { assentingEmoji } from "./emoji-answers.ts";
import { contentOf } from "./read-clause.ts";
import { hasVerb } from "./finite-verbs.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { inThirdPerson } from "./third-person.ts";
import { acceptedChoice, acceptedRule } from "./unphrased-patterns.ts";
import { isDateWord, isNumberWord } from "./word-kinds.ts";
import { wordGroups } from "./word-groups.ts";
import { type Word, wordsOf } from "./words.ts";

/** What the assistant offered to do and the user took, with what the user said besides of how it is to be done. */
export interface AcceptedOffer {
  /** In the third person, with what is pointed to. */
  readonly text: string;
  /** What was offered, by itself. */
  readonly said: string;
  /** The same words as the user would say them: `you` is the user. */
  readonly words: readonly Word[];
  /** Where the assistant offers it. */
  readonly offered: Sentence;
  /** The sentences of the user's turn that take it: so many from the first. */
  readonly taking: number;
  readonly pattern: StatementPattern;
}

/** A way to offer something, and what the assistant says of itself when that is taken. */
interface Offer {
  readonly asks: RegExp;
  readonly taken: (asked: string) => string;
}

const toDo = (asked: string): string => `I am to ${asked}`;

const offers: readonly Offer[] = [
  {
    // `Shall I remind you two days before?`
    asks: /(?<!\p{L})(?:(?:shall|should|can|could|may) i|(?:do you want|would you like|want|would you prefer) me to) ((?:(?:also|then|just|always) )?.{3,300})\?$/iu,
    taken: toDo,
  },
  {
    // `Would it help if I drew up an overview every Sunday?`
    asks: /(?<!\p{L})would it help (?:you )?if (i .{3,300})\?$/iu,
    taken: (asked) => `It would help you if ${asked}`,
  },
  {
    // `I can write an emergency sheet, if you like.`
    asks: /^(?:[^,]{1,40}, )?i (?:can|could) (.{3,300}?),? if (?:you (?:like|want|wish|prefer)|that helps)[.!]?$/iu,
    taken: toDo,
  },
  {
    // `I could write a script that runs after every merge, want that?`
    asks: /^(?:[^,]{1,40}, )?i (?:can|could) (.{3,300}?),? (?:want that|want me to|would that help|shall i|ok(?:ay)?)\?$/iu,
    taken: toDo,
  },
  {
    // `Would you like to go on recording yourself every Friday?`
    asks: /(?<!\p{L})(?:would you like|do you want) to (.{3,300})\?$/iu,
    taken: (asked) => `You would like to ${asked}`,
  },
  {
    // `Should a pitch without the tick be turned down automatically?`
    asks: /(?<!\p{L})should ((?:an?|the|all|each|every|my|our|your|this|that|these|those) .{2,200}? be .{2,200})\?$/iu,
    taken: (asked) => asked.replace(" be ", " should be "),
  },
];
/** Of two things one is chosen: a yes tells not which. */
const choice = /(?<!\p{L})or(?!\p{L})/iu;

const assent = [
  assentingEmoji,
  "(?:(?:oh )?god|omg|go on then)",
  "y(?:es+|ep|eah|up|a)",
  "(?:that is|that['\u2019]s) (?:very |so )?(?:thoughtful|kind|nice|good)(?: of you)?",
  "pl[sz]",
  "o+h+",
  "a+h+",
  "h+m+",
  "ok(?:ay)?",
  "sure(?: thing)?",
  "please(?: do)?",
  "do(?: (?:that|it|so))?(?: as a habit)?(?: please)?",
  "go (?:ahead|for it)",
  "absolutely",
  "definitely",
  "of course",
  "by all means",
  "gladly",
  "perfect",
  "great",
  "good(?: idea)?",
  "lovely",
  "clever",
  "nice",
  "sensible",
  "fine",
  "agreed",
  "deal",
  "why not",
  "exactly",
  "thanks",
  "thank you",
  "i(?:['\u2019]d| would) (?:like|love|appreciate) that",
  "(?:that|this|it)(?:['\u2019]d| would) be (?:really |very )?(?:great|good|nice|lovely|perfect|helpful|fine|useful)(?: actually)?",
  "that['\u2019]s,? (?=yes)",
  "(?:that )?sounds? (?:good|great|sensible|fine|perfect|right)",
  "that works(?: for me)?",
].join("|");
const assenting = new RegExp(String.raw`^(?:(?:${assent})(?:[,.!;:\s]{1,3}|$)){1,6}`, "iu");
/** By itself none of these takes anything. */
const onlySounds =
  /^(?:(?:(?:oh )?god|omg|(?:that is|that['\u2019]s) [\p{L} ]{4,20}|o+h+|a+h+|h+m+|thanks|thank you|nice|exactly)(?:[,.!;:\s]{1,3}|$)){1,6}$/iu;
/** In UTF-16 units: longer is no assent. */
const longestAssent = 120;

/**
 * The offer that a turn of the user takes: the last thing the assistant says asks for leave to do something, and the turn begins with
 * a yes. `undefined` for what is done once and then over, such as a draft: it has to hold for longer, or say when or how much.
 *
 * @param offering what the assistant said
 * @param answer the sentences of the user's turn
 */
export function acceptedOffer(
  offering: string,
  answer: readonly Sentence[],
  company: Company,
): AcceptedOffer | undefined {
  const sentences = sentencesOf(offering);
  const offered = sentences.at(-1);
  const [first, ...others] = answer;
  const leave = offered === undefined ? undefined : askedLeave(offered.text);
  if (offered === undefined || first === undefined || leave === undefined || first.text.endsWith("?")) return undefined;
  const { asked } = leave;
  // `Make it two` takes it, too.
  const taken = assenting.exec(first.text.slice(0, longestAssent))?.[0] ?? (amount.test(first.text) ? "" : undefined);
  if (taken === undefined || (taken !== "" && onlySounds.test(taken))) return undefined;
  const more = others.findIndex(({ text }) => assenting.exec(text)?.[0].length !== text.length);
  const agreed = 1 + (more < 0 ? others.length : more);
  const besides = besidesOf(first.text.slice(taken.length).trim(), answer[agreed]);
  if (besides === undefined) return undefined;
  const offer = wordsOf(asked);
  const how = wordsOf(besides.text);
  const pattern = patternOf(offer, how);
  if (pattern === undefined) return undefined;
  const last = sentences.at(-2)?.text ?? "";
  const lead = pointing.test(asked) && wordsOf(last).length >= fewestOfLead ? last : undefined;
  const told = inThirdPerson(leave.taken, "assistant", company);
  const before = lead === undefined ? "" : `${inThirdPerson(lead, "assistant", company)} `;
  const said = told + (besides.text === "" ? "." : `: ${inThirdPerson(besides.text, "user", company)}`);
  return {
    text: before + said,
    said: told,
    words: [...offer.map(saidByUser), ...how],
    offered,
    taking: agreed + (besides.isOwnSentence ? 1 : 0),
    pattern,
  };
}

/** What leave is asked for, `remind you two days before`, and what is so when it is given. */
function askedLeave(text: string): { readonly asked: string; readonly taken: string } | undefined {
  for (const { asks, taken } of offers) {
    const asked = asks.exec(text)?.[1];
    if (asked !== undefined) return choice.test(asked) ? undefined : { asked, taken: taken(asked) };
  }
  return undefined;
}

const pointing = /(?<!\p{L})(?:it|(?<!so )that|this|those|them|there)(?!\p{L})/iu;
/** In words: `Done.` tells nothing of what is pointed to. */
const fewestOfLead = 4;
const amount = /^(?:ok(?:ay)?,? |no,? )?(?:let['\u2019]?s )?make it /iu;
const amending = /^(?:in|on|at|around|about|by|with|without|and)(?!\p{L})/iu;
const changing = /^(?:but|only|just|though)(?!\p{L})|(?<!\p{L})make it(?!\p{L})/iu;
const ofOneself = /^(?:(?:but|and) )?(?:i|i['\u2019]?m|i['\u2019]ve|my|we|our|he|she|they)(?!\p{L})/iu;
/** In words. */
const longestAmendment = 8;

/** How it is to be done: `but on WhatsApp`, `Around seven.` `undefined`: the yes is none. */
function besidesOf(
  rest: string,
  next: Sentence | undefined,
): { readonly text: string; readonly isOwnSentence: boolean } | undefined {
  if (/^(?:no|not|later)(?!\p{L})/iu.test(rest)) return undefined;
  if (next === undefined || next.text.endsWith("?")) return { text: rest, isOwnSentence: false };
  const isMore =
    rest === "" &&
    !ofOneself.test(next.text) &&
    (wordsOf(next.text).length <= longestAmendment || (amending.test(next.text) && !hasVerb(wordsOf(next.text))));
  if (!isMore && !changing.test(next.text)) return { text: rest, isOwnSentence: false };
  return { text: rest === "" ? next.text : `${rest} ${next.text}`, isOwnSentence: true };
}

const lasting: ReadonlySet<string> = new Set(
  `every each always whenever when before after until instead first weekly daily monthly regularly permanently keep leave habit future
   never only usually default automatically`.split(/\s+/u),
);
/** What is made is there then: it is over, whatever it is about. */
export const making: ReadonlySet<string> = new Set(
  `draft write show list explain summarise summarize compare check look search find print run open send read give prepare make draw
   start go continue begin tell walk help try test review suggest`.split(/\s+/u),
);

/** In words that mean something: `keep all of that` is of nothing known. */
const fewestOfOffer = 2;

function patternOf(offer: readonly Word[], how: readonly Word[]): StatementPattern | undefined {
  if (contentOf(offer).words < fewestOfOffer) return undefined;
  const holds = (words: readonly Word[]): boolean =>
    words.some(({ text }, index) => lasting.has(text) || isForGood(words, index) || isRepeated(words, index));
  if (holds(offer) || holds(how)) return acceptedRule;
  const verb = offer.find(({ text }) => wordGroups["verb"]?.has(text) === true || making.has(text));
  if (verb === undefined || making.has(verb.text)) return undefined;
  return offer.some(({ text }) => isNumberWord(text) || isDateWord(text)) ? acceptedChoice : undefined;
}

function isForGood(words: readonly Word[], index: number): boolean {
  return words[index]?.text === "for" && words[index + 1]?.text === "good";
}

/** `three evenings a week` */
function isRepeated(words: readonly Word[], index: number): boolean {
  return words[index]?.text === "a" && /^(?:day|week|month|year)$/.test(words[index + 1]?.text ?? "");
}

/** The assistant's `you` is who says `I`. */
function saidByUser(word: Word): Word {
  const text = { you: "i", your: "my", yours: "mine", i: "you", my: "your", me: "you" }[word.text] ?? word.text;
  return { ...word, text };
}
