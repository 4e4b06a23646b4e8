import { formatScope, unreadExplanationOf, type UnreadWords } from "@loci/domain";
import type { CapturedCandidate, CaptureJob, CaptureOutcome, MemoryReview } from "@loci/loci";
import { forTerminal, oneLine } from "./format-text.ts";
import { printLine } from "./terminal.ts";

const widestText = 90;

/**
 * A capture, and what it made of each statement.
 *
 * @param options.withScope says in which scope its session is. Default false
 */
export function printCapture(job: CaptureJob, { withScope = false }: { readonly withScope?: boolean } = {}): void {
  const { id, session, turns, state, attempts, problem, outcome, undone } = job;
  const tried = attempts > 1 ? `, tried ${attempts} times` : "";
  const scope = withScope ? `${oneLine(formatScope(session.scope), 40)}  ` : "";
  printLine(`${id}  ${scope}${oneLine(session.id, 40)}  turns ${turns.first}–${turns.last}  ${state}${tried}`);
  if (problem !== undefined && state !== "succeeded") printLine(`  ${oneLine(problem, widestText)}`);
  if (outcome?.model !== undefined) printLine(`  ${modelLine(outcome)}`);
  for (const candidate of outcome?.candidates ?? []) printLine(`  ${lineOf(candidate)}`);
  for (const words of outcome?.unread ?? []) printLine(`  ${unreadLine(words)}`);
  const heldBack = outcome?.candidates.filter(isHeldBack).length ?? 0;
  if (heldBack > 0)
    printLine(`  ${heldBack} held back: too many would end at once. Whoever agrees: loci memories forget ID`);
  if (undone !== undefined) {
    const { forgotten, reopened, skipped } = undone;
    printLine(
      `  Undone: ${forgotten.length} forgotten, ${reopened.length} open again, ${skipped.length} changed since.`,
    );
    for (const memory of skipped) printLine(`  left alone: ${memory}`);
  }
}

/** Who found it, and what that took. */
function modelLine({ extractor, model = "", modelProblem, usage }: CaptureOutcome): string {
  const by =
    extractor === "model" ? `by ${oneLine(model, widestText)}` : `by rules, instead of ${oneLine(model, widestText)}`;
  const calls = usage === undefined ? "" : `, ${usage.calls} calls, ${usage.inputTokens + usage.outputTokens} tokens`;
  const cost = usage?.cost === undefined ? "" : `, $${usage.cost}`;
  const problem = modelProblem === undefined ? "" : `: ${oneLine(modelProblem, widestText)}`;
  return `${by}${calls}${cost}${problem}`;
}

/** What was not read, and why. */
function unreadLine({ turn, reason, units }: UnreadWords): string {
  const explanation = unreadExplanationOf(reason);
  const why = explanation === undefined ? "" : `: ${explanation}`;
  return `${`turn ${turn}`.padEnd(9)}${reason.padEnd(14)} ${units} characters not read${why}`;
}

function lineOf(candidate: CapturedCandidate): string {
  const { state, reason, category, text, evidence, memory, target } = candidate;
  const turn = `turn ${evidence[0]?.turn ?? "?"}`.padEnd(9);
  const what = (reason ?? whatBecame(candidate)).padEnd(14);
  const words = text === "" ? hiddenWords(state) : oneLine(text, widestText);
  // What ends nothing yet names what it would end: that is what somebody who agrees needs.
  const about = memory ?? (isHeldBack(candidate) ? target : null);
  return `${turn}${what} ${category.padEnd(11)}${words}${about === null ? "" : `  ${about}`}`;
}

function whatBecame(candidate: CapturedCandidate): string {
  const { state, decision } = candidate;
  if (isHeldBack(candidate)) return `${decision ?? ""} HELD BACK`;
  return state === "quarantined" ? `${decision ?? ""} WAITS` : (decision ?? "");
}

/** An end without a memory in its place has no review: there would be nothing to approve. */
function isHeldBack({ state, decision }: CapturedCandidate): boolean {
  return state === "quarantined" && decision === "DELETE";
}

/** Why the words of a statement are not there. */
function hiddenWords(state: CapturedCandidate["state"]): string {
  return state === "quarantined"
    ? "(for those who may approve: it waits, or was rejected)"
    : "(not there any more: it was erased)";
}

/** Memories that wait for approval, each with all that would be approved. */
export function printReviews(reviews: readonly MemoryReview[]): void {
  for (const { id, memory, reason, replaces } of reviews) {
    const { category, scope, origin, trust, tags, text } = memory;
    const tagged = tags.length === 0 ? "" : `  (${forTerminal(tags.join(", "))})`;
    printLine(
      `${id}  ${reason}  ${forTerminal(category)}${tagged}  ${forTerminal(formatScope(scope))}  ${origin}, ${trust}`,
    );
    for (const line of forTerminal(text).split("\n")) printLine(`  | ${line}`);
    if (replaces !== undefined) printLine(`  takes the place of ${replaces}`);
  }
  if (reviews.length === 0) printLine("Nothing waits for approval.");
}
