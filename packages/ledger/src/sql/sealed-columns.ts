import type { TenantId } from "@loci/domain";
import type { Sealing } from "@loci/encryption";
import type { IndexedFields } from "./indexed-fields.ts";

/** A column with words in which rows are looked up. */
export type LookupColumn = "tag" | "slot" | "key" | "source_id";

/** Words that are kept as they are sealed: tags come again and again, and a key is looked for before it is written. */
const mostRecent = 8_192;

/**
 * What stands in columns in which rows are looked up. With encryption each word is sealed so that the same word is always the
 * same, under one key for the whole ledger. Without it the words stand as they are.
 */
export class SealedColumns {
  readonly #sealing: Sealing | undefined;
  readonly #keyId: string;
  readonly #recent = new Map<string, string>();

  /** The id of the key that the columns are sealed with. Empty: they are not. */
  get keyId(): string {
    return this.#keyId;
  }

  /** @param keyId of the key that the columns of the ledger are sealed with */
  constructor(sealing: Sealing | undefined, keyId = "") {
    this.#sealing = sealing;
    this.#keyId = keyId;
  }

  /** What a word is looked up by. */
  of(tenant: TenantId, column: LookupColumn, word: string): string;
  of(tenant: TenantId, column: LookupColumn, word: string | null): string | null;
  of(tenant: TenantId, column: LookupColumn, word: string | null): string | null {
    if (this.#sealing === undefined || word === null) return word;
    const name = `${tenant}\n${column}\n${word}`;
    const known = this.#recent.get(name);
    if (known !== undefined) return known;
    const sealed = this.#sealing.sealForLookup(this.#keyId, { tenant, path: [column] }, word);
    if (this.#recent.size >= mostRecent) this.#recent.clear();
    this.#recent.set(name, sealed);
    return sealed;
  }

  /** The same of several. */
  all(tenant: TenantId, column: LookupColumn, words: readonly string[]): readonly string[] {
    return this.#sealing === undefined ? words : words.map((word) => this.of(tenant, column, word));
  }

  /**
   * The word of what stands in a column.
   *
   * @throws LociError `ENCRYPTION_KEY_MISSING`, `DATA_DIRECTORY_CORRUPT`
   */
  word(tenant: TenantId, column: LookupColumn, sealed: string): string {
    return this.#sealing === undefined ? sealed : this.#sealing.openLookup({ tenant, path: [column] }, sealed);
  }

  /** What indexes know of a memory, with the words as they stand in columns. */
  fields(tenant: TenantId, fields: IndexedFields): IndexedFields {
    if (this.#sealing === undefined) return fields;
    return {
      ...fields,
      sourceId: this.of(tenant, "source_id", fields.sourceId),
      slot: this.of(tenant, "slot", fields.slot),
      key: this.of(tenant, "key", fields.key),
      tags: this.all(tenant, "tag", fields.tags),
    };
  }
}

/** What a ledger is encrypted with. */
export interface LedgerSealing {
  readonly fields: Sealing | undefined;
  readonly columns: SealedColumns;
}

/** Encryption is off. */
export const unsealed: LedgerSealing = { fields: undefined, columns: new SealedColumns(undefined) };
