import type { Logger } from "./logger.ts";

/** In milliseconds. */
const windowLength = 10_000;
/** Of what is refused, how many have a line of their own in each window. */
const mostLines = 100;
/** Addresses that are counted in each window: whoever has more of them is not told apart. */
const mostAddresses = 1_000;
const namedAddresses = 3;

/** What is refused. */
export interface Refused {
  /** What a line that counts many is called, such as `calls refused`. */
  readonly event: string;
  /** What is counted in it, such as `calls`. */
  readonly counted: string;
}

/**
 * Bounds what calls and connections that are not let in write into the log: anybody can make as many as there is room on the line. Those
 * beyond the bound are counted, and one line says how many they were, why, and where most of them came from.
 */
export class BoundedRefusals {
  readonly #logger: Logger;
  readonly #refused: Refused;
  #lines = 0;
  #counted = 0;
  readonly #reasons = new Map<string, number>();
  readonly #addresses = new Map<string, number>();
  #isCounting = false;

  constructor(logger: Logger, refused: Refused) {
    this.#logger = logger;
    this.#refused = refused;
  }

  /**
   * Whether one more may have a line of its own. If not, it is counted.
   *
   * @param from address and port of its connection
   */
  takesLine(reason: string, from: string | undefined): boolean {
    if (!this.#isCounting) setTimeout(() => this.#endWindow(), windowLength).unref();
    this.#isCounting = true;
    if (this.#lines < mostLines) {
      this.#lines++;
      return true;
    }
    this.#counted++;
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    const address = from?.slice(0, from.lastIndexOf(":"));
    if (address !== undefined && (this.#addresses.has(address) || this.#addresses.size < mostAddresses))
      this.#addresses.set(address, (this.#addresses.get(address) ?? 0) + 1);
    return false;
  }

  #endWindow(): void {
    this.#isCounting = false;
    this.#lines = 0;
    if (this.#counted === 0) return;
    const isKnown = this.#addresses.size > 0;
    this.#logger.log("warn", this.#refused.event, {
      [this.#refused.counted]: this.#counted,
      seconds: windowLength / 1_000,
      reasons: countsOf(this.#reasons),
      from: isKnown ? countsOf(this.#addresses).slice(0, namedAddresses) : undefined,
      addresses: isKnown ? this.#addresses.size : undefined,
    });
    this.#counted = 0;
    this.#reasons.clear();
    this.#addresses.clear();
  }
}

/** Such as `CREDENTIAL_INVALID 19900`, the most frequent first. */
function countsOf(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts].toSorted(([, left], [, right]) => right - left).map(([name, count]) => `${name} ${count}`);
}
