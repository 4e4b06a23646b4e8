import { Bm25, type Filter, type Ref, type ScopeText } from "@loci/domain";
import { matchesFilter, type TextStatistics } from "@loci/store";
import type { IndexRow } from "../segments/index-row.ts";
import { RefTable } from "../segments/ref-table.ts";
import type { Segment } from "../segments/segment.ts";
import type { TenantIndex } from "../segments/tenant-index.ts";
import { BestTexts, type FoundText } from "../text/best-texts.ts";
import type { TextContent } from "../text/text-content.ts";
import type { TextHead } from "../text/text-head.ts";
import type { PostingRange, TextPayload } from "../text/text-payload.ts";
import { SentRowsBuilder } from "../segments/sent-rows-builder.ts";
import type { SentTexts } from "./protocol.ts";

export type TextTenantIndex = TenantIndex<TextContent, TextPayload, TextHead>;

export interface TextQuery {
  readonly scopes: readonly ScopeText[];
  readonly terms: readonly string[];
  readonly where: Filter | undefined;
  readonly limit: number;
  readonly statistics: TextStatistics | undefined;
}

/** The best rows by BM25, best first. @param checkpoint called now and then; throws when the search is over */
export function searchTexts(index: TextTenantIndex, query: TextQuery, checkpoint: () => void): SentTexts {
  const bm25 = new Bm25(query.statistics ?? textStatistics(index, query.terms));
  const best = new BestTexts(query.limit);
  searchHead(index.head.index, query, bm25, best);
  for (const segment of index.segments) {
    checkpoint();
    searchSegment(segment, query, bm25, best, checkpoint);
  }
  return sentTexts(best.sorted(), query.terms.length);
}

/** The numbers of all live rows. */
export function textStatistics(index: TextTenantIndex, terms: readonly string[]): TextStatistics {
  const head = index.head.index;
  return {
    documents: index.liveRows,
    totalLength: index.segments.reduce((sum, { payload }) => sum + payload.liveLength, head.totalLength),
    documentFrequencies: terms.map((term) =>
      index.segments.reduce((sum, segment) => sum + documentFrequency(segment, term), head.rowsWith(term).size),
    ),
  };
}

/** The words of given rows; those that it does not hold are left out. */
export function textFrequencies(index: TextTenantIndex, refs: readonly Ref[], terms: readonly string[]): SentTexts {
  const ranges = new Map(
    index.segments.map((segment) => [segment, terms.map((term) => segment.payload.range(term))] as const),
  );
  const found = refs.flatMap((ref): FoundText[] => {
    const place = index.find(ref);
    if (place === undefined) return [];
    if ("change" in place) return place.change.scope === undefined ? [] : [headText(place.change, terms, 0)];
    const { segment, entry } = place;
    if (segment.isTombstone(entry)) return [];
    const { payload } = segment;
    const frequencies = (ranges.get(segment) ?? []).map((range) => payload.frequency(range, entry));
    return [{ source: segment.refs, entry, length: payload.lengths[entry] as number, frequencies, score: 0 }];
  });
  return sentTexts(found, terms.length);
}

function searchHead(head: TextHead, { scopes, terms, where }: TextQuery, bm25: Bm25, best: BestTexts): void {
  const wanted = new Set(scopes);
  const rows = new Set<IndexRow<TextContent>>();
  for (const term of terms) for (const row of head.rowsWith(term)) if (wanted.has(row.scope)) rows.add(row);
  for (const row of rows) {
    if (where !== undefined && !matchesFilter(where, row.fields)) continue;
    const found = headText(row, terms, 0);
    best.offer({ ...found, score: bm25.score(found.frequencies, found.length) });
  }
}

function headText(row: IndexRow<TextContent>, terms: readonly string[], score: number): FoundText {
  const frequencies = terms.map((term) => row.content.terms.get(term) ?? 0);
  return { source: row, entry: 0, length: row.content.length, frequencies, score };
}

function searchSegment(
  segment: Segment<TextPayload>,
  { scopes, terms, where }: TextQuery,
  bm25: Bm25,
  best: BestTexts,
  checkpoint: () => void,
): void {
  const { payload } = segment;
  const { rows, frequencies } = payload.postings;
  const ranges = terms.map((term) => payload.range(term));
  const passes = where === undefined ? undefined : segment.fields.test(where);
  for (const scope of scopes) {
    const scopeRows = segment.scopes.get(scope);
    if (scopeRows === undefined) continue;
    checkpoint();
    const cursors = ranges.map((range) => payload.firstAtLeast(range, scopeRows.start));
    const ends = ranges.map((range, term) =>
      payload.firstAtLeast({ start: cursors[term] as number, end: range.end }, scopeRows.end),
    );
    // All terms' rows together in ascending order: of each row all frequencies are known at once.
    const current = new Float64Array(terms.length);
    for (;;) {
      let row = Infinity;
      for (let term = 0; term < terms.length; term++)
        if ((cursors[term] as number) < (ends[term] as number))
          row = Math.min(row, rows[cursors[term] as number] as number);
      if (row === Infinity) break;
      for (let term = 0; term < terms.length; term++) {
        const cursor = cursors[term] as number;
        const has = cursor < (ends[term] as number) && rows[cursor] === row;
        current[term] = has ? (frequencies[cursor] as number) : 0;
        if (has) cursors[term] = cursor + 1;
      }
      const length = payload.lengths[row] as number;
      const score = bm25.score(current, length);
      if (score < best.threshold || segment.isDead(row) || (passes !== undefined && !passes(row))) continue;
      best.offer({ source: segment.refs, entry: row, length, frequencies: [...current], score });
    }
  }
}

function documentFrequency(segment: Segment<TextPayload>, term: string): number {
  const { payload } = segment;
  const range: PostingRange = payload.range(term);
  let live = range.end - range.start;
  if (segment.liveRows === segment.rows) return live;
  for (let posting = range.start; posting < range.end; posting++)
    if (segment.isDead(payload.postings.rows[posting] as number)) live--;
  return live;
}

function sentTexts(found: readonly FoundText[], terms: number): SentTexts {
  const rows = new SentRowsBuilder(found.length);
  const lengths = Float64Array.from(found, ({ length }) => length);
  const frequencies = new Float64Array(found.length * terms);
  for (const [index, { source, entry, frequencies: own }] of found.entries()) {
    if (source instanceof RefTable) rows.addEntry(source, entry);
    else rows.addChange(source);
    frequencies.set(own, index * terms);
  }
  return { ...rows.finish(), lengths, frequencies };
}
