import { clusterCount, type ClusteredMemories, type ClusteredQuery, subclusterCount } from "./clustered-memories.ts";
import { RandomStream } from "./random-stream.ts";

const directions = 64;

/**
 * Embeddings of clustered memories, as those of text models are: a common mean, a topic, a kind of text inside it, 64
 * directions shared by all whose weight falls off, and a little noise; scaled to length 1.
 */
export class ClusteredVectors {
  readonly #dimensions: number;
  readonly #memories: ClusteredMemories;
  readonly #mean: Float32Array;
  readonly #clusters: readonly Float32Array[];
  readonly #subclusters: readonly Float32Array[];
  readonly #directions: readonly Float32Array[];
  readonly #directionScale: number;

  constructor(memories: ClusteredMemories, dimensions: number) {
    const random = new RandomStream(999 + dimensions);
    const axis = (): Float32Array => unit(Float32Array.from({ length: dimensions }, () => random.gaussian()));
    this.#dimensions = dimensions;
    this.#memories = memories;
    this.#mean = axis();
    this.#clusters = Array.from({ length: clusterCount }, axis);
    this.#subclusters = Array.from({ length: clusterCount * subclusterCount }, axis);
    let energy = 0;
    this.#directions = Array.from({ length: directions }, (_, place) => {
      energy += 1 / (1 + place * 0.25);
      return axis().map((value) => value / Math.sqrt(1 + place * 0.25));
    });
    this.#directionScale = 1 / Math.sqrt(energy);
  }

  /** The vector of a memory. Does not depend on which were asked for before. */
  vector(index: number): Float32Array {
    const cluster = this.#memories.clusters[index] as number;
    const subcluster = cluster * subclusterCount + (this.#memories.subclusters[index] as number);
    const [topic, kind] = [this.#clusters[cluster] as Float32Array, this.#subclusters[subcluster] as Float32Array];
    const random = new RandomStream(index * 2 + 1);
    const noise = 0.25 / Math.sqrt(this.#dimensions);
    const vector = this.#mean.map(
      (value, at) =>
        0.7 * value + 0.7 * (topic[at] as number) + 0.45 * (kind[at] as number) + noise * random.gaussian(),
    );
    return unit(this.#shift(vector, 0.75, random));
  }

  /** The vector of a question: that of its target, moved along the shared directions. */
  query({ target }: ClusteredQuery, index: number): Float32Array {
    const random = new RandomStream(index * 2);
    const noise = 0.25 / Math.sqrt(this.#dimensions);
    const vector = this.vector(target).map((value) => value + noise * random.gaussian());
    return unit(this.#shift(vector, 0.45, random));
  }

  #shift(vector: Float32Array, share: number, random: RandomStream): Float32Array {
    for (const direction of this.#directions) {
      const amount = share * this.#directionScale * random.gaussian();
      for (let at = 0; at < vector.length; at++)
        vector[at] = (vector[at] as number) + amount * (direction[at] as number);
    }
    return vector;
  }
}

function unit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = 1 / Math.sqrt(squares);
  return vector.map((value) => value * scale);
}
