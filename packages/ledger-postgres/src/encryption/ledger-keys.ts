import type { Ref, Sequence, TenantId, Version } from "@loci/domain";
import { encryptionKeyMissing, type EncryptionKeys, Sealing } from "@loci/encryption";
import type { CheckpointOwner } from "@loci/ledger";
import {
  keyIdOfField,
  type LedgerSealing,
  openCheckpointText,
  openDetails,
  openEntry,
  openState,
  SealedColumns,
  unsealed,
} from "@loci/ledger/sql";

/** The id of the key that a tenant is written under. `null`: it is not encrypted. */
export type TenantKey = string | null;

/**
 * The keys that were given, and which of them each tenant is written under. That stands in the row of the tenant, and whoever
 * starts with another current key changes it: what is known of it here is only what was seen last.
 */
export class LedgerKeys {
  /** Of all keys that were given, with the current one of this server. `undefined`: none were. */
  readonly given: Sealing | undefined;
  readonly #keys: EncryptionKeys | undefined;
  readonly #sealings = new Map<TenantKey, LedgerSealing>([[null, unsealed]]);
  /** Of tenants whose key is another than this server's current one. */
  readonly #others = new Map<TenantId, TenantKey>();

  /** @throws LociError `INVALID_CONFIGURATION` */
  constructor(keys: EncryptionKeys | undefined) {
    this.#keys = keys;
    this.given = keys && new Sealing(keys);
  }

  /** The key that the tenant was under when it was seen last. */
  seen(tenant: TenantId): TenantKey {
    const other = this.#others.get(tenant);
    return other === undefined ? this.#usual : other;
  }

  /** Remembers the key that the tenant is under. */
  see(tenant: TenantId, key: TenantKey): void {
    if (key === this.#usual) this.#others.delete(tenant);
    else this.#others.set(tenant, key);
  }

  /** What a tenant under this key is written with. @throws LociError `ENCRYPTION_KEY_MISSING` */
  under(key: TenantKey): LedgerSealing {
    const known = this.#sealings.get(key);
    if (known !== undefined) return known;
    if (key === null || this.#keys === undefined || this.given?.has(key) !== true)
      throw encryptionKeyMissing(key === null ? [] : [key]);
    const fields = new Sealing({ ...this.#keys, current: key });
    const sealing = { fields, columns: new SealedColumns(fields, key) };
    this.#sealings.set(key, sealing);
    return sealing;
  }

  /** The row with what it says, however it was written. @throws LociError `ENCRYPTION_KEY_MISSING`, `DATA_DIRECTORY_CORRUPT` */
  entry<Row extends { readonly sequence: Sequence; readonly record?: string | null; readonly reason?: string | null }>(
    tenant: TenantId,
    row: Row,
  ): Row {
    this.#refuse(row.record, row.reason);
    return openEntry(this.given, tenant, row);
  }

  /** @throws as `entry` */
  state<Row extends { readonly ref: Ref; readonly version: Version; readonly state: string | null }>(
    tenant: TenantId,
    row: Row,
  ): Row {
    this.#refuse(row.state);
    return openState(this.given, tenant, row);
  }

  /** @throws as `entry` */
  checkpointText(tenant: TenantId, owner: CheckpointOwner, stored: Parameters<typeof openCheckpointText>[3]): string {
    this.#refuse(stored.text);
    return openCheckpointText(this.given, tenant, owner, stored);
  }

  /** @throws as `entry` */
  details(tenant: TenantId, place: { readonly ref: Ref; readonly activity: string }, details: string): string {
    this.#refuse(details);
    return openDetails(this.given, tenant, place, details);
  }

  get #usual(): TenantKey {
    return this.given?.current ?? null;
  }

  /** A server without keys may meet what another one has sealed since, and must not take it for the words themselves. */
  #refuse(...fields: readonly (string | null | undefined)[]): void {
    if (this.given !== undefined) return;
    for (const field of fields) {
      const id = typeof field === "string" ? keyIdOfField(field) : undefined;
      if (id !== undefined) throw encryptionKeyMissing([id]);
    }
  }
}
