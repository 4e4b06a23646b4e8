import type { CallOptions, TenantId } from "@loci/domain";

/** The encryption of a ledger, as those see it who keep something that is made from it. */
export interface LedgerEncryption {
  /** The id of the key that everything new is sealed with. */
  readonly currentKey: string;
  /** Names what `blinded` gives: what was made under another name does not go with it. */
  readonly blinding: string;
  /**
   * What stands for a word of a tenant outside the ledger: the same for the same word and kind, and nothing that the word can be
   * told from without the key.
   *
   * @param kind of word, such as `term`: the same word of two kinds has nothing in common
   */
  blinded(tenant: TenantId, kind: string, word: string): string;
  /** How many rows there are with sealed texts, or with texts that are still to be sealed. */
  rows(call?: CallOptions): Promise<RowsByKey>;
  /**
   * Seals under the current key some of what is not: what was written before there were keys, and what is under another key. What
   * was done stays done, whatever ends the rest.
   *
   * @param from `next` of the step before. Default: the beginning
   */
  reseal(from?: string, call?: CallOptions): Promise<ResealStep>;
  /**
   * Notes that nothing is sealed under any other key, so that the ledger opens without those. To be called at the end of a whole
   * pass of `reseal`.
   *
   * @returns the ids of keys that are not needed any more; `undefined`, and nothing is noted, when rows have come in from another
   *   ledger since the pass began: it has to be done again
   */
  retireOtherKeys(pass: string, call?: CallOptions): Promise<readonly string[] | undefined>;
}

/** Rows by the id of the key that they are sealed under. */
export interface RowsByKey {
  readonly byKey: ReadonlyMap<string, number>;
  /** With texts that are not sealed. */
  readonly plain: number;
}

/** What a step of sealing came to. */
export interface ResealStep {
  /** Names the pass that this step is of, from its beginning on. */
  readonly pass: string;
  /** Rows that were looked at. */
  readonly looked: number;
  /** Those of them that were sealed. */
  readonly sealed: number;
  /** Those that cannot be opened, and stay as they are: `verify` names what is damaged. */
  readonly damaged: number;
  /** Where to go on. Absent: this was the end. */
  readonly next?: string | undefined;
}
