import { prose } from "../data/prose.ts";
import { RandomStream, Weighted } from "../data/random-stream.ts";

/** Jobs of an agent that does mostly the same things every day. */
export interface JobPromptsOptions {
  /** Kinds of job; some come every hour, some once a week. */
  readonly kinds: number;
  /** Chance that a sentence of a prompt is one that was never said before. */
  readonly newShare: number;
  readonly seed: number;
}

const sentencesPerPrompt = 4;

/** Prompts without an end. Each kind of job has its own standing instruction, of four sentences. */
export function* jobPrompts({ kinds, newShare, seed }: JobPromptsOptions): Generator<readonly string[], never> {
  const random = new RandomStream(seed);
  const kind = new Weighted(kinds, (place) => 1 / (place + 1));
  let unheard = 1_000_000;
  for (;;) {
    const job = kind.pick(random);
    const sentences = Array.from({ length: sentencesPerPrompt }, (_, place) =>
      random.uniform() < newShare ? prose(unheard++, 1) : prose(job * sentencesPerPrompt + place, 1),
    );
    // As recall asks: the whole prompt and each of its sentences.
    yield [sentences.join(" "), ...sentences];
  }
}
