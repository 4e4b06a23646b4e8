import { Bm25, type Bm25Statistics, type Filter, type ScopeText, type Version } from "@loci/domain";
import type { TextStatistics } from "@loci/store";
import type { RowRange, Segment } from "../segments/segment.ts";
import type { TenantIndex } from "../segments/tenant-index.ts";
import { BestTexts, type FoundText, type SearchedTexts } from "../text/best-texts.ts";
import { RowScores } from "../text/row-scores.ts";
import type { TextContent } from "../text/text-content.ts";
import { type TextHead, writeFrequencies } from "../text/text-head.ts";
import type { PostingRange, TextPayload } from "../text/text-payload.ts";
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
  return selected.map(({ best }) => sentTexts(best.sorted(), query.terms, index.head.index));
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

/** Of a row of the head that was not found by its words. */
const noNumber = -1;

/** The words of given rows; those that it does not hold are left out. @param refs packed */
export function textFrequencies(index: TextTenantIndex, refs: Uint8Array, terms: readonly string[]): SentFrequencies {
  const texts = new Map(index.segments.map((segment) => [segment, searchedTexts(segment, terms)] as const));
  const found: FoundText[] = [];
  const places: number[] = [];
  const versions: Version[] = [];
  for (let place = 0; place * refBytes < refs.byteLength; place++) {
    const at = index.findPacked(refs, place * refBytes);
    if (at === undefined) continue;
    if ("change" in at) {
      if (at.change.scope === undefined) continue;
      found.push({ source: at.change, entry: noNumber, score: 0 });
      versions.push(at.change.version);
    } else {
      const { segment, entry } = at;
      const source = texts.get(segment);
      if (source === undefined || segment.isTombstone(entry)) continue;
      found.push({ source, entry, score: 0 });
      versions.push(segment.refs.version(entry));
    }
    places.push(place);
  }
  return {
    places: Uint32Array.from(places),
    versions: Float64Array.from(versions),
    ...sentWords(found, terms, index.head.index),
  };
}

/** What all selections share. */
type ScoredQuery = Pick<TextQuery, "scopes" | "terms">;

function searchHead(
  head: TextHead,
  { scopes, terms }: ScoredQuery,
  bm25: Bm25,
  selected: readonly SelectedTexts[],
): void {
  const targets = selected.map(({ where, best }) => ({ best, passes: where && head.testOf(where) }));
  head.score(scopes, terms, bm25, (row, number, score) => {
    for (const { best, passes } of targets)
      if (score >= best.threshold && passes?.(number, row.fields) !== false)
        best.offer({ source: row, entry: number, score });
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
  const source = searchedTexts(segment, terms);
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
          best.offer({ source, entry, score });
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

function searchedTexts({ refs, payload }: Segment<TextPayload>, terms: readonly string[]): SearchedTexts {
  return { refs, payload, ranges: terms.map((term) => payload.range(term)) };
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

function sentTexts(found: readonly FoundText[], terms: readonly string[], head: TextHead): SentTexts {
  const rows = new SentRowsBuilder(found.length);
  for (const { source, entry } of found)
    if ("refs" in source) rows.addEntry(source.refs, entry);
    else rows.addChange(source);
  return { ...rows.finish(), ...sentWords(found, terms, head) };
}

function sentWords(found: readonly FoundText[], terms: readonly string[], head: TextHead): SentWords {
  const lengths = new Float64Array(found.length);
  const frequencies = new Float64Array(found.length * terms.length);
  const bySource = new Map<SearchedTexts, number[]>();
  const numbersInHead: number[] = [];
  const placesInHead: number[] = [];
  for (let place = 0; place < found.length; place++) {
    const { source, entry } = found[place] as FoundText;
    if ("refs" in source) {
      lengths[place] = source.payload.lengths[entry] as number;
      const places = bySource.get(source);
      if (places === undefined) bySource.set(source, [place]);
      else places.push(place);
    } else {
      lengths[place] = source.content.length;
      if (entry === noNumber) writeFrequencies(source, terms, frequencies, place * terms.length);
      else {
        numbersInHead.push(entry);
        placesInHead.push(place);
      }
    }
  }
  if (numbersInHead.length > 0) head.writeFrequencies(terms, numbersInHead, placesInHead, frequencies);
  for (const [{ payload, ranges }, places] of bySource) {
    places.sort((left, right) => (found[left] as FoundText).entry - (found[right] as FoundText).entry);
    const entries = new Uint32Array(places.length);
    for (let index = 0; index < places.length; index++)
      entries[index] = (found[places[index] as number] as FoundText).entry;
    for (let term = 0; term < ranges.length; term++)
      payload.writeFrequencies(ranges[term] as PostingRange, entries, places, frequencies, term, terms.length);
  }
  return { lengths, frequencies };
}
