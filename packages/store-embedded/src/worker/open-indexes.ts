import { readdirSync } from "node:fs";
import { join } from "node:path";
import { LociError, type TenantId } from "@loci/domain";
import { textKind } from "../text/text-kind.ts";
import { TenantIndex, type TenantIndexSettings } from "../segments/tenant-index.ts";
import { vectorKind } from "../vectors/vector-kind.ts";
import { removeIndex, settleRemovals } from "../storage/index-files.ts";
import { isCompact } from "../storage/is-compact.ts";
import { toStorageError } from "../storage/storage-error.ts";
import { tenantDirectory } from "../storage/tenant-directories.ts";
import type { IndexAddress, IndexThreadSettings } from "./protocol.ts";
import type { TextTenantIndex } from "./search-texts.ts";
import type { VectorIndex } from "./search-vectors.ts";

/** Kept at most; beyond, all are made again. */
const maxDirectoryNames = 10_000;

/** Which of a tenant's indexes, and what it holds. */
type IndexName = Omit<IndexAddress, "tenant">;

type AnyIndex = VectorIndex | TextTenantIndex;

interface OpenIndex {
  readonly name: string;
  readonly index: AnyIndex;
}

/**
 * The indexes in use, opened when they are asked for; beyond a number the least recently used is closed. A directory is
 * open once at most.
 */
export class OpenIndexes {
  readonly #settings: IndexThreadSettings;
  readonly #indexSettings: TenantIndexSettings;
  /** By directory, the least recently used first. */
  readonly #open = new Map<string, OpenIndex>();
  /** The directories of those that a tenant has asked for: their names take longer to make than to look up. */
  readonly #directories = new Map<string, string>();
  #isClosed = false;

  constructor(settings: IndexThreadSettings, reportProblem: (error: LociError) => void) {
    this.#settings = settings;
    this.#indexSettings = {
      maxHeadRows: settings.maxHeadRows,
      maxUnfiledChanges: settings.maxUnfiledChanges,
      reportProblem,
    };
  }

  vectors({ tenant, name, dimensions = 0 }: IndexAddress): VectorIndex {
    return this.#get(this.#directoryOf(tenant, name), { name, dimensions }, tenant) as VectorIndex;
  }

  texts({ tenant, name }: IndexAddress): TextTenantIndex {
    return this.#get(this.#directoryOf(tenant, name), { name }, tenant) as TextTenantIndex;
  }

  any(address: IndexAddress): AnyIndex {
    return address.dimensions === undefined ? this.texts(address) : this.vectors(address);
  }

  /**
   * Compacts the indexes of one name that are open, or those of every tenant.
   *
   * @param checkpoint called before each; throws when the call is over
   */
  async compact(kind: IndexName, everyTenant: boolean, checkpoint: () => void): Promise<void> {
    const directories = everyTenant ? this.#onDisk(kind.name) : this.#openOnes(kind.name);
    for (const directory of directories) {
      checkpoint();
      this.#throwIfClosed();
      // One that was closed meanwhile is opened again only when there is something to do.
      const isOpen = this.#open.has(directory);
      if (!isOpen && !everyTenant) continue;
      if (!isOpen && isCompact(directory)) {
        await settleRemovals(directory);
        continue;
      }
      await this.#compactOne(directory, kind);
      // Whose it is, was not checked: that is done when its tenant opens it.
      if (!isOpen) await this.#close(directory);
    }
  }

  /** One that is removed meanwhile, because its tenant moves away, has nothing left. */
  async #compactOne(directory: string, kind: IndexName): Promise<void> {
    const index = this.#get(directory, kind);
    try {
      await index.compact();
    } catch (error) {
      if (this.#isClosed || this.#open.get(directory)?.index === index || !isClosedError(error)) throw error;
    }
  }

  /** Removes one tenant's index, which then begins again. */
  async reset({ tenant, name }: IndexAddress): Promise<void> {
    const directory = this.#directoryOf(tenant, name);
    // A search may have opened it again while it was being closed.
    do await this.#close(directory);
    while (this.#open.has(directory));
    removeIndex(directory);
  }

  /** Removes the indexes of one name, of all tenants. */
  async drop(name: string): Promise<void> {
    for (const directory of this.#openOnes(name)) await this.#close(directory);
    for (const directory of this.#onDisk(name)) removeIndex(directory);
  }

  /** What still goes on, such as the upkeep of every tenant's, opens none again: it ends with `CLOSED`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const directory of this.#open.keys()) await this.#close(directory);
  }

  #settingsOf(tenant: TenantId | undefined): TenantIndexSettings {
    const { ledger } = this.#settings;
    const owner = ledger === undefined || tenant === undefined ? undefined : { ledger, tenant };
    return { ...this.#indexSettings, owner };
  }

  #directoryOf(tenant: TenantId, name: string): string {
    const key = `${name}/${tenant}`;
    let directory = this.#directories.get(key);
    if (directory === undefined) {
      directory = join(this.#settings.directory, tenantDirectory(tenant), name);
      if (this.#directories.size >= maxDirectoryNames) this.#directories.clear();
      this.#directories.set(key, directory);
    }
    return directory;
  }

  /** @param tenant whose index it is to be, when that is known */
  #get(directory: string, { name, dimensions }: IndexName, tenant?: TenantId): AnyIndex {
    const known = this.#open.get(directory);
    if (known !== undefined) {
      this.#open.delete(directory);
      this.#open.set(directory, known);
      return known.index;
    }
    this.#throwIfClosed();
    this.#makeRoom();
    const settings = this.#settingsOf(tenant);
    const index =
      dimensions === undefined
        ? new TenantIndex(directory, textKind, settings)
        : new TenantIndex(directory, vectorKind(dimensions), settings);
    this.#open.set(directory, { name, index });
    return index;
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw new LociError("CLOSED", { message: "The index is closed.", advice: "Open it again." });
  }

  #openOnes(name: string): readonly string[] {
    return [...this.#open].filter(([, item]) => item.name === name).map(([directory]) => directory);
  }

  #onDisk(name: string): readonly string[] {
    const { directory } = this.#settings;
    return readdirSync(directory, { withFileTypes: true })
      .filter((tenant) => tenant.isDirectory())
      .map((tenant) => join(directory, tenant.name, name));
  }

  async #close(directory: string): Promise<void> {
    const item = this.#open.get(directory);
    this.#open.delete(directory);
    await item?.index.close();
  }

  /** What nobody waits for must not end the thread. */
  async #closeInBackground(directory: string): Promise<void> {
    try {
      await this.#close(directory);
    } catch (error) {
      this.#indexSettings.reportProblem(toStorageError(error, directory));
    }
  }

  /** One that is being written stays open for now. */
  #makeRoom(): void {
    for (const [directory, { index }] of this.#open) {
      if (this.#open.size < this.#settings.maxOpenIndexes) return;
      if (index.isIdle) void this.#closeInBackground(directory);
    }
  }
}

function isClosedError(error: unknown): boolean {
  return LociError.is(error) && error.reason === "CLOSED";
}
