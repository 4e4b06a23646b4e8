import type { CapturedTurn, UnreadReason, UnreadWords } from "@loci/domain";
import type { Steps } from "../../recall/steps.ts";
import { withoutBrief } from "./harness-briefs.ts";
import { isInAnotherLanguage } from "./other-languages.ts";
import { sentencesOf } from "./sentences.ts";
import { withoutToolReports } from "./tool-reports.ts";
import { withoutTextsToWorkOn } from "./texts-to-work-on.ts";
import { withoutPastedLines } from "./without-pasted-lines.ts";

/** What of a turn with the role of the user a person may have written, and how much else there is. */
export interface ReadTurn {
  /** As long as the turn, with spaces for the rest. */
  readonly words: string;
  readonly unread: readonly UnreadWords[];
}

/**
 * What of a turn with the role of the user a person may have written, with spaces for the rest: pasted lines, texts to work on, what programs report to
 * agents, and what they tell agents to be. As long as the turn.
 */
export function wordsOfPeople(turns: readonly CapturedTurn[]): (turn: CapturedTurn) => string {
  const readings = turnReadings(turns);
  return (turn) => readings(turn).words;
}

/** What of the user's turns is not read, turn by turn. */
export function* unreadSteps(turns: readonly CapturedTurn[], readings: TurnReadings): Steps<readonly UnreadWords[]> {
  const found: UnreadWords[] = [];
  for (const turn of turns) {
    if (turn.role !== "user") continue;
    if (turn.isRecalled === true) found.push({ turn: turn.turn, reason: "RECALLED", units: unitsOf(turn.content) });
    else {
      const { words, unread } = readings(turn);
      const others = sentencesOf(words).filter(({ text }) => isInAnotherLanguage(text));
      found.push(...unread);
      if (others.length > 0)
        found.push({
          turn: turn.turn,
          reason: "OTHER_LANGUAGE",
          units: unitsOf(others.map(({ text }) => text).join("")),
        });
    }
    yield;
  }
  return found;
}

/** Reads each turn once, whoever asks for it. */
export type TurnReadings = (turn: CapturedTurn) => ReadTurn;

export function turnReadings(turns: readonly CapturedTurn[]): TurnReadings {
  const withoutReports = withoutToolReports(turns);
  const known = new Map<CapturedTurn, ReadTurn>();
  const read = (turn: CapturedTurn): ReadTurn => {
    const own = withoutPastedLines(turn.content);
    const written = withoutTextsToWorkOn(turn.content, own);
    const besideBrief = withoutBrief(written);
    // What a program begins a session with may end as its reports do.
    const words = besideBrief === written ? withoutReports(turn, written) : besideBrief;
    const left = (reason: UnreadReason, before: string, after: string): readonly UnreadWords[] => {
      const units = before === after ? 0 : unitsOf(before) - unitsOf(after);
      return units === 0 ? [] : [{ turn: turn.turn, reason, units }];
    };
    const unread = [
      ...left("PASTED", turn.content, own),
      ...left("TEXT_TO_WORK_ON", own, written),
      ...left("PROGRAM", written, words),
    ];
    return { words, unread };
  };
  return (turn) => {
    const reading = known.get(turn) ?? read(turn);
    known.set(turn, reading);
    return reading;
  };
}

/** White space says nothing. */
function unitsOf(text: string): number {
  return text.replace(/\s/gu, "").length;
}
