import type { DatabaseSync } from "node:sqlite";
import type { Ref, Scope, TenantId, Version } from "@loci/domain";
import {
  type CommitPlan,
  damagedEntry,
  type EndedVersion,
  indexedFieldsOf,
  type KnownMemory,
  type LedgerSealing,
  openEntry,
  parseRecord,
  type PlannedEntry,
  type PlannedVersion,
  sealEntry,
} from "@loci/ledger/sql";
import type { InternedNames } from "./interned-names.ts";
import { type Command, prepareCommand, prepareQuery, prepareStep, type Query, type Step } from "./query.ts";

interface CurrentRow {
  readonly version: Version;
  readonly sequence: number;
  readonly kind: Scope["kind"];
  readonly name: string;
  readonly active: number;
}

/** Appends entries to the log and keeps the current versions and their indexes in step with it. */
export class MemoryWriter {
  readonly #names: InternedNames;
  readonly #sealing: LedgerSealing;
  readonly #current: Query<CurrentRow>;
  readonly #withText: Query<{ ref: Ref; version: Version }>;
  readonly #withKey: Query<{ ref: Ref }>;
  readonly #purged: Query<{ purged_at: number }>;
  readonly #version: Query<{ record: string; content_hash: string }>;
  readonly #append: Step;
  readonly #insert: Step;
  readonly #replace: Command;
  readonly #addTag: Step;
  readonly #removeTag: Step;
  readonly #beginVersion: Step;
  readonly #endVersion: Step;

  constructor(database: DatabaseSync, names: InternedNames, sealing: LedgerSealing) {
    this.#names = names;
    this.#sealing = sealing;
    this.#current = prepareQuery(
      database,
      `SELECT m.version, m.sequence, s.kind, s.name, m.active FROM memories AS m CROSS JOIN scopes AS s ON s.id = m.scope
         WHERE m.tenant = ? AND m.ref = ?`,
    );
    this.#withText = prepareQuery(
      database,
      "SELECT ref, version FROM memories WHERE scope = ? AND text_key = ? AND active = 1",
    );
    this.#withKey = prepareQuery(database, "SELECT ref FROM memories WHERE scope = ? AND key = ?");
    this.#purged = prepareQuery(database, "SELECT purged_at FROM purged WHERE tenant = ? AND ref = ?");
    this.#version = prepareQuery(
      database,
      "SELECT record, content_hash FROM changes WHERE tenant = ? AND sequence = ?",
    );
    this.#append = prepareStep(
      database,
      `INSERT INTO changes (tenant, sequence, recorded_at, family, type, ref, version, previous, space, content_hash, record,
           subject, activity, reason)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insert = prepareStep(database, "INSERT INTO memories VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.#replace = prepareCommand(
      database,
      `UPDATE memories SET version = ?, sequence = ?, scope = ?, active = ?, category = ?, created_at = ?,
         expires_at = ?, source_id = ?, position = ?, slot = ?, text_key = ?, standing = ?, key = ?
         WHERE tenant = ? AND ref = ?`,
    );
    this.#addTag = prepareStep(database, "INSERT INTO tags VALUES (?, ?, ?, ?, ?)");
    this.#removeTag = prepareStep(
      database,
      "DELETE FROM tags WHERE scope = ? AND tag = ? AND created_at = ? AND ref = ?",
    );
    this.#beginVersion = prepareStep(database, "INSERT INTO active_versions VALUES (?, ?, ?)");
    this.#endVersion = prepareStep(database, "UPDATE active_versions SET ended = ? WHERE scope = ? AND sequence = ?");
  }

  /** The active memories of a scope with a text; `undefined` when there are none. */
  withText(tenant: number, scope: Scope, textKey: string): ReadonlyMap<Ref, Version> | undefined {
    const rows = this.#withText.all(this.#names.scope(tenant, scope), textKey);
    return rows.length === 0 ? undefined : new Map(rows.map(({ ref, version }) => [ref, version]));
  }

  /** The memory of a scope with a key. */
  withKey(tenant: number, name: TenantId, scope: Scope, key: string): Ref | undefined {
    return this.#withKey.get(this.#names.scope(tenant, scope), this.#sealing.columns.of(name, "key", key))?.ref;
  }

  /** What is known of a memory; `undefined` when it never was. @param whole also what its current version says */
  known(tenant: number, owner: TenantId, ref: Ref, whole: boolean): KnownMemory | undefined {
    const row = this.#current.get(tenant, ref);
    if (row === undefined) return this.#purged.get(tenant, ref) === undefined ? undefined : purged;
    const { version, sequence, kind, name, active } = row;
    const scope: Scope = kind === "global" ? { kind } : { kind, id: name };
    const isActive = active === 1;
    const rest = { version, sequence, scope, isActive, isPurged: false };
    if (!whole) return { ...rest, contentHash: "", memory: undefined };
    const stored = this.#version.get(tenant, sequence);
    if (stored === undefined) throw damagedEntry(sequence, "is missing, though a memory's current version is there");
    const { record } = openEntry(this.#sealing.fields, owner, { sequence, record: stored.record });
    return { ...rest, contentHash: stored.content_hash, memory: parseRecord(record, sequence) };
  }

  write(tenant: number, name: TenantId, { recordedAt, entries, versions, current, ended }: CommitPlan): void {
    for (const entry of entries) this.#appendEntry(tenant, name, recordedAt, entry);
    for (const version of ended) this.#end(tenant, name, version);
    for (const { fields, sequence, ended: next } of versions)
      if (fields.active) this.#beginVersion(this.#names.scope(tenant, fields.scope), sequence, next);
    for (const version of current) this.#put(tenant, name, version);
  }

  #appendEntry(tenant: number, name: TenantId, recordedAt: number, entry: PlannedEntry): void {
    const { sequence, family, kind, ref, version, previous, space, contentHash, author } = entry;
    const texts = { record: entry.record, reason: entry.reason ?? null };
    const { record, reason } = sealEntry(this.#sealing.fields, { tenant: name, sequence }, family, texts);
    this.#append(
      tenant,
      sequence,
      recordedAt,
      family,
      kind,
      ref,
      version,
      previous,
      space === null ? null : this.#names.space(space),
      contentHash,
      record,
      author.subject ?? null,
      author.activity ?? null,
      reason,
    );
  }

  #put(tenant: number, name: TenantId, { ref, version, sequence, fields: plain }: PlannedVersion): void {
    const scope = this.#names.scope(tenant, plain.scope);
    const fields = this.#sealing.columns.fields(name, plain);
    const { active, category, createdAt, expiresAt, sourceId, position, slot, textKey, standing, key, tags } = fields;
    const columns = [
      version,
      sequence,
      scope,
      active ? 1 : 0,
      category,
      createdAt,
      expiresAt,
      sourceId,
      position,
      slot,
      textKey,
      standing,
      key,
    ];
    // Several versions may have been made at once.
    if (version === 1 || Number(this.#replace.run(...columns, tenant, ref).changes) === 0)
      this.#insert(tenant, ref, ...columns);
    if (active) for (const tag of tags) this.#addTag(scope, tag, createdAt, ref, category);
  }

  /** Takes a version that was current out of the indexes. */
  #end(tenant: number, name: TenantId, { scope, sequence, ended, memory }: EndedVersion): void {
    const scopeId = this.#names.scope(tenant, scope);
    this.#endVersion(ended, scopeId, sequence);
    if (memory === undefined) throw new TypeError("A memory that gets a new version was not loaded.");
    const { tags, createdAt } = indexedFieldsOf(memory);
    for (const tag of this.#sealing.columns.all(name, "tag", tags)) this.#removeTag(scopeId, tag, createdAt, memory.id);
  }
}

const purged: KnownMemory = {
  version: 0,
  sequence: 0,
  scope: { kind: "global" },
  isActive: false,
  isPurged: true,
  contentHash: "",
  memory: undefined,
};
