import type { CapturedTurn } from "@loci/domain";
import { withoutBrief } from "./harness-briefs.ts";
import { withoutToolReports } from "./tool-reports.ts";
import { withoutTextsToWorkOn } from "./texts-to-work-on.ts";
import { withoutPastedLines } from "./without-pasted-lines.ts";

/**
 * What of a turn with the role of the user a person may have written, with spaces for the rest: pasted lines, texts to work on, what programs report to
 * agents, and what they tell agents to be. As long as the turn.
 */
export function wordsOfPeople(turns: readonly CapturedTurn[]): (turn: CapturedTurn) => string {
  const withoutReports = withoutToolReports(turns);
  const heard = new Map<CapturedTurn, string>();
  const wordsIn = (turn: CapturedTurn): string => {
    const written = withoutTextsToWorkOn(turn.content, withoutPastedLines(turn.content));
    const besideBrief = withoutBrief(written);
    // What a program begins a session with may end as its reports do.
    return besideBrief === written ? withoutReports(turn, written) : besideBrief;
  };
  return (turn) => {
    const known = heard.get(turn);
    if (known !== undefined) return known;
    const words = wordsIn(turn);
    heard.set(turn, words);
    return words;
  };
}
