import type { MemoryRecord } from "@loci/domain";
import type { TokenCounter } from "./token-counter.ts";

/**
 * Remembers how many tokens the texts of memories have, for as long as the very same objects are given: a version that is
 * kept in memory is then counted once for all the recalls that find it. One serves any number of counters.
 */
export class CountedMemories {
  readonly #counts = new WeakMap<object, { readonly counter: string; readonly tokens: number }>();

  /** `counter.count(memory.text)` */
  count(counter: TokenCounter, memory: Pick<MemoryRecord, "text">): number {
    const known = this.#counts.get(memory);
    if (known?.counter === counter.id) return known.tokens;
    const tokens = counter.count(memory.text);
    this.#counts.set(memory, { counter: counter.id, tokens });
    return tokens;
  }
}
