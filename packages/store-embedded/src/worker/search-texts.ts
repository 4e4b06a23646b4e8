import { Bm25, type Bm25Statistics, type Filter, type ScopeText, type Version } from "@loci/domain";
import type { TextStatistics } from "@loci/store";
import type { RowChange } from "../segments/index-row.ts";
import type { RowRange, Segment } from "../segments/segment.ts";
import type { TenantIndex } from "../segments/tenant-index.ts";
import { BestTexts, type FoundTexts } from "../text/best-texts.ts";
import { RowScores } from "../text/row-scores.ts";
import { SearchedSegment } from "../text/searched-segment.ts";
import type { TextContent } from "../text/text-content.ts";
import type { TextHead } from "../text/text-head.ts";
import type { PostingRange, TextPayload } from "../text/text-payload.ts";
import type { TextSource } from "../text/text-source.ts";
import { SentRowsBuilder } from "../segments/sent-rows-builder.ts";
import { refBytes } from "../segments/ref-bytes.ts";
import type { SentFrequencies, SentTexts, SentWords } from "./protocol.ts";

export type TextTenantIndex = TenantIndex<TextContent, TextPayload, TextHead>;

/** Which rows are looked for, and how many. */
export interface TextSelection {
  readonly where: Filter | undefined;
  readonly limit: number;
}

export interface TextQuery {
  readonly scopes: readonly ScopeText[];
  readonly terms: readonly string[];
  readonly statistics: Bm25Statistics | undefined;
  readonly selections: readonly TextSelection[];
}

/** Where the rows of a selection are collected. */
interface SelectedTexts {
  readonly where: Filter | undefined;
  readonly best: BestTexts;
}

/**
 * The best rows by BM25 for each selection, best first. Each row is scored once for all of them.
 *
 * @param checkpoint called now and then; throws when the search is over
 */
export function searchTexts(
  index: TextTenantIndex,
  { selections, ...query }: TextQuery,
  checkpoint: () => void,
): readonly SentTexts[] {
  const bm25 = new Bm25(query.statistics ?? textStatistics(index, query.terms));
  const selected = selections.map(({ where, limit }): SelectedTexts => ({ where, best: new BestTexts(limit) }));
  searchHead(index.head.index, query, bm25, selected);
  for (const segment of index.segments) {
    checkpoint();
    searchSegment(segment, query, bm25, selected, checkpoint);
  }
  return selected.map(({ best }) => sentTexts(best.sorted(), query.terms));
}

/** The numbers of all live rows. */
export function textStatistics(index: TextTenantIndex, terms: readonly string[]): TextStatistics {
  const head = index.head.index;
  return {
    checkpoint: index.checkpoint,
    documents: index.liveRows,
    totalLength: index.segments.reduce((sum, { payload }) => sum + payload.liveLength, head.totalLength),
    documentFrequencies: terms.map((term) =>
      index.segments.reduce((sum, segment) => sum + documentFrequency(segment, term), head.rowsWith(term)),
    ),
  };
}

/** The words of given rows; those that it does not hold are left out. @param refs packed */
export function textFrequencies(index: TextTenantIndex, refs: Uint8Array, terms: readonly string[]): SentFrequencies {
  const head = index.head.index;
  const segments = new Map(index.segments.map((segment) => [segment, new SearchedSegment(segment, terms)] as const));
  const sources: TextSource[] = [];
  const entries: number[] = [];
  const places: number[] = [];
  const versions: Version[] = [];
  for (let place = 0; place * refBytes < refs.byteLength; place++) {
    const at = index.findPacked(refs, place * refBytes);
    if (at === undefined) continue;
    const found = "change" in at ? rowOfHead(head, at.change) : rowOfSegment(segments.get(at.segment), at);
    if (found === undefined) continue;
    sources.push(found.source);
    entries.push(found.entry);
    places.push(place);
    versions.push(found.source.refs.version(found.entry));
  }
  return {
    places: Uint32Array.from(places),
    versions: Float64Array.from(versions),
    ...sentWords({ sources, entries }, terms),
  };
}

interface FoundRow {
  readonly source: TextSource;
  readonly entry: number;
}

function rowOfHead(head: TextHead, change: RowChange<TextContent>): FoundRow | undefined {
  const entry = change.scope === undefined ? undefined : head.numberOf(change);
  return entry === undefined ? undefined : { source: head, entry };
}

function rowOfSegment(
  source: SearchedSegment | undefined,
  { segment, entry }: { readonly segment: Segment<TextPayload>; readonly entry: number },
): FoundRow | undefined {
  return source === undefined || segment.isTombstone(entry) ? undefined : { source, entry };
}

/** What all selections share. */
type ScoredQuery = Pick<TextQuery, "scopes" | "terms">;

function searchHead(
  head: TextHead,
  { scopes, terms }: ScoredQuery,
  bm25: Bm25,
  selected: readonly SelectedTexts[],
): void {
  const targets = selected.map(({ where, best }) => ({ best, filter: where && head.filterOf(where) }));
  head.score(scopes, terms, bm25, (number, score) => {
    for (const { best, filter } of targets)
      if (score >= best.threshold && filter?.passes(number) !== false) best.offer(head, number, score);
  });
}

/** Between two stretches of rows it is empty, and nothing runs beside a search. */
const rowScores = new RowScores();

function searchSegment(
  segment: Segment<TextPayload>,
  { scopes, terms }: ScoredQuery,
  bm25: Bm25,
  selected: readonly SelectedTexts[],
  checkpoint: () => void,
): void {
  const targets = selected.flatMap(({ where, best }) => {
    const passes = where === undefined || segment.fields.test(where);
    return passes === false ? [] : [{ best, passes }];
  });
  if (targets.length === 0) return;
  const source = new SearchedSegment(segment, terms);
  for (const scope of scopes) {
    const range = segment.scopes.get(scope);
    if (range === undefined) continue;
    checkpoint();
    rowScores.reserve(range.end - range.start);
    for (const [term, postings] of source.ranges.entries()) addTerm(source.payload, postings, range, bm25, term);
    rowScores.take((place, score) => {
      const entry = range.start + place;
      for (const { best, passes } of targets)
        if (score >= best.threshold && !segment.isDead(entry) && (passes === true || passes(entry)))
          best.offer(source, entry, score);
    });
  }
}

/** Adds what one term is worth in each row of a stretch. Terms are added in their order, as `Bm25.score` does. */
function addTerm(
  payload: TextPayload,
  postings: PostingRange,
  { start, end }: RowRange,
  bm25: Bm25,
  term: number,
): void {
  const { lengths } = payload;
  const { rows, frequencies } = payload.postings;
  for (let at = payload.firstAtLeast(postings, start); at < postings.end; at++) {
    const row = rows[at] as number;
    if (row >= end) return;
    rowScores.add(row - start, bm25.termScore(term, frequencies[at] as number, lengths[row] as number));
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

function sentTexts(found: FoundTexts, terms: readonly string[]): SentTexts {
  const { sources, entries } = found;
  const rows = new SentRowsBuilder(entries.length);
  for (let place = 0; place < entries.length; place++)
    rows.addEntry((sources[place] as TextSource).refs, entries[place] as number);
  return { ...rows.finish(), ...sentWords(found, terms) };
}

function sentWords({ sources, entries }: FoundTexts, terms: readonly string[]): SentWords {
  const lengths = new Float64Array(entries.length);
  const frequencies = new Float64Array(entries.length * terms.length);
  const bySource = new Map<TextSource, { readonly entries: number[]; readonly places: number[] }>();
  for (let place = 0; place < entries.length; place++) {
    const source = sources[place] as TextSource;
    const entry = entries[place] as number;
    lengths[place] = source.lengths[entry] as number;
    let own = bySource.get(source);
    if (own === undefined) bySource.set(source, (own = { entries: [], places: [] }));
    own.entries.push(entry);
    own.places.push(place);
  }
  for (const [source, own] of bySource) source.writeFrequencies(terms, own.entries, own.places, frequencies);
  return { lengths, frequencies };
}
