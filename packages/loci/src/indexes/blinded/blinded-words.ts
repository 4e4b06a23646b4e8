import type { TenantId } from "@loci/domain";
import type { LedgerEncryption } from "@loci/ledger";
import type { TermFrequencies } from "@loci/store";

/** Words whose stand-ins are kept: those of texts come again and again, and each takes some microseconds to make. */
const mostKept = 50_000;

/** What stands for words in the indexes of an encrypted ledger. */
export class BlindedWords {
  readonly #encryption: LedgerEncryption;
  /** By tenant and kind. */
  readonly #kept = new Map<string, Map<string, string>>();
  #size = 0;

  constructor(encryption: LedgerEncryption) {
    this.#encryption = encryption;
  }

  of(tenant: TenantId, kind: string, word: string): string {
    return this.#of(this.#keptOf(tenant, kind), tenant, kind, word);
  }

  terms(tenant: TenantId, terms: readonly string[]): readonly string[] {
    const kept = this.#keptOf(tenant, "term");
    return terms.map((term) => this.#of(kept, tenant, "term", term));
  }

  frequencies(tenant: TenantId, terms: TermFrequencies): TermFrequencies {
    const kept = this.#keptOf(tenant, "term");
    const blinded = new Map<string, number>();
    for (const [term, count] of terms) blinded.set(this.#of(kept, tenant, "term", term), count);
    return blinded;
  }

  #of(kept: Map<string, string>, tenant: TenantId, kind: string, word: string): string {
    const known = kept.get(word);
    if (known !== undefined) return known;
    const blinded = this.#encryption.blinded(tenant, kind, word);
    kept.set(word, blinded);
    this.#size++;
    return blinded;
  }

  /** Looked up once for many words. */
  #keptOf(tenant: TenantId, kind: string): Map<string, string> {
    if (this.#size >= mostKept) {
      this.#kept.clear();
      this.#size = 0;
    }
    const name = `${tenant}\n${kind}`;
    let kept = this.#kept.get(name);
    if (kept === undefined) this.#kept.set(name, (kept = new Map<string, string>()));
    return kept;
  }
}
