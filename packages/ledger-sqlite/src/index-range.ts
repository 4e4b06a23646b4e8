import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Instant, Ref, Sequence } from "@loci/domain";
import { prepareQuery, type Query } from "./query.ts";

/** A memory as the index of a scope or a tag shows it. */
export interface IndexEntry {
  readonly created_at: Instant;
  readonly ref: Ref;
  readonly category: string;
  readonly expires_at: Instant | null;
  readonly sequence: Sequence;
  /** 0: what its version says keeps it from the list. */
  readonly suits: number;
}

export type After = { readonly createdAt: Instant; readonly ref: Ref };

/** One index range in its order: newest creation first, then by ref. */
export interface Range {
  readonly read: (after: After | undefined, limit: number) => readonly IndexEntry[];
  /** How many entries are to be read in one step at most. */
  readonly mostAtOnce: number;
}

/** The three ways into an index range: from its beginning, and behind an entry. */
export class RangeQueries {
  readonly #first: Query<IndexEntry>;
  readonly #sameInstant: Query<IndexEntry>;
  readonly #older: Query<IndexEntry>;
  readonly #mostAtOnce: number;

  /** @param select of an index `i`, without its order */
  constructor(database: DatabaseSync, select: string, mostAtOnce: number) {
    this.#mostAtOnce = mostAtOnce;
    const order = "ORDER BY i.created_at DESC, i.ref LIMIT ?";
    this.#first = prepareQuery(database, `${select} ${order}`);
    // Two queries rather than an OR, which would read all memories of that instant again for every page.
    this.#sameInstant = prepareQuery(database, `${select} AND i.created_at = ? AND i.ref > ? ${order}`);
    this.#older = prepareQuery(database, `${select} AND i.created_at < ? ${order}`);
  }

  range(...of: readonly SQLInputValue[]): Range {
    return { read: (after, limit) => this.#read(of, after, limit), mostAtOnce: this.#mostAtOnce };
  }

  #read(of: readonly SQLInputValue[], after: After | undefined, limit: number): readonly IndexEntry[] {
    if (after === undefined) return this.#first.all(...of, limit);
    const same = this.#sameInstant.all(...of, after.createdAt, after.ref, limit);
    if (same.length === limit) return same;
    return [...same, ...this.#older.all(...of, after.createdAt, limit - same.length)];
  }
}
