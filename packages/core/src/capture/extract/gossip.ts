import type { CaptureReason } from "@loci/domain";
import { isPastTense } from "../../text/past-tense.ts";
import { wordGroups } from "./word-groups.ts";
import { leadingWords } from "./word-kinds.ts";
import type { Word } from "./words.ts";

/** Whom one works or lives with. */
const companions: ReadonlySet<string> = new Set(
  `colleague colleagues coworker coworkers co-worker co-workers teammate teammates roommate roommates flatmate flatmates housemate
   housemates`.split(/\s+/u),
);
/** Whom one knows, and is no relative of. */
const acquaintances: ReadonlySet<string> = new Set(
  `neighbour neighbours neighbor neighbors friend friends mate mates buddy pal classmate classmates acquaintance`.split(
    /\s+/u,
  ),
);
/** Of these what lasts is worth knowing, and not what they did once. */
const relatives: ReadonlySet<string> = new Set(
  "brother sister brothers sisters cousin cousins uncle aunt nephew niece".split(" "),
);
const possessing: ReadonlySet<string> = new Set("my our a an another some one two".split(" "));
/** What leads to whoever is spoken of. */
const opening: ReadonlySet<string> = new Set([...leadingWords, ..."hmm hm lol haha one of".split(" ")]);
/** `My old school friend`: in words, what stands before whom it names. */
const longestOwner = 3;
/** `My neighbour Joyce on the second floor, a dentist, `: in words, what stands between somebody and what they do. */
const longestDescription = 9;

/** The speaker is one of them, or concerned. */
const own: ReadonlySet<string> = new Set("i i'm i've i'd i'll we we're we've we'll my our us mine ours".split(" "));
const auxiliaries: ReadonlySet<string> = new Set("has have had is are was were 's".split(" "));
/** Who leaves, joins or takes over is news for those who work or live with them. */
const ofCompany: ReadonlySet<string> = new Set([
  ...(wordGroups["ending"] ?? []),
  ..."joined moved started leaving joining moving starting promoted".split(" "),
]);
/** What others do with their money is theirs. */
const ofMoney: ReadonlySet<string> = new Set("earns earn pays pay spends spend makes bets saves".split(" "));

/**
 * Whether a sentence only tells what somebody else did or does, and nothing of the speaker: `my roommate got 8.5 without any study`, `my
 * brother has switched to gravel, not me`. What they are, have, like or cannot do may matter to the speaker.
 *
 * @param words of the whole sentence
 */
export function isGossip(words: readonly Word[]): boolean {
  const at = somebodyAt(words);
  if (at < 0) return false;
  const behind = words.slice(at + 1).map(({ text }) => text);
  if (behind.some((text, index) => own.has(text) || (text === "me" && !isToldOrMade(behind, index)))) return false;
  const isContrasted = behind.some((text, index) => text === "not" && behind[index + 1] === "me");
  const verb = behind.slice(0, longestDescription).findIndex(isVerb);
  if (verb < 0) return isContrasted;
  const doing = doingAt(behind, verb);
  if (doing === undefined) return isContrasted;
  if (relatives.has(words[at]?.text ?? ""))
    return isContrasted || (wordGroups["happened"]?.has(doing) === true && !behind.some(lasts));
  const isNews =
    ofCompany.has(doing) || behind.some((text, index) => text === "over" && /^t[ao]/u.test(behind[index - 1] ?? ""));
  return isContrasted || !(isNews && companions.has(words[at]?.text ?? ""));
}

/**
 * Whether a sentence goes on with what somebody else did, and with what nothing is kept of: `my friend went over to economics and says it's
 * easier, maybe I should also`.
 */
export function onlyGossips(
  clauses: readonly { readonly words: readonly Word[]; readonly refusal: CaptureReason | undefined }[],
): boolean {
  const [first, ...others] = clauses;
  return (
    first !== undefined &&
    isGossip(first.words) &&
    others.every(({ words, refusal }) => refusal !== undefined || !concernsSpeaker(words))
  );
}

/** `Keeps telling me I'm crazy` does not. */
function concernsSpeaker(words: readonly Word[]): boolean {
  return words.some(({ text }) => own.has(text) || text === "me") && !words.some(({ text }) => text === "telling");
}

/** `Got married` */
function lasts(text: string): boolean {
  return wordGroups["lasting"]?.has(text) === true || wordGroups["trait"]?.has(text) === true;
}

/** Where whoever the sentence begins with is named. */
function somebodyAt(words: readonly Word[]): number {
  const start = words.findIndex(({ text }) => !opening.has(text));
  if (start < 0 || !possessing.has(words[start]?.text ?? "")) return -1;
  const named = words
    .slice(start + 1, start + 1 + longestOwner)
    .findIndex(({ text }) => companions.has(text) || acquaintances.has(text) || relatives.has(text));
  return named < 0 ? -1 : start + 1 + named;
}

function isVerb(text: string): boolean {
  return auxiliaries.has(text) || isPastTense(text) || ofMoney.has(text) || wordGroups["happened"]?.has(text) === true;
}

/** What they did, are doing or earn. `undefined`: what they are or have. */
function doingAt(behind: readonly string[], verb: number): string | undefined {
  const text = behind[verb] ?? "";
  // `My sister used to come on Tuesdays`
  if (text === "used" && behind[verb + 1] === "to") return undefined;
  if (!auxiliaries.has(text)) return text;
  const next = behind.slice(verb + 1).find((each) => !leadingWords.has(each)) ?? "";
  const isDone = /^(?:has|have|had)$/u.test(text) && (isPastTense(next) || next === "put" || next === "been");
  return isDone || next.endsWith("ing") ? next : undefined;
}

/** `Makes me mad`, `keeps telling me` */
function isToldOrMade(behind: readonly string[], index: number): boolean {
  return /^(?:makes?|made|drives?|telling|tells?|told|asks?|asking|not|unlike)$/u.test(behind[index - 1] ?? "");
}
