import type { CapturedTurn } from "@loci/domain";
import { withoutPastedLines } from "./without-pasted-lines.ts";

/** Whether a turn has words of the user or the assistant, and is not only a call of a tool or what it returned. */
export function isSpoken({ role, content }: CapturedTurn): boolean {
  return (role === "user" || role === "assistant") && content.trim() !== "";
}

/** What was said around a turn of the user. */
export interface Exchange {
  /** The last words of the assistant before it. `undefined`: it begins, or follows another turn of the user. */
  readonly before: CapturedTurn | undefined;
  /** The turn of the user that these answered. */
  readonly asking: CapturedTurn | undefined;
  /** What the assistant said to it, before its work and when that was done. */
  readonly replies: readonly string[];
  /** The assistant replied with code and no words. */
  readonly isCode: boolean;
  /** The assistant called tools for it: what it replies tells of its work. */
  readonly isWorkedOn: boolean;
}

/** A turn of the user in which only a program speaks. */
export const silence: Exchange = {
  before: undefined,
  asking: undefined,
  replies: [],
  isCode: false,
  isWorkedOn: false,
};

/**
 * What was said around each turn of the user, whatever calls of tools and results of them stand in between: an agent replies when its
 * work is done. Linear in the turns.
 *
 * @param writtenBy what of a turn with the role of the user a person has written: one without any is a report of a tool
 */
export function exchangesOf(
  turns: readonly CapturedTurn[],
  writtenBy: (turn: CapturedTurn) => string,
): ReadonlyMap<CapturedTurn, Exchange> {
  const exchanges = new Map<CapturedTurn, Exchange>();
  let asking: CapturedTurn | undefined;
  let replies: CapturedTurn[] = [];
  let hasCode = false;
  let isWorkedOn = false;
  const end = (): void => {
    if (asking === undefined) return;
    const known = exchanges.get(asking) ?? silence;
    const isCode = hasCode && replies.length === 0;
    exchanges.set(asking, { ...known, replies: replies.map(({ content }) => content), isCode, isWorkedOn });
  };
  for (const turn of turns) {
    const isReport = turn.role === "user" && isSpoken(turn) && writtenBy(turn).trim() === "";
    isWorkedOn ||= isReport || turn.role === "tool" || (turn.role === "assistant" && (turn.tools?.length ?? 0) > 0);
    if (isReport || !isSpoken(turn)) continue;
    if (turn.role === "assistant") {
      // A call may stand in its words.
      if (withoutPastedLines(turn.content).trim() === "") hasCode = true;
      else replies.push(turn);
      continue;
    }
    end();
    const before = replies.at(-1);
    exchanges.set(turn, { ...silence, before, asking: before && asking });
    asking = turn;
    replies = [];
    hasCode = false;
    isWorkedOn = false;
  }
  end();
  return exchanges;
}
