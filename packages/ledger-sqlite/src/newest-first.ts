import type { DatabaseSync } from "node:sqlite";
import type { Instant, NonEmpty, Ref, Scope, Sequence, TenantId } from "@loci/domain";
import type { ListQuery } from "@loci/ledger";
import { lowerCaseTags } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";

/** An active memory as the index of a scope or a tag shows it. */
interface IndexEntry {
  readonly created_at: Instant;
  readonly ref: Ref;
  readonly category: string;
  readonly expires_at: Instant | null;
  readonly sequence: Sequence;
}

type After = { readonly createdAt: Instant; readonly ref: Ref };

/** One index range in its order: newest creation first, then by ref. */
type Range = (after: After | undefined, limit: number) => readonly IndexEntry[];

/**
 * Finds active memories newest first, over several scopes or tags at once: each has its own range of an index in that
 * order, and the ranges are merged. Nothing is sorted, and a page costs what it shows, however large the scope.
 */
export class NewestFirst {
  readonly #ofScope: RangeQueries;
  readonly #ofTag: RangeQueries;

  constructor(database: DatabaseSync) {
    const scope =
      "(SELECT id FROM scopes WHERE tenant = (SELECT id FROM tenants WHERE name = ?) AND kind = ? AND name = ?)";
    this.#ofScope = new RangeQueries(
      database,
      `SELECT created_at, ref, category, expires_at, sequence FROM memories AS i WHERE scope = ${scope} AND active = 1`,
    );
    this.#ofTag = new RangeQueries(
      database,
      `SELECT i.created_at, i.ref, m.category, m.expires_at, m.sequence FROM tags AS i
         CROSS JOIN memories AS m ON m.tenant = (SELECT id FROM tenants WHERE name = ?) AND m.ref = i.ref
         WHERE i.scope = ${scope} AND i.tag = ?`,
    );
  }

  /** The changes that made the versions to list. */
  async list(tenant: TenantId, query: ListQuery, pace: ReadingPace): Promise<Sequence[]> {
    const ranges = query.scopes.map((scope) => this.#ofScope.range(tenant, ...nameOf(scope)));
    return mergeRanges(ranges, query, pace);
  }

  async byTags(
    tenant: TenantId,
    query: ListQuery & { readonly tags: NonEmpty<string> },
    pace: ReadingPace,
  ): Promise<Sequence[]> {
    const tags = lowerCaseTags(query.tags);
    const ranges = query.scopes.flatMap((scope) =>
      tags.map((tag) => this.#ofTag.range(tenant, tenant, ...nameOf(scope), tag)),
    );
    return mergeRanges(ranges, query, pace);
  }
}

/** The three ways into an index range: from its beginning, and behind an entry. */
class RangeQueries {
  readonly #first: Query<IndexEntry>;
  readonly #sameInstant: Query<IndexEntry>;
  readonly #older: Query<IndexEntry>;

  constructor(database: DatabaseSync, select: string) {
    const order = "ORDER BY i.created_at DESC, i.ref LIMIT ?";
    this.#first = prepareQuery(database, `${select} ${order}`);
    // Two queries rather than an OR, which would read all memories of that instant again for every page.
    this.#sameInstant = prepareQuery(database, `${select} AND i.created_at = ? AND i.ref > ? ${order}`);
    this.#older = prepareQuery(database, `${select} AND i.created_at < ? ${order}`);
  }

  range(...of: string[]): Range {
    return (after, limit) => {
      if (after === undefined) return this.#first.all(...of, limit);
      const same = this.#sameInstant.all(...of, after.createdAt, after.ref, limit);
      if (same.length === limit) return same;
      return [...same, ...this.#older.all(...of, after.createdAt, limit - same.length)];
    };
  }
}

/** A range being read page by page. */
class RangeCursor {
  readonly #range: Range;
  #page: readonly IndexEntry[] = [];
  #index = 0;
  #after: After | undefined;
  #pageSize: number;
  #ended = false;

  constructor(range: Range, after: After | undefined, pageSize: number) {
    this.#range = range;
    this.#after = after;
    this.#pageSize = pageSize;
  }

  get head(): IndexEntry | undefined {
    return this.#page[this.#index];
  }

  get needsPage(): boolean {
    return !this.#ended && this.#index >= this.#page.length;
  }

  advance(): void {
    this.#index++;
  }

  /** Later pages are larger: most queries end within the first, and the others pass over much. */
  readPage(): void {
    this.#page = this.#range(this.#after, this.#pageSize);
    this.#index = 0;
    this.#ended = this.#page.length < this.#pageSize;
    const last = this.#page.at(-1);
    if (last !== undefined) this.#after = { createdAt: last.created_at, ref: last.ref };
    this.#pageSize = 4 * rowsPerStep;
  }
}

async function mergeRanges(ranges: readonly Range[], query: ListQuery, pace: ReadingPace): Promise<Sequence[]> {
  const firstPage = Math.min(Math.max(query.limit, 1), rowsPerStep);
  const cursors = ranges.map((range) => new RangeCursor(range, query.after, firstPage));
  const categories = query.categories === undefined ? undefined : new Set<string>(query.categories);
  // A memory is in several ranges when it has several of the tags, or a scope was named twice.
  const seen = new Set<Ref>();
  const found: Sequence[] = [];
  while (found.length < query.limit) {
    for (const cursor of cursors) {
      if (!cursor.needsPage) continue;
      cursor.readPage();
      await pace.step();
    }
    const next = newestOf(cursors);
    if (next?.head === undefined) break;
    const { ref, category, expires_at, sequence } = next.head;
    next.advance();
    if (expires_at !== null && expires_at <= query.evaluationTime) continue;
    if (categories !== undefined && !categories.has(category)) continue;
    if (seen.has(ref)) continue;
    seen.add(ref);
    found.push(sequence);
  }
  return found;
}

function newestOf(cursors: readonly RangeCursor[]): RangeCursor | undefined {
  let best: RangeCursor | undefined;
  for (const cursor of cursors) {
    const { head } = cursor;
    if (head === undefined) continue;
    if (best?.head === undefined || comesBefore(head, best.head)) best = cursor;
  }
  return best;
}

function comesBefore(left: IndexEntry, right: IndexEntry): boolean {
  return left.created_at > right.created_at || (left.created_at === right.created_at && left.ref < right.ref);
}

function nameOf(scope: Scope): [kind: string, name: string] {
  return [scope.kind, scope.id ?? ""];
}
