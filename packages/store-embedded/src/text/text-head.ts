import type { ScopeText } from "@loci/domain";
import type { IndexRow } from "../segments/index-row.ts";
import type { HeadIndex } from "../segments/payload.ts";
import type { TextContent } from "./text-content.ts";

type Row = IndexRow<TextContent>;

const none: ReadonlySet<Row> = new Set();

/** Words of rows that are not in a segment yet. */
export class TextHead implements HeadIndex<TextContent> {
  readonly #rowsByTerm = new Map<string, Set<Row>>();
  readonly #rowsByScope = new Map<ScopeText, Set<Row>>();
  #totalLength = 0;

  /** Sum of the lengths of its rows. */
  get totalLength(): number {
    return this.#totalLength;
  }

  add(row: Row): void {
    this.#totalLength += row.content.length;
    put(this.#rowsByScope, row.scope, row);
    for (const term of row.content.terms.keys()) put(this.#rowsByTerm, term, row);
  }

  remove(row: Row): void {
    this.#totalLength -= row.content.length;
    drop(this.#rowsByScope, row.scope, row);
    for (const term of row.content.terms.keys()) drop(this.#rowsByTerm, term, row);
  }

  rowsWith(term: string): ReadonlySet<Row> {
    return this.#rowsByTerm.get(term) ?? none;
  }

  /** Rows of the scopes, and among them all that have any of the terms: of two ways the one that looks at fewer. */
  candidates(scopes: ReadonlySet<ScopeText>, terms: readonly string[]): Iterable<Row> {
    let ofScopes = 0;
    for (const scope of scopes) ofScopes += this.#rowsByScope.get(scope)?.size ?? 0;
    let ofTerms = 0;
    for (const term of terms) ofTerms += this.rowsWith(term).size;
    return ofScopes <= ofTerms ? this.#rowsOf(scopes) : this.#rowsWithAny(scopes, terms);
  }

  *#rowsOf(scopes: ReadonlySet<ScopeText>): Iterable<Row> {
    for (const scope of scopes) yield* this.#rowsByScope.get(scope) ?? none;
  }

  #rowsWithAny(scopes: ReadonlySet<ScopeText>, terms: readonly string[]): ReadonlySet<Row> {
    const rows = new Set<Row>();
    for (const term of terms) for (const row of this.rowsWith(term)) if (scopes.has(row.scope)) rows.add(row);
    return rows;
  }
}

function put<Key>(rows: Map<Key, Set<Row>>, key: Key, row: Row): void {
  const some = rows.get(key);
  if (some === undefined) rows.set(key, new Set([row]));
  else some.add(row);
}

function drop<Key>(rows: Map<Key, Set<Row>>, key: Key, row: Row): void {
  const some = rows.get(key);
  some?.delete(row);
  if (some?.size === 0) rows.delete(key);
}
