import {
  Bm25,
  CallSignal,
  type CallOptions,
  formatScope,
  LociError,
  type Ref,
  type Sequence,
  type TenantId,
  type Version,
} from "@loci/domain";
import {
  checkChanges,
  checkTenant,
  checkTextSearch,
  checkThrough,
  type IndexChange,
  type IndexMaintenanceOptions,
  matchesFilter,
  type TextHit,
  type TextIndex,
  type TextSearch,
  type TextStatistics,
} from "@loci/store";
import { BestRows } from "./best-rows.ts";
import { ScanPace } from "./scan-pace.ts";
import { TenantTexts, type TextRow } from "./tenant-texts.ts";

/** Opens an empty text index in this process's memory. Ranks exactly. Everything is gone after `close`. */
export function openMemoryTextIndex(): TextIndex {
  return new MemoryTextIndex();
}

class MemoryTextIndex implements TextIndex {
  readonly name = "memory";
  readonly durable = false;
  readonly #tenants = new Map<TenantId, TenantTexts>();
  #isClosed = false;

  async apply(
    tenant: TenantId,
    changes: readonly IndexChange[],
    through: Sequence,
    options?: CallOptions,
  ): Promise<void> {
    this.#check(tenant, options);
    checkThrough(through);
    checkChanges(changes, undefined);
    let texts = this.#tenants.get(tenant);
    if (texts === undefined) this.#tenants.set(tenant, (texts = new TenantTexts()));
    texts.rows.apply(changes, through);
  }

  async maintain(options?: IndexMaintenanceOptions): Promise<void> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.#checkOpen();
  }

  async reset(tenant: TenantId, options?: CallOptions): Promise<void> {
    this.#check(tenant, options);
    this.#tenants.delete(tenant);
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    this.#check(tenant);
    return this.#tenants.get(tenant)?.rows.checkpoint ?? 0;
  }

  async search(request: TextSearch, options?: CallOptions): Promise<readonly TextHit[]> {
    using call = new CallSignal(options);
    const pace = new ScanPace(call);
    this.#checkOpen();
    const scopes = new Set(checkTextSearch(request).map(formatScope));
    const texts = this.#tenants.get(request.tenant);
    if (texts === undefined) return [];

    const { terms, where } = request;
    const ranking = new Bm25(request.statistics ?? texts.statistics(terms));
    const best = new BestRows<TextRow>(request.limit);
    const frequencies = terms.map(() => 0);
    // Copies of all lists before the first pause, so that the scan sees one state.
    for (const [position, rows] of terms.map((term) => texts.rowsWith(term)).entries())
      for (const row of rows) {
        if (pace.isPauseDue()) await pace.pause();
        if (!scopes.has(row.scope) || (where !== undefined && !matchesFilter(where, row.fields))) continue;
        terms.forEach((term, index) => (frequencies[index] = row.terms.get(term) ?? 0));
        const isFirstPlace = frequencies.findIndex((frequency) => frequency > 0) === position;
        if (isFirstPlace) best.offer(row, ranking.score(frequencies, row.length));
      }
    return best.sorted().map((row) => hitOf(row, terms));
  }

  async frequencies(
    tenant: TenantId,
    refs: readonly Ref[],
    terms: readonly string[],
    options?: CallOptions,
  ): Promise<readonly TextHit[]> {
    this.#check(tenant, options);
    const texts = this.#tenants.get(tenant);
    return refs.flatMap((ref) => {
      const row = texts?.rows.row(ref);
      return row === undefined ? [] : [hitOf(row, terms)];
    });
  }

  async statistics(tenant: TenantId, terms: readonly string[], options?: CallOptions): Promise<TextStatistics> {
    this.#check(tenant, options);
    return (this.#tenants.get(tenant) ?? new TenantTexts()).statistics(terms);
  }

  async *refs(tenant: TenantId): AsyncGenerator<{ readonly ref: Ref; readonly version: Version }> {
    this.#check(tenant);
    for (const { ref, version } of this.#tenants.get(tenant)?.rows.allRows() ?? []) yield { ref, version };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#tenants.clear();
  }

  #check(tenant: TenantId, options?: CallOptions): void {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.#checkOpen();
    checkTenant(tenant);
  }

  #checkOpen(): void {
    if (this.#isClosed)
      throw new LociError("CLOSED", { message: "The text index is closed.", advice: "Open it again." });
  }
}

function hitOf({ ref, version, length, terms: own }: TextRow, terms: readonly string[]): TextHit {
  return { ref, version, length, frequencies: terms.map((term) => own.get(term) ?? 0) };
}
