import { Bm25, type CallOptions, CallSignal, type Ref, type Sequence, type TenantId } from "@loci/domain";
import {
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
import type { Table } from "@lancedb/lancedb";
import { ArrowColumns } from "./arrow-columns.ts";
import { selectionSql } from "./filter-sql.ts";
import { hasKey, rowKey } from "./index-rows.ts";
import type { LanceTable } from "./lance-table.ts";
import { effectiveChanges, type RefState } from "./latest-states.ts";
import { column, literal, literals } from "./sql.ts";
import { TenantPlaces } from "./tenant-places.ts";
import { lengthOf, textTable, type TextTotals } from "./text-rows.ts";

interface TextPlace extends TextTotals {
  readonly through: Sequence;
}

interface TextState extends RefState {
  readonly length: number;
}

/**
 * The words of every tenant's texts: one LanceDB table. Each row holds its terms as a list, over which LanceDB keeps a
 * bitmap of rows for each term, so that rows are found and counted by terms exactly, and ranked here.
 */
export class LanceTextIndex implements TextIndex {
  readonly name = "lancedb";
  readonly durable = true;
  readonly table: LanceTable;
  readonly #close: () => Promise<void>;
  readonly #places = new TenantPlaces<TextPlace>();

  /** @param close ends the table; what is being written is waited for */
  constructor(table: LanceTable, close: () => Promise<void>) {
    this.table = table;
    this.#close = close;
  }

  async apply(tenant: TenantId, changes: readonly IndexChange[], through: Sequence, call?: CallOptions): Promise<void> {
    this.table.checkOpen();
    checkTenant(tenant);
    checkThrough(through);
    checkChanges(changes, undefined);
    // The write may begin after the caller has changed its terms.
    const own = changes.map((change) =>
      change.type === "delete" ? change : { ...change, terms: new Map(change.terms) },
    );
    await this.table.write(async ({ table, merge }) => {
      const place = await this.#place(table, tenant);
      if (through < place.through) return;
      await this.#places.change(tenant, async () => {
        const held = await heldStates(table, tenant, own);
        const effective = [...effectiveChanges(own, held).values()];
        const totals = totalsAfter(place, effective, held);
        await merge(textTable(tenant, effective, totals, through));
        return { ...totals, through };
      });
    }, call);
  }

  async reset(tenant: TenantId, call?: CallOptions): Promise<void> {
    this.table.checkOpen();
    checkTenant(tenant);
    await this.table.write(async ({ remove }) => {
      this.#places.forget(tenant);
      await remove(`${column("tenant")} = ${literal(tenant)}`);
    }, call);
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    return (await this.#knownPlace(tenant)).through;
  }

  async search(request: TextSearch, options?: CallOptions): Promise<readonly TextHit[]> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.table.checkOpen();
    const scopes = checkTextSearch(request);
    const { tenant, terms, where, limit } = request;
    const selection = `${selectionSql(tenant, scopes, where)} AND array_has_any(${column("terms")}, [${literals(terms)}])`;
    const [statistics, rows] = await Promise.all([
      request.statistics ?? this.statistics(tenant, terms, options),
      this.table.read((table) => textRows(table, selection, terms), call),
    ]);
    const ranking = new Bm25(statistics);
    const scores = Float64Array.from({ length: rows.size }, (_, row) =>
      ranking.score(rows.frequencies(row), rows.lengths[row] as number),
    );
    return rows.hits(bestRows(scores, rows.refs, limit));
  }

  async frequencies(
    tenant: TenantId,
    refs: readonly Ref[],
    terms: readonly string[],
    options?: CallOptions,
  ): Promise<readonly TextHit[]> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.table.checkOpen();
    checkTenant(tenant);
    if (refs.length === 0) return [];
    const keys = [...new Set(refs.map((ref) => rowKey(tenant, ref)))];
    const selection = `${hasKey(keys)} AND ${column("scope")} IS NOT NULL`;
    const rows = await this.table.read((table) => textRows(table, selection, terms), call);
    return rows.hits(rows.refs.keys().toArray());
  }

  async statistics(tenant: TenantId, terms: readonly string[], options?: CallOptions): Promise<TextStatistics> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    const { through: checkpoint, documents, totalLength } = await this.#knownPlace(tenant);
    const own = `${column("tenant")} = ${literal(tenant)}`;
    const documentFrequencies = await this.table.read(
      (table) =>
        Promise.all(terms.map((term) => table.countRows(`${own} AND array_has(${column("terms")}, ${literal(term)})`))),
      call,
    );
    return { checkpoint, documents, totalLength, documentFrequencies };
  }

  async *refs(tenant: TenantId): AsyncGenerator<{ readonly ref: Ref; readonly version: number }> {
    using call = new CallSignal(undefined);
    this.table.checkOpen();
    checkTenant(tenant);
    const selection = `${column("tenant")} = ${literal(tenant)} AND ${column("scope")} IS NOT NULL`;
    const rows = await this.table.read((table) => textRows(table, selection, []), call);
    for (const [index, ref] of rows.refs.entries()) yield { ref, version: rows.versions[index] as number };
  }

  async maintain(options?: IndexMaintenanceOptions): Promise<void> {
    await this.table.maintain(options);
  }

  async close(): Promise<void> {
    await this.#close();
  }

  async #knownPlace(tenant: TenantId): Promise<TextPlace> {
    this.table.checkOpen();
    checkTenant(tenant);
    // Behind the writes: what a table shows may not be durable yet.
    return this.#places.get(tenant) ?? this.table.write(({ table }) => this.#place(table, tenant));
  }

  async #place(table: Table, tenant: TenantId): Promise<TextPlace> {
    const known = this.#places.get(tenant);
    if (known !== undefined) return known;
    const found = await table
      .query()
      .where(hasKey([rowKey(tenant)]))
      .select(["version", "documents", "length"])
      .toArrow();
    const rows = new ArrowColumns(found);
    const place = {
      through: rows.numbers("version")[0] ?? 0,
      documents: rows.numbers("documents")[0] ?? 0,
      totalLength: rows.numbers("length")[0] ?? 0,
    };
    this.#places.set(tenant, place);
    return place;
  }
}

async function heldStates(
  table: Table,
  tenant: TenantId,
  changes: readonly IndexChange[],
): Promise<ReadonlyMap<Ref, TextState>> {
  const keys = [...new Set(changes.map(({ ref }) => rowKey(tenant, ref)))];
  if (keys.length === 0) return new Map();
  const found = await table.query().where(hasKey(keys)).select(["ref", "version", "scope", "length"]).toArrow();
  const rows = new ArrowColumns(found);
  const [versions, lengths, scopes] = [rows.numbers("version"), rows.numbers("length"), rows.texts("scope")];
  return new Map(
    rows
      .refs()
      .map((ref, index) => [
        ref,
        { version: versions[index] as number, length: lengths[index] as number, isLive: scopes[index] !== null },
      ]),
  );
}

function totalsAfter(
  before: TextTotals,
  changes: readonly IndexChange[],
  held: ReadonlyMap<Ref, TextState>,
): TextTotals {
  let { documents, totalLength } = before;
  for (const change of changes) {
    const old = held.get(change.ref);
    if (old?.isLive === true) documents--;
    if (change.type === "upsert") documents++;
    totalLength += lengthOf(change) - (old?.length ?? 0);
  }
  return { documents, totalLength };
}

interface TextRows {
  readonly size: number;
  readonly refs: readonly Ref[];
  readonly versions: Float64Array;
  readonly lengths: Float64Array;
  /** How often each term stands in a row. */
  frequencies(row: number): readonly number[];
  hits(rows: readonly number[]): readonly TextHit[];
}

/** LanceDB picks the frequencies of the asked-for terms out of each row's list; terms never leave it. */
async function textRows(table: Table, selection: string, terms: readonly string[]): Promise<TextRows> {
  const picked = terms.map((term, index): [string, string] => {
    const place = `CAST(array_position(${column("terms")}, ${literal(term)}) AS BIGINT)`;
    return [`f${index}`, `CAST(COALESCE(array_element(${column("frequencies")}, ${place}), 0) AS DOUBLE)`];
  });
  const plain = ["ref", "version", "length"].map((name): [string, string] => [name, column(name)]);
  const found = new ArrowColumns(
    await table
      .query()
      .where(selection)
      .select(new Map([...plain, ...picked]))
      .toArrow(),
  );
  const [refs, versions, lengths] = [found.refs(), found.numbers("version"), found.numbers("length")];
  const columns = picked.map(([name]) => found.numbers(name));
  const frequencies = (row: number): readonly number[] => columns.map((values) => values[row] as number);
  const hit = (row: number): TextHit => ({
    ref: refs[row] as Ref,
    version: versions[row] as number,
    length: lengths[row] as number,
    frequencies: frequencies(row),
  });
  return { size: found.size, refs, versions, lengths, frequencies, hits: (rows) => rows.map(hit) };
}

/** The best rows by score, then by ref. */
function bestRows(scores: Float64Array, refs: readonly Ref[], limit: number): readonly number[] {
  const least = scores.length <= limit ? -Infinity : (scores.toSorted().at(-limit) as number);
  const rows = [...scores.keys()].filter((row) => (scores[row] as number) >= least);
  const byScore = (left: number, right: number): number =>
    (scores[right] as number) - (scores[left] as number) || ((refs[left] as Ref) < (refs[right] as Ref) ? -1 : 1);
  return rows.toSorted(byScore).slice(0, limit);
}
