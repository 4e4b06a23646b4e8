import type { TenantId } from "@loci/domain";
import type { LedgerEncryption } from "@loci/ledger";
import type { TermFrequencies } from "@loci/store";

/** Words whose stand-ins are kept: those of texts come again and again, and each takes some microseconds to make. */
const mostKept = 50_000;

/** What stands for words in the indexes of an encrypted ledger. */
export class BlindedWords {
  readonly #encryption: LedgerEncryption;
  readonly #kept = new Map<string, string>();

  constructor(encryption: LedgerEncryption) {
    this.#encryption = encryption;
  }

  of(tenant: TenantId, kind: string, word: string): string {
    const name = `${tenant}\n${kind}\n${word}`;
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const blinded = this.#encryption.blinded(tenant, kind, word);
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(name, blinded);
    return blinded;
  }

  terms(tenant: TenantId, terms: readonly string[]): readonly string[] {
    return terms.map((term) => this.of(tenant, "term", term));
  }

  frequencies(tenant: TenantId, terms: TermFrequencies): TermFrequencies {
    return new Map(Array.from(terms, ([term, count]) => [this.of(tenant, "term", term), count]));
  }
}
