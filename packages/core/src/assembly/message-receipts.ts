import { type ItemReason, type ItemReceipt, messageItemId } from "@loci/domain";
import type { Conversation } from "../history/conversation.ts";
import type { RenderedMessage } from "../history/conversation-reading.ts";
import { messageTokens } from "../history/read-message.ts";
import type { FittedTurns } from "./section-draft.ts";

export interface HistoryReceiptParts {
  readonly section: string;
  /** Absent when the section was left out. */
  readonly turns: FittedTurns | undefined;
}

/** Messages that follow one another and ended the same. */
interface MessageRun {
  readonly first: number;
  readonly last: number;
  readonly wholeTokens: number;
  /** Of a message that is shown, where it is not all of it. */
  readonly shownTokens?: number | undefined;
  /** Absent for a message that is shown. */
  readonly reason?: ItemReason | undefined;
}

/**
 * What became of every message, in their order. A message that is kept or shortened has an item of its own; those that are not share
 * one with their neighbours of the same fate, so that a receipt is no longer for a longer conversation.
 *
 * @param history the section of the conversation; absent when the layout has none
 */
export function messageReceipts(
  conversation: Conversation,
  history: HistoryReceiptParts | undefined,
): readonly ItemReceipt[] {
  const section = history?.section ?? "history";
  const kept = history?.turns?.kept ?? { from: conversation.length, before: [] };
  const older = history?.turns?.summary === undefined ? "OLDER_THAN_WINDOW" : "SUMMARIZED";
  const left = history === undefined ? "NO_SECTION_LEFT" : older;
  const runs: MessageRun[] = [...runsThatSayNothing(conversation)];
  if (conversation.repeatsQuery !== undefined) runs.push(runOf(conversation.repeatsQuery, "REPEATS_QUERY"));
  const breaks = runs.map(({ first }) => first);
  let from = 0;
  for (const position of [...kept.before, kept.from]) {
    runs.push(...droppedRuns(conversation, from, position, breaks, left));
    from = position + 1;
  }
  for (const message of history?.turns?.messages ?? [])
    // The summary stands among them.
    if (message.index >= 0) runs.push(runOf(message));
  return runs.toSorted((one, other) => one.first - other.first).map((run) => itemOf(run, section));
}

function itemOf({ first, last, wholeTokens, shownTokens, reason }: MessageRun, section: string): ItemReceipt {
  const id = messageItemId(first, last);
  if (shownTokens !== undefined)
    return {
      id,
      kind: "message",
      section,
      outcome: "shortened",
      tokens: shownTokens,
      wholeTokens,
      reason: "SECTION_FULL",
    };
  // Most are kept, and made without further fields to copy.
  if (reason === undefined) return { id, kind: "message", section, outcome: "kept", tokens: wholeTokens, wholeTokens };
  const count = first === last ? {} : { count: last - first + 1 };
  return { id, kind: "message", section, outcome: "dropped", ...count, tokens: 0, wholeTokens, reason };
}

function runOf({ index, read, wholeTokens }: RenderedMessage, reason?: ItemReason): MessageRun {
  const tokens = messageTokens(read);
  const run = { first: index, last: index, wholeTokens: wholeTokens ?? tokens, reason };
  return wholeTokens === undefined ? run : { ...run, shownTokens: tokens };
}

function runsThatSayNothing({ empty }: Conversation): readonly MessageRun[] {
  const runs: MessageRun[] = [];
  for (const message of empty) {
    const before = runs.at(-1);
    if (before?.last === message.index - 1) runs[runs.length - 1] = { ...before, last: message.index };
    else runs.push(runOf(message, "EMPTY"));
  }
  return runs;
}

/** The units from one position up to another, none of which is kept, in runs that other messages stand between. */
function droppedRuns(
  conversation: Conversation,
  from: number,
  end: number,
  breaks: readonly number[],
  reason: ItemReason,
): readonly MessageRun[] {
  const ends = breaks.map((message) => conversation.unitFrom(message)).filter((unit) => from < unit && unit < end);
  const runs: MessageRun[] = [];
  let start = from;
  for (const stop of [...new Set(ends), end].toSorted((left, right) => left - right)) {
    const first = start < stop ? conversation.unit(start).messages[0] : undefined;
    const last = start < stop ? conversation.unit(stop - 1).messages.at(-1) : undefined;
    if (first !== undefined && last !== undefined)
      runs.push({ first: first.index, last: last.index, wholeTokens: conversation.tokens(start, stop), reason });
    start = stop;
  }
  return runs;
}
