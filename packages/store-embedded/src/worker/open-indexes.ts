import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LociError, TenantId } from "@loci/domain";
import { textKind } from "../text/text-kind.ts";
import { TenantIndex, type TenantIndexSettings } from "../segments/tenant-index.ts";
import { vectorKind } from "../vectors/vector-kind.ts";
import type { IndexAddress, IndexThreadSettings } from "./protocol.ts";
import type { TextTenantIndex } from "./search-texts.ts";
import type { VectorIndex } from "./search-vectors.ts";

/** The indexes in use, opened when they are asked for; beyond a number the least recently used is closed. */
export class OpenIndexes {
  readonly #settings: IndexThreadSettings;
  readonly #indexSettings: TenantIndexSettings;
  /** By tenant and name, the least recently used first: a directory's name takes longer to make than to look up. */
  readonly #open = new Map<string, { readonly name: string; readonly index: VectorIndex | TextTenantIndex }>();

  constructor(settings: IndexThreadSettings, reportProblem: (error: LociError) => void) {
    this.#settings = settings;
    this.#indexSettings = { maxHeadRows: settings.maxHeadRows, reportProblem };
  }

  vectors({ tenant, name, dimensions = 0 }: IndexAddress): VectorIndex {
    return this.#get(
      tenant,
      name,
      (directory) => new TenantIndex(directory, vectorKind(dimensions), this.#settingsOf(tenant)),
    );
  }

  texts({ tenant, name }: IndexAddress): TextTenantIndex {
    return this.#get(tenant, name, (directory) => new TenantIndex(directory, textKind, this.#settingsOf(tenant)));
  }

  any(address: IndexAddress): VectorIndex | TextTenantIndex {
    return address.dimensions === undefined ? this.texts(address) : this.vectors(address);
  }

  /** The open indexes of one name. */
  named(name: string): readonly (VectorIndex | TextTenantIndex)[] {
    return [...this.#open.values()].filter((item) => item.name === name).map(({ index }) => index);
  }

  /** Removes the indexes of one name, of all tenants. */
  async drop(name: string): Promise<void> {
    for (const [key, item] of this.#open)
      if (item.name === name) {
        this.#open.delete(key);
        await item.index.close();
      }
    for (const tenant of readdirSync(this.#settings.directory, { withFileTypes: true }))
      if (tenant.isDirectory())
        rmSync(join(this.#settings.directory, tenant.name, name), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    for (const { index } of this.#open.values()) await index.close();
    this.#open.clear();
  }

  #settingsOf(tenant: TenantId): TenantIndexSettings {
    const { ledger } = this.#settings;
    return { ...this.#indexSettings, owner: ledger === undefined ? undefined : { ledger, tenant } };
  }

  #get<Index extends VectorIndex | TextTenantIndex>(
    tenant: TenantId,
    name: string,
    open: (directory: string) => Index,
  ): Index {
    const key = `${name}/${tenant}`;
    const known = this.#open.get(key);
    if (known !== undefined) {
      this.#open.delete(key);
      this.#open.set(key, known);
      return known.index as Index;
    }
    this.#makeRoom();
    const index = open(join(this.#settings.directory, tenantDirectory(tenant), name));
    this.#open.set(key, { name, index });
    return index;
  }

  /** One that is being written stays open for now. */
  #makeRoom(): void {
    for (const [key, { index }] of this.#open) {
      if (this.#open.size < this.#settings.maxOpenIndexes) return;
      if (!index.isIdle) continue;
      this.#open.delete(key);
      void index.close();
    }
  }
}

/** A hash, as tenants may be called anything; 160 bits of it, which do not meet by chance. */
function tenantDirectory(tenant: TenantId): string {
  return createHash("sha256").update(tenant).digest("hex").slice(0, 40);
}
