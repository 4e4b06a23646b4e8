import type { ReadMessage } from "./read-message.ts";
import { addToDigest, emptyDigest, type SummaryDigest } from "./summary-digest.ts";

/** What a digest is made of: messages in groups, each at its position in the conversation. */
export interface DigestedUnit {
  readonly messages: readonly { readonly index: number; readonly read: ReadMessage }[];
}

/** Which part of a conversation a digest says something of. */
export interface DigestedPart {
  /** Messages before this position in the conversation are passed over. */
  readonly fromMessage: number;
  /** Units that are passed over, in order. */
  readonly without: readonly number[];
  /** Behind the last unit. */
  readonly end: number;
}

/** Digests of ever longer beginnings: at each position the one of what comes before it, from a start on. */
interface DigestRun {
  readonly start: number;
  readonly digests: SummaryDigest[];
}

/** Few are asked for at once: of all that is not shown, and of that without what the user said last. */
const maxRuns = 6;

/** What is known of the units before a position without reading them. */
export interface KnownDigest {
  readonly units: number;
  readonly digest: SummaryDigest;
}

/** The digests of one conversation's beginnings, so that a longer one is made from a shorter one and nothing is read twice. */
export class DigestRuns {
  readonly #units: readonly DigestedUnit[];
  /** By what they pass over, the longest unused first. */
  readonly #runs = new Map<string, DigestRun>();

  readonly #known: KnownDigest;

  /**
   * @param units may grow; where it is cut, {@link cut} must be told
   * @param known of units that cannot be read. Then no digest may begin or leave out anything among them
   */
  constructor(units: readonly DigestedUnit[], known: KnownDigest = { units: 0, digest: emptyDigest }) {
    this.#units = units;
    this.#known = known;
  }

  digest({ fromMessage, without, end }: DigestedPart): SummaryDigest {
    const skipped = without.filter((unit) => unit < end);
    const key = `${fromMessage}:${skipped.join()}`;
    let run = this.#runs.get(key);
    if (run === undefined) {
      const gap = skipped.at(-1);
      // Up to the last gap it is the digest without that gap.
      const before = gap === undefined ? this.#known.digest : this.digest({ fromMessage, without: skipped, end: gap });
      run = { start: gap === undefined ? this.#known.units : gap + 1, digests: [before] };
    }
    this.#runs.delete(key);
    this.#runs.set(key, run);
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= maxRuns) break;
      this.#runs.delete(oldest);
    }
    const { start, digests } = run;
    if (end < start) throw new Error("A summary was to end where the conversation was not read.");
    for (let unit = start + digests.length - 1; unit < end; unit++) {
      let digest = digests[unit - start] as SummaryDigest;
      for (const { index, read } of (this.#units[unit] as DigestedUnit).messages)
        if (index >= fromMessage) digest = addToDigest(digest, read.facts);
      digests.push(digest);
    }
    return digests[end - start] as SummaryDigest;
  }

  /** Forgets what was made of the units from this position on. */
  cut(units: number): void {
    for (const [key, { start, digests }] of this.#runs) {
      if (start > units) this.#runs.delete(key);
      else digests.length = Math.min(digests.length, units - start + 1);
    }
  }
}
