import type { DatabaseSync } from "node:sqlite";
import type { Instant, MemoryOrder, Ref, Sequence, TenantId } from "@loci/domain";
import type { RefsQuery } from "@loci/ledger";
import {
  GatheredRefs,
  type LedgerSealing,
  openEntry,
  orderKeyOf,
  scopeOfColumns,
  type VersionRow,
  wantedVersion,
} from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";
import { unapproved } from "./newest-first.ts";

/** Where in the index of a scope a list goes on: behind it come those that are older, and of its instant those with larger refs. */
interface IndexPlace {
  readonly created_at: Instant;
  readonly ref: Ref;
}

/** Of a stretch those that suit, together: a row for each takes four times as long. */
interface PackedStretch {
  /** Of all refs, without their hyphens. Null: none suits. */
  readonly digits: string | null;
  /** What each is ordered by, as JSON. */
  readonly keys: string;
}

/** Entries of an index are small; where each is looked up elsewhere fewer are a step; and versions are as large as their texts. */
const entriesAtOnce = 8 * rowsPerStep;
const lookedUpAtOnce = 2 * rowsPerStep;
const versionsAtOnce = 64;

/** Later than every instant. */
const beginning: IndexPlace = { created_at: Number.MAX_SAFE_INTEGER, ref: "" as Ref };

const joinVersion = "CROSS JOIN changes AS c ON c.tenant = i.tenant AND c.sequence = i.sequence";
const joinUsage = "LEFT JOIN usage AS u ON u.tenant = i.tenant AND u.ref = i.ref";

/** What memories are ordered by, to the last digit, and where it stands. */
const keys: Readonly<Record<MemoryOrder, { readonly key: string; readonly from: "index" | "version" | "usage" }>> = {
  created: { key: "i.created_at", from: "index" },
  updated: { key: "c.record -> '$.updatedAt'", from: "version" },
  used: { key: "u.last_accessed_at", from: "usage" },
  uses: { key: "coalesce(u.access_count, 0)", from: "usage" },
  importance: { key: "c.record -> '$.importance'", from: "version" },
};

/** The states, the categories or null twice, the evaluation time, the sequence, and whether unapproved tombstones are wanted. */
type Wanted = readonly [string, string | null, string | null, Instant, Sequence, number];

/** Reads the stretches behind a place, those of its instant or those that are older, packed or as versions. */
interface StretchQueries {
  readonly packed: Query<PackedStretch> | undefined;
  readonly versions: Query<VersionRow & { readonly ref: Ref }> | undefined;
  /** The last place of a full stretch. */
  readonly last: Query<IndexPlace>;
}

/** Two queries rather than an OR, which would read all memories of an instant again for each stretch of them. */
interface ScopeReads {
  readonly sameInstant: StretchQueries;
  readonly older: StretchQueries;
}

/**
 * Lists refs in an order. Each scope is read through the index of its active memories, or that of all others, which has them by
 * creation: only what they are ordered by, or asked for, is looked up besides. Then they are put in order, a stretch at a time.
 */
export class OrderedRefsReader {
  readonly #database: DatabaseSync;
  readonly #sealing: LedgerSealing;
  readonly #head: Query<{ head: Sequence }>;
  readonly #named: Query<{ id: number }>;
  readonly #ofKind: Query<{ id: number; name: string }>;
  /** Made when they are first asked for. */
  readonly #reads = new Map<string, ScopeReads>();

  constructor(database: DatabaseSync, sealing: LedgerSealing) {
    this.#database = database;
    this.#sealing = sealing;
    this.#head = prepareQuery(database, "SELECT head FROM tenants WHERE name = ?");
    const ofKind = "tenant = (SELECT id FROM tenants WHERE name = ?) AND kind = ?";
    this.#named = prepareQuery(database, `SELECT id FROM scopes WHERE ${ofKind} AND name = ?`);
    this.#ofKind = prepareQuery(
      database,
      `SELECT id, name FROM scopes WHERE ${ofKind} AND name > ? ORDER BY name LIMIT ${rowsPerStep}`,
    );
  }

  /** @throws LociError `TOO_MANY_MEMORIES` */
  async read(tenant: TenantId, query: RefsQuery, pace: ReadingPace): Promise<Uint8Array> {
    const { states, categories, evaluationTime, withUnapproved = false } = query;
    // What is active no more but was a moment ago may be among the active ones: it is not given again.
    const sequence = this.#head.get(tenant)?.head ?? 0;
    const listed = categories === undefined ? null : JSON.stringify(categories);
    const wanted: Wanted = [JSON.stringify(states), listed, listed, evaluationTime, sequence, withUnapproved ? 1 : 0];
    const found = new GatheredRefs(query.limit);
    for (const isActive of [1, 0] as const) {
      if (!states.some((state) => (state === "active") === (isActive === 1))) continue;
      const reads = this.#readsOf(isActive, query);
      for (const scope of this.#scopes(tenant, query))
        await gather(reads, scope, { tenant, sealing: this.#sealing, query, wanted, found, pace });
    }
    return found.inOrder(() => pace.step());
  }

  *#scopes(tenant: TenantId, { kinds, scopes }: RefsQuery): Generator<number, void, undefined> {
    const named = kinds.includes("global") ? [scopeOfColumns("global", ""), ...scopes] : scopes;
    for (const { kind, id = "" } of named) {
      const scope = this.#named.get(tenant, kind, id);
      if (scope !== undefined) yield scope.id;
    }
    for (const kind of kinds.filter((one) => one !== "global"))
      for (let name: string | undefined = ""; name !== undefined;) {
        const some = this.#ofKind.all(tenant, kind, name);
        for (const { id } of some) yield id;
        name = some.length < rowsPerStep ? undefined : some.at(-1)?.name;
      }
  }

  #readsOf(isActive: 0 | 1, { order, text, suits }: RefsQuery): ScopeReads {
    const isWhole = suits !== undefined || text !== undefined;
    const name = `${isActive} ${isWhole ? "whole" : order}`;
    const known = this.#reads.get(name);
    if (known !== undefined) return known;
    const reads = prepareReads(this.#database, isActive, order, isWhole);
    this.#reads.set(name, reads);
    return reads;
  }
}

interface Gathering {
  readonly tenant: TenantId;
  readonly sealing: LedgerSealing;
  readonly query: RefsQuery;
  readonly wanted: Wanted;
  readonly found: GatheredRefs;
  readonly pace: ReadingPace;
}

async function gather(
  { sameInstant, older }: ScopeReads,
  scope: number,
  { tenant, sealing, query, wanted, found, pace }: Gathering,
): Promise<void> {
  const versionOf = wantedVersion(query);
  for (let place: IndexPlace | undefined = beginning; place !== undefined;) {
    const { created_at, ref }: IndexPlace = place;
    const isBeginning = place === beginning;
    place = undefined;
    if (!isBeginning) place = take(sameInstant, [scope, created_at, ref]);
    await pace.step();
    place ??= take(older, [scope, created_at]);
    await pace.step();
  }

  /** @returns where to go on behind; `undefined` behind the end */
  function take(reads: StretchQueries, stretch: readonly (number | string)[]): IndexPlace | undefined {
    const packed = reads.packed?.get(...stretch, ...wanted);
    if (typeof packed?.digits === "string")
      found.addPacked(packed.digits, JSON.parse(packed.keys) as (number | null)[]);
    for (const row of reads.versions?.all(...stretch, ...wanted) ?? []) {
      const stored = versionOf(openEntry(sealing.fields, tenant, row));
      if (stored !== undefined) found.add(row.ref, orderKeyOf(stored, query.order));
    }
    return reads.last.get(...stretch);
  }
}

function prepareReads(database: DatabaseSync, isActive: 0 | 1, order: MemoryOrder, isWhole: boolean): ScopeReads {
  const { key, from } = keys[order];
  const needsVersion = isWhole || from === "version" || isActive === 0;
  const joins = [needsVersion ? joinVersion : "", isWhole || from === "usage" ? joinUsage : ""].join(" ");
  const atOnce = isWhole ? versionsAtOnce : isActive === 1 && from === "index" ? entriesAtOnce : lookedUpAtOnce;
  const suits = `${needsVersion ? "c.record ->> '$.state'" : "'active'"} IN (SELECT value FROM json_each(?))
    AND (? IS NULL OR i.category IN (SELECT value FROM json_each(?))) AND coalesce(i.expires_at > ?, 1)
    AND (i.sequence <= ? OR ${isActive}) AND (? OR ${isActive === 1 ? 1 : `NOT ${unapproved}`})`;
  const columns = isWhole
    ? "i.ref, c.record, c.recorded_at, c.sequence, c.content_hash, u.access_count, u.last_accessed_at"
    : `group_concat(replace(i.ref, '-', ''), '') AS digits, json_group_array(${key}) AS keys`;
  const behind = (place: string): StretchQueries => {
    const entries = `FROM memories AS i WHERE i.scope = ? AND i.active = ${isActive} AND ${place}
      ORDER BY i.created_at DESC, i.ref LIMIT ${atOnce}`;
    const stretch = `SELECT ${columns} FROM (
        SELECT i.tenant, i.ref, i.sequence, i.created_at, i.category, i.expires_at ${entries}
      ) AS i ${joins} WHERE ${suits}`;
    return {
      packed: isWhole ? undefined : prepareQuery(database, stretch),
      versions: isWhole ? prepareQuery(database, stretch) : undefined,
      last: prepareQuery(database, `SELECT i.created_at, i.ref ${entries} OFFSET ${atOnce - 1}`),
    };
  };
  return { sameInstant: behind("i.created_at = ? AND i.ref > ?"), older: behind("i.created_at < ?") };
}
