import type { DatabaseSync } from "node:sqlite";
import type { MemoryOrder, MemoryState, Scope, Sequence, TenantId } from "@loci/domain";
import type { RefsQuery } from "@loci/ledger";
import { GatheredRefs, orderKeyOf, scopeOfColumns, storedMemoryOf, type VersionRow } from "@loci/ledger/sql";
import { type After, type IndexEntry, type Range, RangeQueries } from "./index-range.ts";
import { unapproved } from "./newest-first.ts";
import { prepareQuery, type Query } from "./query.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";

/** Beside the index, what the memory is ordered by, or the version from which that and all the rest is told. */
type ListedEntry = Omit<IndexEntry, "suits"> &
  (
    | { readonly key: number | null; readonly state: MemoryState | null; readonly unapproved: number }
    | (VersionRow & { readonly unapproved: number })
  );

/** Entries of an index are small; where each is looked up elsewhere fewer are a step; and versions are as large as their texts. */
const entriesAtOnce = 4 * rowsPerStep;
const lookedUpAtOnce = rowsPerStep;
const versionsAtOnce = 64;

const scopeId =
  "(SELECT id FROM scopes WHERE tenant = (SELECT id FROM tenants WHERE name = ?) AND kind = ? AND name = ?)";
const joinVersion = "CROSS JOIN changes AS c ON c.tenant = i.tenant AND c.sequence = i.sequence";
const joinUsage = "LEFT JOIN usage AS u ON u.tenant = i.tenant AND u.ref = i.ref";

/** What memories are ordered by, and where it stands. */
const keys: Readonly<Record<MemoryOrder, { readonly key: string; readonly from: "index" | "version" | "usage" }>> = {
  created: { key: "i.created_at", from: "index" },
  updated: { key: "c.record ->> '$.updatedAt'", from: "version" },
  used: { key: "u.last_accessed_at", from: "usage" },
  uses: { key: "coalesce(u.access_count, 0)", from: "usage" },
  importance: { key: "c.record ->> '$.importance'", from: "version" },
};

/**
 * Lists refs in an order. Each scope is read through the index of its active memories, or that of all others, which has them by
 * creation: only what they are ordered by, or asked for, is looked up besides. Then they are put in order, a stretch at a time.
 */
export class OrderedRefsReader {
  readonly #database: DatabaseSync;
  readonly #head: Query<{ head: Sequence }>;
  readonly #scopes: Query<{ name: string }>;
  /** Made when they are first asked for. */
  readonly #ranges = new Map<string, RangeQueries<ListedEntry>>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#head = prepareQuery(database, "SELECT head FROM tenants WHERE name = ?");
    this.#scopes = prepareQuery(
      database,
      `SELECT name FROM scopes WHERE tenant = (SELECT id FROM tenants WHERE name = ?) AND kind = ? AND name > ?
         ORDER BY name LIMIT ${rowsPerStep}`,
    );
  }

  /** @throws LociError `TOO_MANY_MEMORIES` */
  async read(tenant: TenantId, query: RefsQuery, pace: ReadingPace): Promise<Uint8Array> {
    const sequence = this.#head.get(tenant)?.head ?? 0;
    const found = new GatheredRefs(query.limit);
    const whole = { tenant, query, found, sequence, pace };
    if (query.states.includes("active"))
      for (const scope of this.#each(tenant, query)) await this.#gather(1, scope, whole);
    if (query.states.some((state) => state !== "active"))
      for (const scope of this.#each(tenant, query)) await this.#gather(0, scope, whole);
    return found.inOrder(() => pace.step());
  }

  async #gather(isActive: 0 | 1, { kind, id = "" }: Scope, whole: Gathering): Promise<void> {
    const { tenant, query, found, pace } = whole;
    const range: Range<ListedEntry> = this.#rangesOf(isActive, query).range(tenant, kind, id);
    const suits = suiting(isActive, whole);
    for (let after: After | undefined; ;) {
      const entries = range.read(after, range.mostAtOnce);
      for (const entry of entries) {
        const key = suits(entry);
        if (key !== undefined) found.add(entry.ref, key);
      }
      await pace.step();
      const last = entries.at(-1);
      if (last === undefined || entries.length < range.mostAtOnce) return;
      after = { createdAt: last.created_at, ref: last.ref };
    }
  }

  *#each(tenant: TenantId, { kinds, scopes }: RefsQuery): Generator<Scope, void, undefined> {
    for (const kind of kinds) {
      if (kind === "global") {
        yield { kind };
        continue;
      }
      for (let name = "", isEnd = false; !isEnd;) {
        const some = this.#scopes.all(tenant, kind, name);
        for (const each of some) yield scopeOfColumns(kind, each.name);
        name = some.at(-1)?.name ?? name;
        isEnd = some.length < rowsPerStep;
      }
    }
    yield* scopes;
  }

  #rangesOf(isActive: 0 | 1, { order, suits }: RefsQuery): RangeQueries<ListedEntry> {
    const isWhole = suits !== undefined;
    const name = `${isActive} ${isWhole ? "whole" : order}`;
    let ranges = this.#ranges.get(name);
    if (ranges === undefined) {
      const { from } = keys[order];
      const atOnce = isWhole ? versionsAtOnce : isActive === 1 && from === "index" ? entriesAtOnce : lookedUpAtOnce;
      ranges = new RangeQueries(this.#database, selectOf(isActive, order, isWhole), atOnce);
      this.#ranges.set(name, ranges);
    }
    return ranges;
  }
}

interface Gathering {
  readonly tenant: TenantId;
  readonly query: RefsQuery;
  readonly found: GatheredRefs;
  /** How far the log went when it began. */
  readonly sequence: Sequence;
  readonly pace: ReadingPace;
}

function selectOf(isActive: 0 | 1, order: MemoryOrder, isWhole: boolean): string {
  const { key, from } = keys[order];
  const columns = isWhole
    ? "c.record, c.recorded_at, c.content_hash, u.access_count, u.last_accessed_at"
    : `${key} AS key, ${isActive === 1 ? "NULL" : "c.record ->> '$.state'"} AS state`;
  const joins = [
    ...(isWhole || from === "version" || isActive === 0 ? [joinVersion] : []),
    ...(isWhole || from === "usage" ? [joinUsage] : []),
  ];
  return `SELECT i.created_at, i.ref, i.category, i.expires_at, i.sequence, ${isActive === 1 ? "0" : unapproved} AS unapproved, ${columns}
    FROM memories AS i ${joins.join(" ")} WHERE i.scope = ${scopeId} AND i.active = ${isActive}`;
}

/** What an entry is ordered by; `undefined` for what is not wanted. */
function suiting(isActive: 0 | 1, { query, sequence }: Gathering): (entry: ListedEntry) => number | null | undefined {
  const { categories, evaluationTime, states, order, suits, withUnapproved = false } = query;
  const wanted = categories === undefined ? undefined : new Set<string>(categories);
  return (entry) => {
    if (entry.expires_at !== null && entry.expires_at <= evaluationTime) return undefined;
    if (wanted?.has(entry.category) === false) return undefined;
    // It may have been active a moment ago, and be among those.
    if (isActive === 0 && entry.sequence > sequence) return undefined;
    if (entry.unapproved !== 0 && !withUnapproved) return undefined;
    if ("key" in entry) return entry.state === null || states.includes(entry.state) ? entry.key : undefined;
    const stored = storedMemoryOf(entry);
    return states.includes(stored.memory.state) && suits?.(stored.memory) !== false
      ? orderKeyOf(stored, order)
      : undefined;
  };
}
