import type { ContextFormat } from "../rendering/context-format.ts";
import { TokenCountCache } from "../tokens/token-count-cache.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";

/** Texts up to this length are tags and roles: few, and counted over and over. */
const shortText = 40;
/** Texts up to this length are kept under themselves: a hash would take longer, and not much less room. */
const ownName = 500;

export interface TokenMeterOptions {
  readonly counter: TokenCounter;
  /** Counts kept from one assembly to the next. */
  readonly counts?: TokenCountCache | undefined;
  readonly sha256: (text: string) => string;
}

/** Counts the pieces of one assembly, none of them twice. */
export class TokenMeter {
  readonly counter: TokenCounter;
  /** True when the parts of a context, each ending with a line break, may be counted one by one. */
  readonly partsAddUp: boolean;
  readonly #kept: TokenCountCache | undefined;
  readonly #short: TokenCountCache;
  readonly #sha256: (text: string) => string;

  constructor({ counter, counts, sha256 }: TokenMeterOptions, { partsAddUp }: Pick<ContextFormat, "partsAddUp">) {
    this.counter = counter;
    this.partsAddUp = partsAddUp && counter.joinsAtLineStarts === true;
    this.#kept = counts;
    this.#short = counts ?? new TokenCountCache();
    this.#sha256 = sha256;
  }

  /** Kept counts go by what the text is, not by whose: an edited message may come with the id it had before. */
  readonly count = (text: string): number => {
    if (text.length <= shortText) return this.#short.countShort(this.counter, text);
    if (this.#kept === undefined) return this.counter.count(text);
    // The cache tells texts of different lengths apart, so that no short one passes for the hash of a long one.
    const version = text.length <= ownName ? text : this.#sha256(text);
    return this.#kept.count(this.counter, text, { id: "text", version });
  };
}
