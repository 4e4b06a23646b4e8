import { clusterCount, type ClusteredMemories, type ClusteredQuery } from "./clustered-memories.ts";
import { RandomStream, Weighted } from "./random-stream.ts";

const vocabulary = 60_000;
const topicWords = 150;

/** The analysed words of clustered memories: 15 to 35 a memory, a third of them of its topic, the rest as in any text. */
export class ClusteredTerms {
  readonly #memories: ClusteredMemories;
  readonly #general = new Weighted(vocabulary, (place) => (place + 2.7) ** -1.05);

  constructor(memories: ClusteredMemories) {
    this.#memories = memories;
  }

  /** How often each word stands in a memory. The hundred most frequent words are stop words, and left out. */
  terms(index: number): ReadonlyMap<string, number> {
    const random = new RandomStream(index * 2 + 1);
    const terms = new Map<string, number>();
    const count = 15 + random.below(21);
    for (let word = 0; word < count; word++) {
      const place = random.uniform() < 0.35 ? this.#topicWord(index, random) : this.#general.pick(random);
      if (place >= 100) terms.set(`w${place}`, (terms.get(`w${place}`) ?? 0) + 1);
    }
    return terms;
  }

  /** The words of a question: some of its target's, and three of any text. */
  query({ target }: ClusteredQuery, index: number): readonly string[] {
    const random = new RandomStream(index * 2);
    const own = [...this.terms(target).keys()];
    const words = Array.from({ length: 4 + random.below(4) }, () => own[random.below(own.length)] ?? "w100");
    for (let word = 0; word < 3; word++) words.push(`w${100 + this.#general.pick(random)}`);
    return [...new Set(words)];
  }

  #topicWord(index: number, random: RandomStream): number {
    const cluster = this.#memories.clusters[index] as number;
    // Squared, so that a topic's first words are its most frequent ones.
    const word = Math.floor(random.uniform() * random.uniform() * topicWords);
    return 100 + ((cluster * 7919 + word * 37) % (vocabulary - 100 - clusterCount));
  }
}
