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
import type { KeptRoom } from "./kept/kept-room.ts";
import { keptFrequencies, keptTexts, searchKeptTexts } from "./kept/kept-text-search.ts";
import type { Connections } from "./postgres/connections.ts";
import type { Statements } from "./postgres/transaction.ts";
import { RowStore } from "./row-store.ts";
import { type TextTables, textTables } from "./schema/tables.ts";
import { vacuum } from "./schema/vacuum.ts";
import { comparePages } from "./text/compare-pages.ts";
import { searchTexts, textFrequencies, textStatistics } from "./text/search-texts.ts";
import { writeTexts } from "./text/write-texts.ts";

export interface PostgresTextIndexOptions {
  readonly schema: string;
  /** See `openSchema`. */
  readonly notesChanges: boolean;
  /** Where words are kept that are searched again and again. `undefined`: nowhere. */
  readonly room: KeptRoom | undefined;
  /** As `KeepingAccount` has it. */
  readonly keepingPatience: number;
}

/** Words of every tenant, in the tables of one schema. Ranks exactly. */
export class PostgresTextIndex implements TextIndex {
  readonly name = "postgres";
  readonly durable = true;
  readonly #connections: Connections;
  readonly #tables: TextTables;
  readonly #rows: RowStore;
  readonly #kept: ReturnType<typeof keptTexts> | undefined;
  #isClosed = false;

  constructor(connections: Connections, options: PostgresTextIndexOptions) {
    const { schema, notesChanges, room, keepingPatience: patience } = options;
    const tables = textTables(schema);
    this.#connections = connections;
    this.#tables = tables;
    this.#rows = new RowStore(connections, tables, notesChanges);
    if (room !== undefined && notesChanges) this.#kept = keptTexts({ connections, tables, room, patience });
  }

  async apply(
    tenant: TenantId,
    changes: readonly IndexChange[],
    through: Sequence,
    options?: ApplyOptions,
  ): Promise<void> {
    this.#check(tenant);
    checkThrough(through);
    checkChanges(changes, undefined);
    await this.#rows.apply(tenant, changes, through, options, (writing) => writeTexts(this.#tables, writing));
  }

  async maintain(options: IndexMaintenanceOptions = {}): Promise<void> {
    this.#checkOpen();
    if (options.purge === true) this.#kept?.forget();
    const { rows, divisions, postings, terms, checkpoints, recent } = this.#tables;
    const tables = [rows, divisions, postings, terms, checkpoints, ...(this.#rows.notesChanges ? [recent] : [])];
    await this.#connections.alone(rows, options, (statements) => vacuum(statements, tables, options));
  }

  async reset(tenant: TenantId, options?: CallOptions): Promise<void> {
    this.#check(tenant);
    const { divisions, postings, terms } = this.#tables;
    this.#kept?.forget(tenant);
    await this.#rows.reset(tenant, options, [divisions, postings, terms]);
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    this.#check(tenant);
    return this.#rows.checkpoint(tenant);
  }

  async search(request: TextSearch, options?: CallOptions): Promise<readonly TextHit[]> {
    this.#checkOpen();
    const scopes = checkTextSearch(request).map(formatScope);
    const { tenant, terms, statistics } = request;
    if (statistics !== undefined) {
      const indexes = { connections: this.#connections, tables: this.#tables };
      const kept = this.#kept && (await searchKeptTexts(this.#kept, indexes, request, scopes, statistics, options));
      return kept ?? searchTexts(this.#connections.reader(tenant, options), this.#tables, request, scopes, statistics);
    }
    const search = async (transaction: Statements): Promise<readonly TextHit[]> => {
      const own = await textStatistics(transaction, this.#tables, tenant, terms);
      return searchTexts(transaction, this.#tables, request, scopes, own);
    };
    return this.#connections.transaction(tenant, options, search, { isReadOnly: true });
  }

  async frequencies(
    tenant: TenantId,
    refs: readonly Ref[],
    terms: readonly string[],
    options?: CallOptions,
  ): Promise<readonly TextHit[]> {
    this.#check(tenant);
    const checked = refs.map(memoryId);
    const kept = this.#kept && (await keptFrequencies(this.#kept, tenant, checked, terms, options));
    if (kept !== undefined) return kept;
    return textFrequencies(this.#connections.reader(tenant, options), this.#tables, tenant, checked, terms);
  }

  async statistics(tenant: TenantId, terms: readonly string[], options?: CallOptions): Promise<TextStatistics> {
    this.#check(tenant);
    return textStatistics(this.#connections.reader(tenant, options), this.#tables, tenant, terms);
  }

  /**
   * As searches find them: one of which some word is not on the pages is left out, one of which some word is there too often is
   * listed twice, and words of no row are listed as a row that nobody knows.
   */
  async *refs(tenant: TenantId): AsyncGenerator<{ readonly ref: Ref; readonly version: Version }> {
    this.#check(tenant);
    const { lost, doubled, leftOver } = await comparePages(
      this.#connections.reader(tenant, undefined),
      this.#tables,
      tenant,
    );
    for await (const row of this.#rows.refs(tenant)) {
      if (!lost.has(row.ref)) yield row;
      if (doubled.has(row.ref)) yield row;
    }
    for (const ref of leftOver) yield { ref, version: 1 };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#kept?.close();
  }

  #check(tenant: TenantId): void {
    this.#checkOpen();
    checkTenant(tenant);
  }

  #checkOpen(): void {
    if (this.#isClosed)
      throw new LociError("CLOSED", { message: "The text index is closed.", advice: "Open it again." });
  }
}
