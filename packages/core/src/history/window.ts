import type { Conversation } from "./conversation.ts";
import type { MessageUnit } from "./conversation-reading.ts";
import { leastEnds, shownEnds } from "./shortened-message.ts";

/** A unit whose long texts are shortened. */
export interface ShortenedUnit {
  readonly position: number;
  /** How much of them is shown at each end, in UTF-16 units: one of `shownEnds`. */
  readonly ends: number;
  /** What it takes then. */
  readonly tokens: number;
}

/** Units that stay: all from one position on, and those before it that must. */
export interface KeptUnits {
  readonly from: number;
  /** In order. */
  readonly before: readonly number[];
  /** Those whose long texts are shortened, newest first. Default none. */
  readonly shortened?: readonly ShortenedUnit[] | undefined;
}

/** The newest units that fit. */
export interface NewestUnits {
  /** The position of the first that stays with all behind it. */
  readonly from: number;
  /** Those that fit only with their long texts shortened, newest first. */
  readonly shortened: readonly ShortenedUnit[];
  /** True where one was come by that has long texts. */
  readonly hasLong: boolean;
}

/** How much there is for units. */
export interface UnitRoom {
  /** Of all of them, in tokens. */
  readonly maxTokens: number;
  /** Of all of them from the newest that has long texts on, in tokens. Default `maxTokens`. */
  readonly longTokens?: number | undefined;
  /** More than the least of long texts is shown up to here, in tokens. Default `maxTokens`. */
  readonly largerTokens?: number | undefined;
  /** Of that, what those before a unit take at least is kept for them, but no more than so many tokens. Default 0. */
  readonly olderTokens?: number | undefined;
  /** More than the least of long texts is shown up to here at most, in tokens, whatever is kept for others. Default `longTokens`. */
  readonly mostLargerTokens?: number | undefined;
}

type Units = Pick<Conversation, "length" | "mustStay" | "unit" | "leastTokens" | "shortened">;

/**
 * The newest units from a position on that fit together, without a gap, and those that must stay whatever they take. Of a unit that
 * does not fit whole, as much of its long texts is shown as fits besides what is kept for those before it, and at least the least; the
 * first that does not fit then either is not kept.
 */
export function keepNewest(
  conversation: Units,
  first: number,
  {
    maxTokens,
    longTokens = maxTokens,
    largerTokens = maxTokens,
    olderTokens = 0,
    mostLargerTokens = longTokens,
  }: UnitRoom,
): NewestUnits {
  let tokens = 0;
  const shortened: ShortenedUnit[] = [];
  const mustStay = conversation.mustStay.filter((position) => position >= first);
  for (const position of mustStay) tokens += conversation.unit(position).tokens;
  /** What there is for this unit and those behind it, in the largest forms. */
  const freeFor = (end: number): number => {
    let least = conversation.leastTokens(first, end);
    for (const position of mustStay) if (position < end) least -= conversation.unit(position).leastTokens;
    return Math.min(mostLargerTokens, longTokens, largerTokens - Math.min(olderTokens, least));
  };
  let hasLong = false;
  let from = conversation.length;
  while (from > first) {
    const position = from - 1;
    const unit = conversation.unit(position);
    if (mustStay.includes(position)) {
      // They are counted already; where they alone are too much, nothing else is kept.
      if (tokens > maxTokens) break;
    } else {
      const isLong = unit.leastTokens < unit.tokens;
      hasLong ||= isLong;
      const room = hasLong ? longTokens : maxTokens;
      if (tokens + unit.leastTokens > room) break;
      const shown = isLong ? shownWithin(conversation, position, freeFor(position) - tokens) : undefined;
      if (shown !== undefined) shortened.push(shown);
      tokens += shown?.tokens ?? unit.tokens;
    }
    from = position;
  }
  return { from, shortened, hasLong };
}

/** The most that may be shown of a unit within so many tokens, and at least the least; `undefined` for all of it. */
function shownWithin(
  conversation: Pick<Conversation, "unit" | "shortened">,
  position: number,
  maxTokens: number,
): ShortenedUnit | undefined {
  const unit = conversation.unit(position);
  if (unit.tokens <= maxTokens) return undefined;
  for (const ends of shownEnds.toReversed()) {
    if (ends === leastEnds || unit.leastTokens >= maxTokens) break;
    const { tokens } = conversation.shortened(position, ends);
    if (tokens <= maxTokens) return { position, ends, tokens };
  }
  return { position, ends: leastEnds, tokens: unit.leastTokens };
}

/** The units from a position on, and those before it that must stay. */
export function keptFrom(
  { mustStay }: Pick<Conversation, "mustStay">,
  from: number,
  shortened: readonly ShortenedUnit[] = [],
): KeptUnits {
  const before = mustStay.filter((position) => position < from);
  return { from, before, ...(shortened.length === 0 ? {} : { shortened }) };
}

/** Shows more of long texts, newest first, as far as so many more tokens go. */
export function lengthen(
  conversation: Pick<Conversation, "unit" | "shortened">,
  { shortened = [], ...kept }: KeptUnits,
  moreTokens: number,
): KeptUnits {
  let left = moreTokens;
  const still = shortened.flatMap((unit) => {
    if (left <= 0) return [unit];
    const shown = shownWithin(conversation, unit.position, unit.tokens + left);
    if (shown !== undefined && shown.tokens <= unit.tokens) return [unit];
    left -= (shown?.tokens ?? conversation.unit(unit.position).tokens) - unit.tokens;
    return shown === undefined ? [] : [shown];
  });
  return still.length === 0 ? kept : { ...kept, shortened: still };
}

/** The units themselves as they are shown, oldest first. */
export function unitsOf(
  conversation: Pick<Conversation, "length" | "unit" | "shortened">,
  { from, before, shortened = [] }: KeptUnits,
): readonly MessageUnit[] {
  const units = before.map((position) => conversation.unit(position));
  const endsAt = new Map(shortened.map(({ position, ends }) => [position, ends]));
  for (let position = from; position < conversation.length; position++) {
    const ends = endsAt.get(position);
    units.push(ends === undefined ? conversation.unit(position) : conversation.shortened(position, ends));
  }
  return units;
}

/** What they take together. */
export function keptTokens(
  conversation: Pick<Conversation, "length" | "unit" | "tokens">,
  { from, before, shortened = [] }: KeptUnits,
): number {
  let tokens = conversation.tokens(from, conversation.length);
  for (const position of before) tokens += conversation.unit(position).tokens;
  for (const unit of shortened) tokens -= conversation.unit(unit.position).tokens - unit.tokens;
  return tokens;
}
