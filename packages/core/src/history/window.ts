import type { Conversation } from "./conversation.ts";
import type { MessageUnit, RenderedMessage } from "./conversation-reading.ts";
import { messageTokens } from "./read-message.ts";

/** Units that stay: all from one position on, and those before it that must. */
export interface KeptUnits {
  readonly from: number;
  /** In order. */
  readonly before: readonly number[];
  /** Positions of those whose long results are shortened, newest first. Default none. */
  readonly shortened?: readonly number[] | undefined;
}

/** The newest units that fit. */
export interface NewestUnits {
  /** The position of the first that stays with all behind it. */
  readonly from: number;
  /** Positions of those that fit only with their results shortened, newest first. */
  readonly shortened: readonly number[];
}

/** How much there is for units. */
export interface UnitRoom {
  /** Of all of them, in tokens. */
  readonly maxTokens: number;
  /** Long results stay whole up to here, so that one does not take all the room of what was before it. Default `maxTokens`. */
  readonly wholeTokens?: number | undefined;
}

/**
 * The newest units from a position on that fit together, without a gap, and those that must stay whatever they take. Where
 * a unit does not fit whole, its long results are shortened; the first that does not fit then either is not kept.
 */
export function keepNewest(
  conversation: Pick<Conversation, "length" | "mustStay" | "unit">,
  first: number,
  { maxTokens, wholeTokens = maxTokens }: UnitRoom,
): NewestUnits {
  let tokens = 0;
  const shortened: number[] = [];
  const mustStay = conversation.mustStay.filter((position) => position >= first);
  for (const position of mustStay) tokens += conversation.unit(position).tokens;
  let from = conversation.length;
  while (from > first) {
    const position = from - 1;
    const unit = conversation.unit(position);
    const isLong = unit.leastTokens < unit.tokens;
    if (mustStay.includes(position)) {
      // They are counted already; where they alone are too much, nothing else is kept.
      if (tokens > maxTokens) break;
    } else if (tokens + unit.tokens <= (isLong ? Math.min(wholeTokens, maxTokens) : maxTokens)) tokens += unit.tokens;
    else if (isLong && tokens + unit.leastTokens <= maxTokens) {
      tokens += unit.leastTokens;
      shortened.push(position);
    } else break;
    from = position;
  }
  return { from, shortened };
}

/** The units from a position on, and those before it that must stay. */
export function keptFrom(
  { mustStay }: Pick<Conversation, "mustStay">,
  from: number,
  shortened: readonly number[] = [],
): KeptUnits {
  const before = mustStay.filter((position) => position < from);
  return { from, before, ...(shortened.length === 0 ? {} : { shortened }) };
}

/** Makes results whole again, newest first, as far as so many more tokens go. */
export function unshorten(
  conversation: Pick<Conversation, "unit">,
  { shortened = [], ...kept }: KeptUnits,
  moreTokens: number,
): KeptUnits {
  let left = moreTokens;
  const still = shortened.filter((position) => {
    const { tokens, leastTokens } = conversation.unit(position);
    if (tokens - leastTokens > left) return true;
    left -= tokens - leastTokens;
    return false;
  });
  return still.length === 0 ? kept : { ...kept, shortened: still };
}

/** The units themselves as they are shown, oldest first. */
export function unitsOf(
  conversation: Pick<Conversation, "length" | "unit">,
  { from, before, shortened = [] }: KeptUnits,
): readonly MessageUnit[] {
  const units = before.map((position) => conversation.unit(position));
  const isShortened = new Set(shortened);
  for (let position = from; position < conversation.length; position++) {
    const unit = conversation.unit(position);
    units.push(isShortened.has(position) ? shortenedUnit(unit) : unit);
  }
  return units;
}

function shortenedUnit(unit: MessageUnit): MessageUnit {
  return { ...unit, tokens: unit.leastTokens, messages: unit.messages.map((message) => shortenedMessage(message)) };
}

function shortenedMessage(whole: RenderedMessage): RenderedMessage {
  const { shortened } = whole.read;
  return shortened === undefined ? whole : { ...whole, ...shortened, wholeTokens: messageTokens(whole.read) };
}

/** What they take together. */
export function keptTokens(
  conversation: Pick<Conversation, "length" | "unit" | "tokens">,
  { from, before, shortened = [] }: KeptUnits,
): number {
  let tokens = conversation.tokens(from, conversation.length);
  for (const position of before) tokens += conversation.unit(position).tokens;
  for (const position of shortened) {
    const unit = conversation.unit(position);
    tokens -= unit.tokens - unit.leastTokens;
  }
  return tokens;
}
