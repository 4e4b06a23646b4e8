/** What takes room. */
export interface Occupant {
  readonly bytes: number;
  /** Gives its room back. */
  readonly leave: () => void;
}

/** Nothing that is not used stays longer than that, in milliseconds. */
export const longestIdle: number = 10 * 60_000;

export interface KeptRoomOptions {
  /** Of all together. */
  readonly mostBytes: number;
  /** Milliseconds of a clock that is never set. */
  readonly now?: (() => number) | undefined;
}

interface Use {
  /** When it was used last. */
  readonly at: number;
  readonly bytes: number;
}

/** A bound of what is kept. Those that were used least lately leave first. */
export class KeptRoom {
  readonly #mostBytes: number;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
  /** Those used last come last. */
  readonly #uses = new Map<Occupant, Use>();
  #bytes = 0;

  constructor({ mostBytes, now = () => performance.now() }: KeptRoomOptions) {
    this.#mostBytes = mostBytes;
    this.now = now;
  }

  get mostBytes(): number {
    return this.#mostBytes;
  }

  /** Comes in, or is used, perhaps with another size than before. Others leave for it, and whatever was idle for ten minutes. */
  use(occupant: Occupant): void {
    this.remove(occupant);
    const use: Use = { at: this.now(), bytes: occupant.bytes };
    this.#uses.set(occupant, use);
    this.#bytes += use.bytes;
    for (const [one, { at }] of this.#uses) {
      if (this.#bytes <= this.#mostBytes && use.at - at < longestIdle) break;
      this.remove(one);
      one.leave();
    }
  }

  remove(occupant: Occupant): void {
    this.#bytes -= this.#uses.get(occupant)?.bytes ?? 0;
    this.#uses.delete(occupant);
  }
}

/** @param mostBytes 0: nothing is kept */
export function roomOf(mostBytes: number): KeptRoom | undefined {
  return mostBytes === 0 ? undefined : new KeptRoom({ mostBytes });
}
