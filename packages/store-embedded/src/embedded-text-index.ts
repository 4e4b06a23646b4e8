import {
  type CallOptions,
  formatScope,
  LociError,
  memoryId,
  type Ref,
  type Sequence,
  type TenantId,
  type Version,
} from "@loci/domain";
import {
  type ApplyOptions,
  type RowVersion,
  checkChanges,
  checkTenant,
  checkTextSearch,
  checkThrough,
  type IndexChange,
  type IndexMaintenanceOptions,
  type TextHit,
  type TextIndex,
  type TextSearch,
  type TextStatistics,
} from "@loci/store";
import type { IndexThread } from "./index-thread.ts";
import { tenantsWithDirectory } from "./storage/tenant-directories.ts";
import { numbersOfRow, packRefs, rowVersions } from "./sent-rows.ts";
import type { IndexAddress, SentChange, SentTexts } from "./worker/protocol.ts";

/** Words of every tenant, in the index thread. */
export class EmbeddedTextIndex implements TextIndex {
  readonly name = "embedded";
  readonly durable = true;
  readonly #thread: IndexThread;
  readonly #directory: string;
  #isClosed = false;

  /** @param directory of the store */
  constructor(thread: IndexThread, directory: string) {
    this.#thread = thread;
    this.#directory = directory;
  }

  async apply(
    tenant: TenantId,
    changes: readonly IndexChange[],
    through: Sequence,
    options?: ApplyOptions,
  ): Promise<void> {
    const address = this.#address(tenant);
    checkThrough(through);
    checkChanges(changes, undefined);
    const sent = changes.map(sentText);
    await this.#thread.perform(
      { type: "apply", address, changes: sent, values: new Float32Array(0), through, after: options?.after },
      options,
    );
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    return this.#thread.perform({ type: "checkpoint", address: this.#address(tenant) });
  }

  async heldAmong(tenants: readonly TenantId[]): Promise<readonly TenantId[]> {
    this.#checkOpen();
    return tenantsWithDirectory(this.#directory, tenants);
  }

  async search(request: TextSearch, options?: CallOptions): Promise<readonly TextHit[]> {
    this.#checkOpen();
    const scopes = checkTextSearch(request).map(formatScope);
    const { tenant, terms, where, limit, statistics } = request;
    const found = await this.#thread.perform(
      { type: "searchTexts", address: this.#address(tenant), scopes, terms, where, limit, statistics },
      options,
    );
    return textHits(this.#thread.receivedRefs.all(found.refs), found, terms.length);
  }

  async frequencies(
    tenant: TenantId,
    refs: readonly Ref[],
    terms: readonly string[],
    options?: CallOptions,
  ): Promise<readonly TextHit[]> {
    const address = this.#address(tenant);
    const { asked, bytes } = packRefs(refs);
    const found = await this.#thread.perform({ type: "frequencies", address, refs: bytes, terms }, options, [
      bytes.buffer,
    ]);
    return Array.from(found.places, (place, index) => ({
      ref: asked[place] as Ref,
      version: found.versions[index] as Version,
      length: found.lengths[index] as number,
      frequencies: numbersOfRow(found.frequencies, index, terms.length),
    }));
  }

  async statistics(tenant: TenantId, terms: readonly string[], options?: CallOptions): Promise<TextStatistics> {
    return this.#thread.perform({ type: "statistics", address: this.#address(tenant), terms }, options);
  }

  async maintain({ purge = false, ...call }: IndexMaintenanceOptions = {}): Promise<void> {
    this.#checkOpen();
    await this.#thread.perform({ type: "compact", name: "text", everyTenant: purge }, call);
  }

  async reset(tenant: TenantId, options?: CallOptions): Promise<void> {
    await this.#thread.perform({ type: "reset", address: this.#address(tenant) }, options);
  }

  async *refs(tenant: TenantId): AsyncGenerator<RowVersion> {
    yield* rowVersions(await this.#thread.perform({ type: "refs", address: this.#address(tenant) }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #address(tenant: TenantId): IndexAddress {
    this.#checkOpen();
    checkTenant(tenant);
    return { tenant, name: "text" };
  }

  #checkOpen(): void {
    if (this.#isClosed)
      throw new LociError("CLOSED", { message: "The text index is closed.", advice: "Open it again." });
  }
}

function sentText(change: IndexChange): SentChange {
  const ref = memoryId(change.ref);
  const { version } = change;
  if (change.type === "delete") return { ref, version };
  const { scope, fields, terms } = change;
  return { ref, version, scope: formatScope(scope), fields, terms };
}

function textHits(refs: readonly Ref[], found: SentTexts, terms: number): readonly TextHit[] {
  const hits: TextHit[] = [];
  for (let row = 0; row < refs.length; row++) hits.push(new ReceivedText(refs[row] as Ref, found, row, terms));
  return hits;
}

/** One of hundreds at once, and so of a class: see decision 85. */
class ReceivedText implements TextHit {
  readonly ref: Ref;
  readonly version: Version;
  readonly length: number;
  readonly frequencies: readonly number[];

  constructor(ref: Ref, { versions, lengths, frequencies }: SentTexts, row: number, terms: number) {
    this.ref = ref;
    this.version = versions[row] as Version;
    this.length = lengths[row] as number;
    this.frequencies = numbersOfRow(frequencies, row, terms);
  }
}
