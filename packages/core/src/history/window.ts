import type { Conversation } from "./conversation.ts";
import type { MessageUnit } from "./conversation-reading.ts";

/** Units that stay: all from one position on, and those before it that must. */
export interface KeptUnits {
  readonly from: number;
  /** In order. */
  readonly before: readonly number[];
}

/**
 * The newest units from a position on that fit together, without a gap, and those that must stay whatever they take.
 *
 * @returns the position of the first that stays with all behind it
 */
export function keepNewest(
  conversation: Pick<Conversation, "length" | "mustStay" | "unit">,
  first: number,
  maxTokens: number,
): number {
  let tokens = 0;
  const mustStay = conversation.mustStay.filter((position) => position >= first);
  for (const position of mustStay) tokens += conversation.unit(position).tokens;
  let oldest = conversation.length;
  while (oldest > first) {
    const position = oldest - 1;
    const added = mustStay.includes(position) ? 0 : conversation.unit(position).tokens;
    if (tokens + added > maxTokens) break;
    tokens += added;
    oldest = position;
  }
  return oldest;
}

/** The units from a position on, and those before it that must stay. */
export function keptFrom({ mustStay }: Pick<Conversation, "mustStay">, from: number): KeptUnits {
  return { from, before: mustStay.filter((position) => position < from) };
}

/** The units themselves, oldest first. */
export function unitsOf(
  conversation: Pick<Conversation, "length" | "unit">,
  { from, before }: KeptUnits,
): readonly MessageUnit[] {
  const units = before.map((position) => conversation.unit(position));
  for (let position = from; position < conversation.length; position++) units.push(conversation.unit(position));
  return units;
}

/** What they take together. */
export function keptTokens(
  conversation: Pick<Conversation, "length" | "unit" | "tokens">,
  { from, before }: KeptUnits,
): number {
  let tokens = conversation.tokens(from, conversation.length);
  for (const position of before) tokens += conversation.unit(position).tokens;
  return tokens;
}
