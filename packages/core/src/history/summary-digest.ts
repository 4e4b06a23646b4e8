import { type ConversationSummary, summaryListLimits } from "./conversation-summary.ts";
import type { MessageFacts } from "./facts/facts-of.ts";
import type { MessageDecision } from "./facts/points-of-a-talk.ts";
import { joinSentences, shortPoint } from "./facts/shortened-points.ts";
import { sharedWords, tellingWords } from "./facts/telling-words.ts";

/** How many questions an extractive summary holds. */
const mostPoints = 5;
/** How many decisions are known of a conversation: more of what was settled is shown where there is room. */
const mostDecisions = 8;
/** A request that says so little more than a decision is told with it, in UTF-16 units. */
const littleMore = 40;

/**
 * The beginning of a conversation, boiled down. Its size does not depend on how much that was, and the digest of one
 * message more is made from the digest before it, so nothing is read twice.
 */
export interface SummaryDigest {
  readonly firstRequest: string;
  readonly latestRequest: string;
  /** What the assistant offered last and nobody has answered. */
  readonly offer: string;
  readonly decisions: readonly MessageDecision[];
  readonly progress: string;
  /** Asked by one side; the other has not spoken since. */
  readonly unanswered: { readonly by: MessageFacts["role"]; readonly questions: readonly string[] } | undefined;
  readonly openPoints: readonly string[];
  readonly tools: readonly string[];
  readonly files: readonly string[];
}

export const emptyDigest: SummaryDigest = {
  firstRequest: "",
  latestRequest: "",
  offer: "",
  decisions: [],
  progress: "",
  unanswered: undefined,
  openPoints: [],
  tools: [],
  files: [],
};

/** The digest of one message more. */
export function addToDigest(digest: SummaryDigest, facts: MessageFacts): SummaryDigest {
  const { opening, role, speaks } = facts;
  const accepted = acceptedOffer(digest, facts);
  // `Yes, please` asks for what was offered; `great` for nothing.
  const request = facts.isAnswer && digest.firstRequest !== "" ? (accepted?.text ?? "") : facts.request;
  const decisions = accepted === undefined ? facts.decisions : [accepted, ...facts.decisions];
  return {
    firstRequest: digest.firstRequest === "" ? opening : digest.firstRequest,
    latestRequest: request === "" ? digest.latestRequest : request,
    offer: speaks && (role === "user" || role === "assistant") ? facts.offer : digest.offer,
    decisions: addDecisions(digest.decisions, decisions),
    // What was done for an earlier request does not say where the latest one stands.
    progress: facts.progress === "" && request === "" ? digest.progress : facts.progress,
    unanswered: unansweredAfter(digest.unanswered, facts.questions, role, speaks),
    openPoints: addLatest(stillOpen(digest.openPoints, facts.settled), withQuestion(digest, facts), mostPoints),
    tools: addLatest(digest.tools, facts.tools, summaryListLimits.toolsUsed),
    files: addLatest(digest.files, facts.files, summaryListLimits.filesModified),
  };
}

/** What was offered and is taken up, in the words of both. */
function acceptedOffer({ offer }: SummaryDigest, { acceptance }: MessageFacts): MessageDecision | undefined {
  return offer === "" || acceptance === ""
    ? undefined
    : { text: `${offer} – ${acceptance}`, isPlain: true, isOfUser: true };
}

/** An open point that says too little is told with what was asked: `Who pays the ferry? – That is still open.` */
function withQuestion({ unanswered }: SummaryDigest, { role, openPoints }: MessageFacts): readonly string[] {
  const question = unanswered?.by === role ? undefined : unanswered?.questions.at(-1);
  if (question === undefined) return openPoints;
  return openPoints.map((entry) => (entry.length < shortPoint ? `${question} – ${entry}` : entry));
}

function stillOpen(points: readonly string[], settled: readonly string[]): readonly string[] {
  if (settled.length === 0 || points.length === 0) return points;
  return points.filter((entry) => sharedWords(settled, tellingWords(entry)).length === 0);
}

/** @param most decisions it may hold */
export function summaryOfDigest(digest: SummaryDigest, most: number = mostDecisions): ConversationSummary {
  const { firstRequest, latestRequest, unanswered, openPoints } = digest;
  // `You still need to borrow six chairs` is told once.
  const progress = openPoints.includes(digest.progress) ? "" : digest.progress;
  const decisions = fewerDecisions(digest.decisions, most);
  const isTold =
    firstRequest.startsWith(latestRequest) ||
    decisions.some(({ text }) => latestRequest.includes(text) && latestRequest.length - text.length < littleMore);
  const request = isTold ? "" : `Latest request: ${latestRequest}`;
  return {
    overview: firstRequest === "" ? "" : `It began with: ${firstRequest}`,
    keyDecisions: decisions.map(({ text, before }) => (before === undefined ? text : `${text} (Before: ${before})`)),
    currentTaskState: request === "" || progress === "" ? request + progress : joinSentences(request, progress),
    // The latest request is told already.
    remainingQuestions: [...openPoints, ...(unanswered?.questions ?? [])]
      .filter((question) => !latestRequest.includes(question))
      .slice(-mostPoints),
    toolsUsed: digest.tools,
    // A name that is known with its folder is told with it.
    filesModified: digest.files.filter((file) => !digest.files.some((other) => other.endsWith(`/${file}`))),
  };
}

function unansweredAfter(
  before: SummaryDigest["unanswered"],
  questions: readonly string[],
  role: MessageFacts["role"],
  speaks: boolean,
): SummaryDigest["unanswered"] {
  if (!speaks || (role !== "user" && role !== "assistant")) return before;
  if (before?.by !== role) return questions.length === 0 ? undefined : { by: role, questions };
  return questions.length === 0 ? before : { by: role, questions: addLatest(before.questions, questions, mostPoints) };
}

/** Said again, an entry moves to the end. The oldest go. */
function addLatest(known: readonly string[], added: readonly string[], limit: number): readonly string[] {
  if (added.length === 0) return known;
  return [...new Set([...known.filter((entry) => !added.includes(entry)), ...added])].slice(-limit);
}

function addDecisions(
  known: readonly MessageDecision[],
  added: readonly MessageDecision[],
): readonly MessageDecision[] {
  if (added.length === 0) return known;
  const texts = new Set(added.map(({ text }) => text));
  const decisions = known.filter(({ text }) => !texts.has(text));
  for (const { takesBack, ...decision } of added) {
    if (!texts.delete(decision.text) || (!decision.isPlain && isSaid(decisions, decision))) continue;
    const before = takesBack === undefined ? undefined : takeOut(decisions, takesBack);
    decisions.push(before === undefined ? decision : { ...decision, isPlain: true, before });
  }
  return fewerDecisions(decisions, mostDecisions);
}

/** The oldest go, but those that only may be decisions before those that are, and of these what users say last. */
function fewerDecisions(decisions: readonly MessageDecision[], most: number): readonly MessageDecision[] {
  const fewer = [...decisions];
  while (fewer.length > most) {
    const likely = fewer.findIndex(({ isPlain }) => !isPlain);
    const first = likely >= 0 ? likely : fewer.findIndex(({ isOfUser }) => !isOfUser);
    fewer.splice(Math.max(0, first), 1);
  }
  return fewer;
}

/** Whether a decision says no more than an earlier one, as `Okay, I'll use Redis` behind `let's use Redis`. */
function isSaid(decisions: readonly MessageDecision[], { text }: MessageDecision): boolean {
  const words = tellingWords(text);
  if (words.length === 0) return false;
  return decisions.some((known) => {
    const others = tellingWords(known.text);
    return words.every((word) => others.includes(word));
  });
}

/** Takes the decision out that has most in common with these words, and those that say the same. @returns its text */
function takeOut(decisions: MessageDecision[], words: readonly string[]): string | undefined {
  let most: readonly string[] = [];
  let before: string | undefined;
  const shared = decisions.map(({ text }) => sharedWords(words, tellingWords(text)));
  for (const [place, common] of shared.entries())
    if (common.length > 0 && common.length >= most.length) [most, before] = [common, decisions[place]?.text];
  if (before === undefined) return undefined;
  for (let place = decisions.length - 1; place >= 0; place--)
    if (most.every((word) => shared[place]?.includes(word))) decisions.splice(place, 1);
  return before;
}
