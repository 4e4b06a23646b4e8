import type { Turn, TurnInput } from "@loci/domain";
import { isSameTurn } from "./same-turn.ts";

/**
 * How many of the turns, from the first one on, are the last ones of the session already: all of them when they are given again, some
 * when a conversation is given that has grown, none when it goes on. As many as possible.
 *
 * @param last the last turns of the session, as many as are given or as there are, oldest first
 */
export function turnsSaidAlready(last: readonly Turn[], turns: readonly TurnInput[]): number {
  for (let count = Math.min(last.length, turns.length); count > 0; count--) {
    const begin = last.length - count;
    const isSaid = turns.slice(0, count).every((turn, position) => {
      const known = last[begin + position];
      return known !== undefined && isSameTurn(turn, known);
    });
    if (isSaid) return count;
  }
  return 0;
}
