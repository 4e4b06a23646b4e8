import { stopWords } from "../../text/stop-words.ts";
import { claimOf, type ClaimWord, plainStemOf } from "../../recall/claim-words.ts";
import { amounts } from "../extract/number-words.ts";
import { isDateWord } from "../extract/word-kinds.ts";
import { movedElsewhere } from "./moved-house.ts";
import { meaningOf } from "./value-families.ts";

/** Words that say too little to be spoken of. */
export const silent: ReadonlySet<string> = new Set(
  "user users team teams family assistant assistants project use uses used want wants prefer prefers need needs like likes please make thing things past quarter half pm run runs go goes get gets keep keeps called call since now last week year new old know using heard hear ask asks asked always never every currently already considering trying include includes including example help helps missing instead take takes took taken taking once twice times".split(
    " ",
  ),
);
/** What a text is about: roots of the words that mean something by themselves, no numbers. Linear in its length. */
export function topicsOf(text: string): ReadonlySet<string> {
  const { words } = claimOf(text);
  const topics = new Set<string>();
  let isElsewhere: boolean | undefined;
  for (const [index, { word }] of words.entries()) {
    if (stopWords.has(word) || silent.has(word) || /^\d/.test(word) || amounts.get(word) !== undefined) continue;
    if (isDayOrMay(word) || (isOfWork(word) && !saysWhereOneWorks(words, index))) continue;
    const isOfNoHome = word === "moved" && (!saysWhoMoved(words, index) || (isElsewhere ??= movedElsewhere(text)));
    const isOfNoWork = word === "started" && !atWork.has(words[index + 1]?.word ?? "");
    topics.add(isOfNoHome || isOfNoWork ? topicOf(word) : rootOf(word));
  }
  if (saysWhereOneLives.test(text)) topics.add("home");
  return topics;
}

/** `We've been in Leuven since March`, `we're in Bodø these days`, `my sister is back in Bergen`; but `I'm in Odense for the weekend`. */
const saysWhereOneLives =
  /(?:(?:have|has|'ve) been in \p{Lu}\p{L}{2,30} since|(?<!\p{L})(?:i|we|I|We|he|she)(?:'re|'m|'s| are| am| is) in \p{Lu}\p{L}{2,30} (?:now|these days)(?!\p{L})|(?:is|are|am|'m|'re|'s) back in \p{Lu}\p{L}{2,30}\s?(?:$|[.,;!]|now|since))/u;

/** A day, a month, or `may`, which is no topic as a verb either. */
function isDayOrMay(word: string): boolean {
  return word === "may" || isDateWord(word);
}

function isOfWork(word: string): boolean {
  return word === "work" || word === "works";
}

const ofWorkplaces: ReadonlySet<string> = new Set("at for in as from".split(" "));

/** `I work at Corvid`; but `it works now`, `my work phone` and `for work` tell nothing of an employer. */
function saysWhereOneWorks(words: readonly ClaimWord[], index: number): boolean {
  return ofWorkplaces.has(words[index + 1]?.word ?? "");
}

/** `I started at Halden`; but `I started piano lessons` tells nothing of an employer. */
const atWork: ReadonlySet<string> = new Set("at as with for in on there work working".split(" "));

const ofHomes: ReadonlySet<string> = new Set("to into in out from house home here there too again".split(" "));

const timely: ReadonlySet<string> = new Set("end last this yesterday".split(" "));

/** `I moved to Bergen`, `we moved`; but `the class moved to Thursdays` and `we moved the server` tell nothing of a home. */
function saysWhoMoved(words: readonly ClaimWord[], index: number): boolean {
  const [next, behind = ""] = [words[index + 1]?.word, words[index + 2]?.word];
  if (next === undefined) return true;
  // `I moved in December`, `we've moved, end of March`
  const before = words[index - 1]?.word === "have" ? index - 2 : index - 1;
  if (/^(?:i|we|user)$/.test(words[before]?.word ?? "") && ((next === "in" && isDayOrMay(behind)) || timely.has(next)))
    return true;
  return ofHomes.has(next) && !/^\d/.test(behind) && !amounts.has(behind) && !isDayOrMay(behind);
}

/** Words that speak of one thing. */
const concepts: Readonly<Record<string, string>> = {
  employment: "work works job employer company started joined hired employed",
  home: "live lives living moved home flat house address",
  sleep: "bed bedtime sleep sleeps asleep wake wakes",
  responsible: "owns own owner maintains leads lead responsible manages runs belongs",
  deadline: "deadline due",
  meeting: "meet meets meeting meetings stand-up standup",
  release: "deploy deploys deployment deployments release releases deployed",
  price: "price prices cost costs fee",
  submission: "submit submits submitted submission submissions",
  form: "called call name named addressed",
};
const conceptOf: ReadonlyMap<string, string> = new Map(
  Object.entries(concepts).flatMap(([concept, words]) =>
    words.split(" ").map((word): [string, string] => [word, concept]),
  ),
);

/** The same for words that speak of one thing: `rent` and `price`. */
export function rootOf(word: string): string {
  return conceptOf.get(word) ?? topicOf(word);
}

/** `deploys` and `deployment`, `commit` and `commits` are one, and `Jonas` is the same wherever he stands. */
export function topicOf(word: string): string {
  const stem = meaningOf(word)?.value ?? plainStemOf(word.toLowerCase());
  // `otter-1` is no `otter-2`.
  return /\d/.test(stem) ? stem : stem.slice(0, 6);
}
