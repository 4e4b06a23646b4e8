import { type ConversationSummary, summaryListLimits } from "./conversation-summary.ts";
import type { MessageDecision, MessageFacts } from "./message-facts.ts";

/** How many decisions and questions an extractive summary holds. */
const mostPoints = 5;

/**
 * The beginning of a conversation, boiled down. Its size does not depend on how much that was, and the digest of one
 * message more is made from the digest before it, so nothing is read twice.
 */
export interface SummaryDigest {
  readonly firstRequest: string;
  readonly latestRequest: string;
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
  decisions: [],
  progress: "",
  unanswered: undefined,
  openPoints: [],
  tools: [],
  files: [],
};

/** The digest of one message more. */
export function addToDigest(digest: SummaryDigest, facts: MessageFacts): SummaryDigest {
  const { request, role, speaks } = facts;
  return {
    firstRequest: digest.firstRequest === "" ? request : digest.firstRequest,
    latestRequest: request === "" ? digest.latestRequest : request,
    decisions: addDecisions(digest.decisions, facts.decisions),
    // What was done for an earlier request does not say where the latest one stands.
    progress: facts.progress === "" && request === "" ? digest.progress : facts.progress,
    unanswered: unansweredAfter(digest.unanswered, facts.questions, role, speaks),
    openPoints: addLatest(digest.openPoints, facts.openPoints, mostPoints),
    tools: addLatest(digest.tools, facts.tools, summaryListLimits.toolsUsed),
    files: addLatest(digest.files, facts.files, summaryListLimits.filesModified),
  };
}

export function summaryOfDigest(digest: SummaryDigest): ConversationSummary {
  const { firstRequest, latestRequest, progress, unanswered, openPoints } = digest;
  const request = latestRequest === firstRequest ? "" : `Latest request: ${latestRequest}`;
  return {
    overview: firstRequest === "" ? "" : `It began with: ${firstRequest}`,
    keyDecisions: digest.decisions.map(({ text }) => text),
    currentTaskState: [request, progress].filter((line) => line !== "").join(" "),
    // The latest request is told already.
    remainingQuestions: [...openPoints, ...(unanswered?.questions ?? [])]
      .filter((question) => question !== latestRequest)
      .slice(-mostPoints),
    toolsUsed: digest.tools,
    filesModified: digest.files,
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

/** The oldest go, but those that only may be decisions before those that are. */
function addDecisions(
  known: readonly MessageDecision[],
  added: readonly MessageDecision[],
): readonly MessageDecision[] {
  if (added.length === 0) return known;
  const texts = new Set(added.map(({ text }) => text));
  const decisions = known.filter(({ text }) => !texts.has(text));
  for (const decision of added) if (texts.delete(decision.text)) decisions.push(decision);
  while (decisions.length > mostPoints) {
    const likely = decisions.findIndex(({ isPlain }) => !isPlain);
    decisions.splice(likely < 0 ? 0 : likely, 1);
  }
  return decisions;
}
