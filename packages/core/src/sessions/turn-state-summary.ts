import { maxTurnStateSummaryTokens, type TurnState } from "@loci/domain";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { lastOf } from "./last-of.ts";
import { textOnOneLine } from "./text-on-one-line.ts";

const shownDecisions = 3;
const shownFiles = 5;

/**
 * What a model is told of a turn state: session, turn, status, what a blocked task waits for, task, subtask, the last 3 decisions and the last 5 files
 * written, each on one line. What is empty is left out, as is turn 0, before the first one, and so are lines from the end on
 * while there are more than 500 tokens.
 */
export function turnStateSummary(state: TurnState, counter: TokenCounter): string {
  const decisions = present(state.decisions.map(({ decision }) => decision));
  const lines = present([
    line("Session", state.sessionId),
    line("Turn", state.turnNumber === 0 ? "" : String(state.turnNumber)),
    line("Status", state.progress ?? ""),
    line("Blocked by", reasonOfBlock(state)),
    line("Task", state.taskDescription ?? ""),
    line("Current subtask", state.currentSubtask ?? ""),
    ...lastOf(decisions, shownDecisions).map((decision) => line("Decision", decision)),
    line("Files modified", lastOf(present(state.filesWritten), shownFiles).join(", ")),
  ]);
  for (let count = lines.length; count > 0; count--) {
    const text = lines.slice(0, count).join("\n");
    if (counter.count(text) <= maxTurnStateSummaryTokens) return text;
  }
  return "";
}

/** Why a blocked task cannot go on, as it was said last. */
function reasonOfBlock({ progress, actions }: TurnState): string {
  if (progress !== "blocked") return "";
  return textOnOneLine(actions.findLast(({ type }) => type === "block")?.result ?? "");
}

/** The texts on one line each, without those that are empty. */
function present(texts: readonly string[]): readonly string[] {
  return texts.map(textOnOneLine).filter((text) => text !== "");
}

function line(label: string, value: string): string {
  return value === "" ? "" : `${label}: ${value}`;
}
