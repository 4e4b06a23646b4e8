import type { TenantId } from "@loci/domain";

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
}
