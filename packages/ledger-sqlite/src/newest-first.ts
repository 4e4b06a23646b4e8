import type { DatabaseSync } from "node:sqlite";
import type { MemoryState, Ref, Scope, Sequence, TenantId } from "@loci/domain";
import type { ListQuery, NewestQuery, TagQuery } from "@loci/ledger";
import { type LedgerSealing, lowerCaseTags } from "@loci/ledger/sql";
import { type IndexEntry, type Range, RangeQueries } from "./index-range.ts";
import { RangeCursor } from "./range-cursor.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";

const scopeId =
  "(SELECT id FROM scopes WHERE tenant = (SELECT id FROM tenants WHERE name = ?) AND kind = ? AND name = ?)";
const active: readonly MemoryState[] = ["active"];

/** Entries of an index are small, and versions as large as their texts: reading these at once keeps others waiting. */
const entriesAtOnce = 4 * rowsPerStep;
const versionsAtOnce = 64;

/** Whether the version `c` says that it was true at a time, as `heldAt`. Takes the time twice. */
const held = `(coalesce(c.record ->> '$.validFrom' <= ?, 1)
  AND coalesce(? < c.record ->> '$.validTo', c.record ->> '$.supersededBy' IS NULL))`;

/** Whether the version `c` is a tombstone of a memory that waited for approval. */
export const unapproved = `(c.record ->> '$.state' = 'deleted' AND EXISTS (SELECT 1 FROM changes AS before
  WHERE before.tenant = c.tenant AND before.sequence = c.previous AND before.record ->> '$.state' = 'quarantined'))`;

/** The entries of a scope in the index of its active memories, or in that of all others, and what suits of their versions. */
function withVersions(isActive: 0 | 1, suits: string): string {
  return `SELECT i.created_at, i.ref, i.category, i.expires_at, i.sequence, ${suits} AS suits FROM memories AS i
    CROSS JOIN changes AS c ON c.tenant = i.tenant AND c.sequence = i.sequence
    WHERE i.scope = ${scopeId} AND i.active = ${isActive}`;
}

/**
 * Finds memories newest first, over several scopes or tags at once: each has its own range of an index in that order, and the
 * ranges are merged. Nothing is sorted, and a page costs what it shows and passes over, however large the scope.
 */
export class NewestFirst {
  readonly #ofScope: RangeQueries;
  readonly #heldOfScope: RangeQueries;
  readonly #inactiveOfScope: RangeQueries;
  readonly #ofTag: RangeQueries;
  readonly #sealing: LedgerSealing;

  constructor(database: DatabaseSync, sealing: LedgerSealing) {
    this.#sealing = sealing;
    this.#ofScope = new RangeQueries(
      database,
      `SELECT created_at, ref, category, expires_at, sequence, 1 AS suits FROM memories AS i
         WHERE scope = ${scopeId} AND active = 1`,
      entriesAtOnce,
    );
    this.#heldOfScope = new RangeQueries(database, withVersions(1, held), versionsAtOnce);
    this.#inactiveOfScope = new RangeQueries(
      database,
      withVersions(
        0,
        `(c.record ->> '$.state' IN (SELECT value FROM json_each(?) AS wanted) AND (? OR NOT ${unapproved}) AND (? OR ${held}))`,
      ),
      versionsAtOnce,
    );
    this.#ofTag = new RangeQueries(
      database,
      `SELECT i.created_at, i.ref, m.category, m.expires_at, m.sequence, 1 AS suits FROM tags AS i
         CROSS JOIN memories AS m ON m.tenant = (SELECT id FROM tenants WHERE name = ?) AND m.ref = i.ref
         WHERE i.scope = ${scopeId} AND i.tag = ?`,
      entriesAtOnce,
    );
  }

  /** The changes that made the versions to list. */
  async list(tenant: TenantId, query: ListQuery, pace: ReadingPace): Promise<Sequence[]> {
    const { states = active } = query;
    const ranges = query.scopes.flatMap((scope) => [
      ...(states.includes("active") ? [this.#active(tenant, scope, query)] : []),
      ...(states.some((state) => state !== "active") ? [this.#inactive(tenant, scope, query)] : []),
    ]);
    return mergeRanges(ranges, query, pace);
  }

  #active(tenant: TenantId, scope: Scope, { validAt }: ListQuery): Range {
    return validAt === undefined
      ? this.#ofScope.range(tenant, ...nameOf(scope))
      : this.#heldOfScope.range(validAt, validAt, tenant, ...nameOf(scope));
  }

  #inactive(tenant: TenantId, scope: Scope, { states, validAt, withUnapproved = false }: ListQuery): Range {
    const times = validAt === undefined ? [1, 0, 0] : [0, validAt, validAt];
    const suits = [JSON.stringify(states), withUnapproved ? 1 : 0, ...times];
    return this.#inactiveOfScope.range(...suits, tenant, ...nameOf(scope));
  }

  async byTags(tenant: TenantId, query: TagQuery, pace: ReadingPace): Promise<Sequence[]> {
    const tags = this.#sealing.columns.all(tenant, "tag", lowerCaseTags(query.tags));
    const ranges = query.scopes.flatMap((scope) =>
      tags.map((tag) => this.#ofTag.range(tenant, tenant, ...nameOf(scope), tag)),
    );
    return mergeRanges(ranges, query, pace);
  }
}

async function mergeRanges(ranges: readonly Range[], query: NewestQuery, pace: ReadingPace): Promise<Sequence[]> {
  const cursors = ranges.map((range) => new RangeCursor(range, query));
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
    const { ref, category, expires_at, sequence, suits } = next.head;
    next.advance();
    if (suits === 0) continue;
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
