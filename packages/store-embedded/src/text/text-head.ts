import type { Bm25, Filter, ScopeText } from "@loci/domain";
import { FilterVerdicts, type NumberedFilter } from "../segments/filter-verdicts.ts";
import { HeadRefs } from "../segments/head-refs.ts";
import type { IndexRow } from "../segments/index-row.ts";
import type { HeadIndex } from "../segments/payload.ts";
import { HeadPostings } from "./head-postings.ts";
import { RowScores } from "./row-scores.ts";
import type { TextContent } from "./text-content.ts";
import type { TextSource } from "./text-source.ts";

type Row = IndexRow<TextContent>;

interface HeadScope {
  /** Stands for the scope in what is kept of each row. */
  readonly number: number;
  /** Its rows, by which they are numbered. */
  readonly rows: Map<Row, number>;
}

/** Is told of a row by its number, and of its score. */
type GiveRow = (number: number, score: number) => void;

/** To look a word up in a row takes as long as to pass over so many rows that have it. */
const rowsPassedInOneLook = 8;
/** So many removed rows stay, and as many as there are others. */
const keptRemovedRows = 256;

/** Between two searches it is empty, and nothing runs beside a search. */
const rowScores = new RowScores();

/** Words of rows that are not in a segment yet. */
export class TextHead implements HeadIndex<TextContent>, TextSource {
  readonly #postings = new Map<string, HeadPostings>();
  readonly #scopes = new Map<ScopeText, HeadScope>();
  readonly #verdicts = new FilterVerdicts((number) => (this.#rows[number] as Row).fields);
  /** By number; `undefined` for those that were removed. */
  #rows: (Row | undefined)[] = [];
  #lengths: number[] = [];
  #refs = new HeadRefs();
  /** The number of each row's scope. */
  #scopeNumbers: number[] = [];
  #lastScope = 0;
  #liveRows = 0;
  #totalLength = 0;

  /** By number. */
  get refs(): HeadRefs {
    return this.#refs.addNew(this.#rows);
  }

  /** By number. */
  get lengths(): readonly number[] {
    return this.#lengths;
  }

  /** Sum of the lengths of its rows. */
  get totalLength(): number {
    return this.#totalLength;
  }

  /** Rows that it has room for, with those that were removed. */
  get numberedRows(): number {
    return this.#rows.length;
  }

  add(row: Row): void {
    const { terms, length } = row.content;
    const number = this.#rows.push(row) - 1;
    const scope = this.#scopeOf(row.scope);
    scope.rows.set(row, number);
    this.#scopeNumbers.push(scope.number);
    this.#lengths.push(length);
    this.#totalLength += length;
    this.#liveRows++;
    for (const [term, frequency] of terms) {
      let postings = this.#postings.get(term);
      if (postings === undefined) this.#postings.set(term, (postings = new HeadPostings()));
      postings.add(number, frequency);
    }
  }

  remove(row: Row): void {
    const scope = this.#scopes.get(row.scope);
    const number = scope?.rows.get(row);
    if (scope === undefined || number === undefined) return;
    scope.rows.delete(row);
    if (scope.rows.size === 0) this.#scopes.delete(row.scope);
    this.#rows[number] = undefined;
    this.#totalLength -= row.content.length;
    this.#liveRows--;
    for (const term of row.content.terms.keys()) {
      const postings = this.#postings.get(term);
      // A word that no row has any more is not kept.
      if (postings !== undefined && --postings.liveRows === 0) this.#postings.delete(term);
    }
    const removed = this.#rows.length - this.#liveRows;
    if (removed > keptRemovedRows && removed > this.#liveRows) this.#numberAnew();
  }

  /** What a filter says of the rows that {@link score} gives. Good until something is added or removed. */
  filterOf(filter: Filter): NumberedFilter {
    return this.#verdicts.of(filter, this.#rows.length);
  }

  /** The number of a row that is in it. Good until something is added or removed. */
  numberOf(row: Row): number | undefined {
    return this.#scopes.get(row.scope)?.rows.get(row);
  }

  /** How many rows have a term. */
  rowsWith(term: string): number {
    return this.#postings.get(term)?.liveRows ?? 0;
  }

  /**
   * Gives all rows of the scopes that have any of the terms, by their numbers and with their scores: `Bm25.score`, bit for bit. Of two
   * ways, the one that looks at fewer. A number stands for its row until something is added or removed.
   *
   * @param bm25 of these terms
   */
  score(scopes: readonly ScopeText[], terms: readonly string[], bm25: Bm25, give: GiveRow): void {
    const found = [...new Set(scopes)].flatMap((scope) => this.#scopes.get(scope) ?? []);
    const postings = terms.map((term) => this.#postings.get(term));
    const ofScopes = found.reduce((sum, { rows }) => sum + rows.size, 0);
    if (ofScopes === 0 || postings.every((ofTerm) => ofTerm === undefined)) return;
    if (isQuickerByRows(ofScopes, postings)) for (const { rows } of found) scoreEach(rows, terms, bm25, give);
    else this.#scorePostings(found, postings, bm25, give);
  }

  #scorePostings(
    scopes: readonly HeadScope[],
    postings: readonly (HeadPostings | undefined)[],
    bm25: Bm25,
    give: GiveRow,
  ): void {
    const numbers = new Set(scopes.map(({ number }) => number));
    const isAll = numbers.size === this.#scopes.size;
    rowScores.reserve(this.#rows.length);
    // Terms are added in their order, as `Bm25.score` does.
    for (const [term, ofTerm] of postings.entries()) {
      if (ofTerm === undefined) continue;
      const { rows, frequencies } = ofTerm;
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at] as number;
        if (!isAll && !numbers.has(this.#scopeNumbers[row] as number)) continue;
        rowScores.add(row, bm25.termScore(term, frequencies[at] as number, this.#lengths[row] as number));
      }
    }
    rowScores.take((number, score) => {
      if (this.#rows[number] !== undefined) give(number, score);
    });
  }

  /** @param numbers of the rows, as `score` gave them */
  writeFrequencies(
    terms: readonly string[],
    numbers: readonly number[],
    places: readonly number[],
    frequencies: Float64Array,
  ): void {
    const postings = terms.map((term) => this.#postings.get(term));
    if (isQuickerByRows(numbers.length, postings)) {
      for (let index = 0; index < numbers.length; index++)
        writeWords(
          this.#rows[numbers[index] as number] as Row,
          terms,
          frequencies,
          (places[index] as number) * terms.length,
        );
      return;
    }
    const placesOfRows = new Int32Array(this.#rows.length).fill(-1);
    for (let index = 0; index < numbers.length; index++)
      placesOfRows[numbers[index] as number] = places[index] as number;
    for (let term = 0; term < terms.length; term++) {
      const ofTerm = postings[term];
      if (ofTerm === undefined) continue;
      for (let at = 0; at < ofTerm.rows.length; at++) {
        const place = placesOfRows[ofTerm.rows[at] as number] as number;
        if (place >= 0) frequencies[place * terms.length + term] = ofTerm.frequencies[at] as number;
      }
    }
  }

  #scopeOf(text: ScopeText): HeadScope {
    let scope = this.#scopes.get(text);
    if (scope === undefined) this.#scopes.set(text, (scope = { number: ++this.#lastScope, rows: new Map() }));
    return scope;
  }

  /** Forgets the rows that were removed. */
  #numberAnew(): void {
    const rows = this.#rows.filter((row) => row !== undefined);
    this.#postings.clear();
    this.#scopes.clear();
    this.#verdicts.clear();
    [this.#rows, this.#lengths, this.#scopeNumbers] = [[], [], []];
    this.#refs = new HeadRefs();
    this.#liveRows = 0;
    this.#totalLength = 0;
    for (const row of rows) this.add(row);
  }
}

/** Whether to look up each term in so many rows looks at fewer than to go through all rows that have the terms. */
function isQuickerByRows(rows: number, postings: readonly (HeadPostings | undefined)[]): boolean {
  const ofTerms = postings.reduce((sum, ofTerm) => sum + (ofTerm?.rows.length ?? 0), 0);
  return rows * postings.length * rowsPassedInOneLook < ofTerms;
}

function scoreEach(rows: ReadonlyMap<Row, number>, terms: readonly string[], bm25: Bm25, give: GiveRow): void {
  const frequencies = new Float64Array(terms.length);
  for (const [row, number] of rows)
    if (writeWords(row, terms, frequencies, 0)) give(number, bm25.score(frequencies, row.content.length));
}

/** @param from where in `frequencies` those of the row begin @returns whether any of the terms stands in the row */
function writeWords({ content }: Row, terms: readonly string[], frequencies: Float64Array, from: number): boolean {
  let found = 0;
  for (let term = 0; term < terms.length; term++)
    found += frequencies[from + term] = content.terms.get(terms[term] as string) ?? 0;
  return found > 0;
}
