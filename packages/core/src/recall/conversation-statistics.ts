import type { Bm25Statistics } from "@loci/domain";
import type { RecallCandidate } from "./candidate.ts";
import type { KnownConversation, TurnPlace } from "./conversation-turns.ts";
import type { CountedTurns } from "./passages.ts";

/**
 * A conversation counts once for every so many turns, so that one without an end does not count as one text. Measured:
 * 8 to 64 give the same within a point.
 */
const stretchLength = 16;

/**
 * How much of a word's rarity is that among stretches. Measured on one half of the questions among 0 to 1: RealMem gains all
 * the way, LoCoMo loses R@10 from here on. The rest tells the turns of one conversation apart.
 */
const stretchShare = 0.75;

/**
 * The statistics with words as rare as the stretches of 16 turns of a conversation that hold them, rather than as the
 * turns. A word of every conversation says little about which one is meant, and one that a few conversations keep coming
 * back to says much; counted by turns both may be as rare.
 *
 * Rarity is (n + 0.5) / (N + 1), what the inverse document frequency is the logarithm of, when n of N texts hold a word.
 * Here it is that among the memories ^0.25 × that among stretches and memories that are no turns ^0.75, and n is what
 * belongs to it. How many of those there are, is told by the candidates: N / m, where m is how many turns a stretch has
 * on average, up to the last of its turns among them; and n · s / c with the word, when c candidates of s stretches or
 * memories hold it. Without turns among the candidates nothing changes.
 *
 * @param places where each candidate stands in its conversation
 * @param conversations how often the turns of these conversations have each term of the union
 */
export function conversationStatistics(
  statistics: Bm25Statistics,
  candidates: readonly Pick<RecallCandidate, "frequencies">[],
  places: readonly (TurnPlace | undefined)[],
  conversations: ReadonlyMap<KnownConversation, CountedTurns>,
): Bm25Statistics {
  const count = new TextCount(statistics.documentFrequencies.length);
  if (conversations.size === 0) return statistics;
  for (const turns of conversations.values()) count.addConversation(turns);
  for (const [index, place] of places.entries())
    if (place === undefined) count.addMemory(candidates[index]?.frequencies ?? []);
  const { documents } = statistics;
  const texts = (documents * count.texts) / count.memories;
  return {
    ...statistics,
    documentFrequencies: statistics.documentFrequencies.map((found, term) => {
      const among = rarity(found, documents);
      const amongTexts = rarity(Math.min(texts, found * count.shareOfHolders(term)), texts);
      return Math.max(0, (documents + 1) * among ** (1 - stretchShare) * amongTexts ** stretchShare - 0.5);
    }),
  };
}

function rarity(found: number, texts: number): number {
  return (found + 0.5) / (texts + 1);
}

/** Counts memories, and the stretches and single memories that they make. */
class TextCount {
  /** Stretches, and memories that are no turns. */
  texts = 0;
  /** Memories in these, known or not. */
  memories = 0;
  /** How many memories hold each term, and how many texts. */
  readonly #holdingMemories: Float64Array;
  readonly #holdingTexts: Float64Array;

  constructor(terms: number) {
    this.#holdingMemories = new Float64Array(terms);
    this.#holdingTexts = new Float64Array(terms);
  }

  addMemory(frequencies: ArrayLike<number>): void {
    this.texts++;
    this.memories++;
    for (let term = 0; term < this.#holdingTexts.length; term++)
      if ((frequencies[term] ?? 0) > 0) this.#addHolder(term, true);
  }

  addConversation(turns: CountedTurns): void {
    const stretches = new Map<number, { length: number; readonly holds: Uint8Array }>();
    for (const [position, { frequencies }] of turns) {
      const number = Math.floor(position / stretchLength);
      let stretch = stretches.get(number);
      if (stretch === undefined)
        stretches.set(number, (stretch = { length: 0, holds: new Uint8Array(this.#holdingTexts.length) }));
      stretch.length = Math.max(stretch.length, position - number * stretchLength + 1);
      for (let term = 0; term < stretch.holds.length; term++) {
        if ((frequencies[term] ?? 0) === 0) continue;
        this.#addHolder(term, stretch.holds[term] === 0);
        stretch.holds[term] = 1;
      }
    }
    this.texts += stretches.size;
    for (const { length } of stretches.values()) this.memories += length;
  }

  /** Texts that hold a term for each memory that does; 1 when none is known to. */
  shareOfHolders(term: number): number {
    const memories = this.#holdingMemories[term] as number;
    return memories === 0 ? 1 : (this.#holdingTexts[term] as number) / memories;
  }

  #addHolder(term: number, isFirstOfText: boolean): void {
    this.#holdingMemories[term] = (this.#holdingMemories[term] as number) + 1;
    if (isFirstOfText) this.#holdingTexts[term] = (this.#holdingTexts[term] as number) + 1;
  }
}
