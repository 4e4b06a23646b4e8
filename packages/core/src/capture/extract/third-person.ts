import { changingPast, isParticiple, otherPast } from "../../text/past-tense.ts";
import type { Company } from "./company.ts";
import { withoutQuotations } from "./quotations.ts";
import { wellSpelled } from "./hurried-spelling.ts";
import { wordGroups } from "./word-groups.ts";

/** What speakers call themselves and the assistant, as somebody else would say it. */
const plain: ReadonlyMap<string, string> = new Map(
  Object.entries({
    i: "the user",
    me: "the user",
    my: "the user's",
    mine: "the user's",
    myself: "themselves",
    we: "the team",
    us: "the team",
    our: "the team's",
    ours: "the team's",
    ourselves: "themselves",
    you: "the assistant",
    your: "the assistant's",
    yours: "the assistant's",
  }),
);

/** The same where the assistant speaks. */
const plainOfAssistant: ReadonlyMap<string, string> = new Map([
  ...plain,
  ...Object.entries({
    i: "the assistant",
    me: "the assistant",
    my: "the assistant's",
    mine: "the assistant's",
    myself: "itself",
    you: "the user",
    your: "the user's",
    yours: "the user's",
    yourself: "themselves",
  }),
]);
const contractedOfAssistant = (word: string): string | undefined =>
  contracted
    .get(word)
    ?.replace(/^the (?:user|assistant)/, (whole) => (whole === "the user" ? "the assistant" : "the user"));

const contracted: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "i'm": "the user is",
    "i've": "the user has",
    "i'd": "the user would",
    "i'll": "the user will",
    "we're": "the team is",
    "we've": "the team has",
    "we'll": "the team will",
    "we'd": "the team would",
    "you're": "the assistant is",
    "you've": "the assistant has",
    "you'll": "the assistant will",
    "let's": "the team agrees to",
  }),
);

const verbForms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    am: "is",
    are: "is",
    have: "has",
    do: "does",
    "don't": "doesn't",
    "haven't": "hasn't",
    were: "was",
    "aren't": "isn't",
    "weren't": "wasn't",
  }),
);
const adverbs = new Set(
  "always never ever usually normally also just only really still now often generally typically mostly sometimes even rarely currently already mainly no longer almost very quite seldom soon perhaps maybe hardly barely".split(
    " ",
  ),
);
/** What follows `I` or `we` and is no verb in the present. */
const noPresent: ReadonlySet<string> = new Set([
  ...changingPast,
  ...otherPast,
  ...`can could will would shall should may might must ought cannot can't won't wouldn't shouldn't couldn't mustn't didn't hadn't was wasn't did had
  meant swore put set shut cut hurt hit let read quit upset
  and or but so who that which as at in on of for with to from by if when then than the a an my our your his her its their both all others not no one two three four five six once twice myself ourselves`.split(
    /\s+/u,
  ),
]);

const presentVerbs: ReadonlySet<string> = new Set(
  [
    ...(wordGroups["verb"] ?? []),
    ...(wordGroups["like"] ?? []),
    ..."live work study drive own knit wear commute eat drink sleep cook want need pin transliterate know think meet teach learn develop merge sing bring need feed lift cycle swim walk train host rely supply apply reply fly struggle suffer run manage lead cite specialise specialize".split(
      " ",
    ),
  ].filter((word) => !/^(?:let|put|set|cut|read|split|quit)$/.test(word)),
);

/** Behind these the verb stays as it is: `can you send`. */
const inverting: ReadonlySet<string> = new Set(
  "can could would will should shall may might must do does did let make help".split(" "),
);

/** Behind these a clause begins: what follows its subject is a verb, as in `before you commit`. */
const clauseOpeners: ReadonlySet<string> = new Set(
  "after because before if once since that unless until what when whenever where wherever while".split(" "),
);

/** `Act I`, `World War I`: what stands before a Roman numeral. */
const numbered =
  /(?<![\p{L}\p{N}])(?:Act|Appendix|Article|Book|Chapter|Class|Grade|Level|Part|Phase|Schedule|Section|Stage|Tier|Title|Type|Volume|War) $/u;
/** In UTF-16 units, with what stands on either side. */
const longestNumbered = 10;

/** `Which one do you use`: the verb of a question stands before whom it asks about. */
const asksOf = /^ (?:i|you|we)(?![\p{L}'\u2019])/iu;
/** With the space before it, and what shows that it ends. */
const longestSubject = 5;

/** `Our team's rotation` is the team's. */
const namesCompany = /^ (?:team|family)(?!\p{L})/iu;
/** With the space before it, and what shows that it ends. */
const longestCompany = 8;

/** `Let's go with the blue one` is said to the assistant: it is the user who decides. */
function ofFamily(other: string | undefined): string | undefined {
  return other === contracted.get("let's") ? "the user decides to" : other?.replace(/^the team/, "the family");
}

const words = /[\p{L}\p{N}]{1,60}(?:['\u2019][\p{L}]{1,10})?/gu;

/**
 * A sentence as somebody else would say it: `I like tea` is `The user likes tea`, `our CI` is `The team's CI`. Inside of quotation
 * marks nothing changes, where more than two words stand there. Linear in the length.
 *
 * @param speaker default the user
 * @param company whom `we` speaks of. Default the team
 */
export function inThirdPerson(
  sentence: string,
  speaker: "user" | "assistant" = "user",
  company: Company = "team",
): string {
  const isUser = speaker === "user";
  let result = "";
  let end = 0;
  let isBehindSubject = false;
  let before = "";
  let subject = "";
  let isClause = false;
  const spoken = withoutQuotations(sentence);
  for (const match of sentence.matchAll(words)) {
    const [raw] = match;
    if (spoken.charAt(match.index) === " ") continue;
    const typed = raw.toLowerCase().replaceAll("\u2019", "'");
    const word =
      typed === "lets" && !beforeLets.has(before) && !endsClause(sentence, match.index) ? typed : wellSpelled(typed);
    // `At 4 am I sleep`
    const isHour = word === "am" && /\d\s?$/u.test(sentence.slice(Math.max(0, match.index - 2), match.index));
    const isNumeral =
      raw === "I" && numbered.test(sentence.slice(Math.max(0, match.index - longestNumbered), match.index));
    const other = isNumeral
      ? undefined
      : isUser
        ? (contracted.get(word) ?? plain.get(word))
        : (contractedOfAssistant(word) ?? plainOfAssistant.get(word));
    const isOfSeveral = word === "i" && isBesideOther(sentence.slice(0, match.index));
    const isSubject = !isNumeral && !isOfSeveral && ["i", "we", "you"].includes(word) && !inverting.has(before);
    const verb = isBehindSubject
      ? thirdPersonOf(word, { mayBeNoVerb: subject === "you" && !isClause })
      : isHour
        ? undefined
        : asksOf.test(sentence.slice(match.index + raw.length, match.index + raw.length + longestSubject))
          ? verbForms.get(word)
          : undefined;
    const isOwnName =
      word === "our" &&
      namesCompany.test(sentence.slice(match.index + raw.length, match.index + raw.length + longestCompany));
    const ofCompany = isOwnName ? "the" : company === "family" ? ofFamily(other) : other;
    // `I'd said Saturday`: had, and not would.
    const isHad =
      ofCompany?.endsWith(" would") === true && isParticiple(wordBehind(sentence, match.index + raw.length));
    const named = isHad ? ofCompany.replace(/would$/, "had") : ofCompany;
    result += sentence.slice(end, match.index) + (named ?? verb ?? raw);
    end = match.index + raw.length;
    if (isSubject) isClause = clauseOpeners.has(before);
    before = word;
    const isListed = (subject === "i" || subject === "we") && listsVerbs(sentence, end);
    if (isSubject || contracted.has(word)) subject = word.split("'")[0] ?? "";
    else if (endsClause(sentence, end - raw.length) && !isBehindSubject) subject = "";
    // `I run on Mondays and lift on Saturdays`: the second verb has the first one's subject.
    const goesOn = (word === "and" || word === "but") && (subject === "i" || subject === "we");
    isBehindSubject =
      isSubject || (isBehindSubject && adverbs.has(word)) || (goesOn && hasVerbBehind(sentence, end)) || isListed;
  }
  const text = (result + sentence.slice(end)).trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Behind these `lets` stands for `let's`; behind others it is a verb: `when the rota lets me`. */
const beforeLets: ReadonlySet<string> = new Set(["", ..."and so ok okay but then now well please yes yeah".split(" ")]);

const besideOther = /^(?:\p{L}{1,10},? ){0,2}(?:[Mm]y|[Oo]ur) (\p{L}{1,20}) (?:\p{Lu}\p{L}{0,20} )?and $/u;
/** In UTF-16 units. */
const longestOther = 80;

/** `My wife and I are moving`: the verb is of both. */
function isBesideOther(before: string): boolean {
  const other = before.length > longestOther ? undefined : besideOther.exec(before)?.[1];
  return other !== undefined && wordGroups["relation"]?.has(other) === true;
}

const nextWord = /^ (?:(?:already|just|never|always|only|actually) )?(\p{L}{1,20})/u;

function wordBehind(sentence: string, end: number): string {
  return nextWord.exec(sentence.slice(end, end + 40))?.[1]?.toLowerCase() ?? "";
}

/** Whether a new clause begins before a place: behind a comma or the like, what has no subject may be anything. */
function endsClause(sentence: string, place: number): boolean {
  return /[,;:.!?\u2013\u2014(]\s?$/u.test(sentence.slice(Math.max(0, place - 2), place));
}

/** `I'm Portuguese but write to me in English`: whoever speaks does not write to `me`, and so tells somebody else to. */
const toSpeaker = /^ (?:(?:please|always|never|just|only|also) )?\p{L}{1,20} (?:to |for )?(?:me|us)(?!\p{L})/u;

const behindJoint = /^ (?:(?:also|always|usually|often|mostly|sometimes|then|never) )?(\p{L}{1,20}) (\p{L}{1,20}|\d)/u;
/** These are no nouns. */
const onlyVerbs: ReadonlySet<string> = new Set(
  "do have am are go pay live keep take eat own teach study read write prefer speak build sell sing bring deploy".split(
    " ",
  ),
);
/** Behind these words a verb goes on, and a noun does not. */
const goingOn: ReadonlySet<string> = new Set(
  "a an the my our about around as on in at for to with within from no not every only mostly".split(" "),
);

/** Whether a verb follows, and no noun: `and pay about 120 dollars`, but not `and work clothes`. */
function hasVerbBehind(sentence: string, end: number): boolean {
  if (toSpeaker.test(sentence.slice(end, end + 60))) return false;
  const [, first = "", next = ""] = behindJoint.exec(sentence.slice(end, end + 60)) ?? [];
  const isFollowed = goingOn.has(next) || /^\d/.test(next);
  return onlyVerbs.has(first) || (presentVerbs.has(first) && isFollowed);
}

const listed = /^, (\p{L}{1,20}) (\p{L}{1,20}) [^,;:.!?]{1,60} and (\p{L}{1,20}) (\p{L}{1,20})/u;

/** `I'm 34, live in Graz and work as a carpenter`: both verbs have the subject before the comma. */
function listsVerbs(sentence: string, end: number): boolean {
  const [, first = "", behindFirst = "", second = "", behindSecond = ""] =
    listed.exec(sentence.slice(end, end + 140)) ?? [];
  return presentVerbs.has(first) && goingOn.has(behindFirst) && presentVerbs.has(second) && goingOn.has(behindSecond);
}

/** @param mayBeNoVerb `you` may be told something, and is then followed by anything */
function thirdPersonOf(word: string, { mayBeNoVerb }: { readonly mayBeNoVerb: boolean }): string | undefined {
  const form = verbForms.get(word);
  if (form !== undefined) return form;
  const isVerb =
    !mayBeNoVerb &&
    !adverbs.has(word) &&
    /^[a-z]{2,}$/.test(word) &&
    !noPresent.has(word) &&
    !/(?:ed|ly|ing)$/.test(word);
  if (!presentVerbs.has(word) && !isVerb) return undefined;
  if (/(?:s|x|z|ch|sh|o)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
