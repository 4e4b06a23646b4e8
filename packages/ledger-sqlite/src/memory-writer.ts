import type { DatabaseSync } from "node:sqlite";
import type { Instant, MemoryRecord, Ref, Scope, Version } from "@loci/domain";
import type { EmbeddingRecorded, MemoryRemoved } from "@loci/ledger";
import {
  damagedEntry,
  indexedFieldsOf,
  type IndexedFields,
  memoryErased,
  parseRecord,
  tombstoneOf,
} from "@loci/ledger/sql";
import type { InternedNames } from "./interned-names.ts";
import { type Command, prepareCommand, prepareQuery, type Query } from "./query.ts";
import type { EncodedMemory } from "./write-operation.ts";

/** Where a change goes in the log. */
export interface LogPlace {
  readonly tenant: number;
  readonly sequence: number;
  readonly recordedAt: Instant;
}

/** A version to be written, whether it came whole or is a tombstone made here. */
interface NewVersion {
  readonly type: "memoryWritten" | "memoryRemoved";
  readonly ref: Ref;
  readonly version: Version;
  readonly contentHash: string;
  readonly record: string;
  readonly fields: IndexedFields;
}

/** Appends changes to the log and keeps the current versions and their indexes in step with it. */
export class MemoryWriter {
  readonly #names: InternedNames;
  readonly #current: Query<{ version: number; sequence: number }>;
  readonly #withText: Query<{ ref: Ref; version: Version }>;
  readonly #purged: Query<{ purged_at: number }>;
  readonly #version: Query<{ record: string; content_hash: string }>;
  readonly #append: Command;
  readonly #insert: Command;
  readonly #replace: Command;
  readonly #addTag: Command;
  readonly #removeTag: Command;
  readonly #beginVersion: Command;
  readonly #endVersion: Command;
  /** Of the ref asked for last: expectation, check and write ask for the same one in a row. */
  #last: { tenant: number; ref: Ref; version: number; sequence: number } | undefined;

  constructor(database: DatabaseSync, names: InternedNames) {
    this.#names = names;
    this.#current = prepareQuery(database, "SELECT version, sequence FROM memories WHERE tenant = ? AND ref = ?");
    this.#withText = prepareQuery(
      database,
      "SELECT ref, version FROM memories WHERE scope = ? AND text_key = ? AND active = 1",
    );
    this.#purged = prepareQuery(database, "SELECT purged_at FROM purged WHERE tenant = ? AND ref = ?");
    this.#version = prepareQuery(
      database,
      "SELECT record, content_hash FROM changes WHERE tenant = ? AND sequence = ?",
    );
    this.#append = prepareCommand(database, `INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#insert = prepareCommand(database, "INSERT INTO memories VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.#replace = prepareCommand(
      database,
      `UPDATE memories SET version = ?, sequence = ?, scope = ?, active = ?, category = ?, created_at = ?,
         expires_at = ?, source_id = ?, position = ?, slot = ?, text_key = ? WHERE tenant = ? AND ref = ?`,
    );
    this.#addTag = prepareCommand(database, "INSERT INTO tags VALUES (?, ?, ?, ?, ?)");
    this.#removeTag = prepareCommand(
      database,
      "DELETE FROM tags WHERE scope = ? AND tag = ? AND created_at = ? AND ref = ?",
    );
    this.#beginVersion = prepareCommand(database, "INSERT INTO active_versions VALUES (?, ?, NULL)");
    this.#endVersion = prepareCommand(
      database,
      "UPDATE active_versions SET ended = ? WHERE scope = ? AND sequence = ?",
    );
  }

  /** The active memories of a scope with a text. */
  withText(tenant: number, scope: Scope, textKey: string): readonly { readonly ref: Ref; readonly version: Version }[] {
    return this.#withText.all(this.#names.scope(tenant, scope), textKey);
  }

  /** 0 when the memory does not exist. @throws LociError `MEMORY_ERASED` */
  currentVersion(tenant: number, ref: Ref): Version {
    return this.#find(tenant, ref).version;
  }

  write(place: LogPlace, memory: EncodedMemory): void {
    this.#putVersion(place, memory);
  }

  /** Makes the tombstone: the last version's record, marked as deleted. The memory must exist. */
  remove(place: LogPlace, change: MemoryRemoved): void {
    const { record, content_hash } = this.#versionAt(place.tenant, this.#find(place.tenant, change.ref).sequence);
    const tombstone = tombstoneOf(record, change);
    this.#putVersion(place, {
      type: "memoryRemoved",
      ref: change.ref,
      version: change.version,
      contentHash: content_hash,
      record: JSON.stringify(tombstone),
      fields: indexedFieldsOf(tombstone),
    });
  }

  noteEmbedding(place: LogPlace, change: EmbeddingRecorded): void {
    const { tenant, sequence, recordedAt } = place;
    const space = this.#names.space(change.space);
    const { ref, version, contentHash } = change;
    this.#append.run(tenant, sequence, recordedAt, change.type, ref, version, null, space, contentHash, null);
  }

  /** Must be called after a rollback: what was remembered may be gone. */
  forget(): void {
    this.#last = undefined;
  }

  #putVersion(place: LogPlace, next: NewVersion): void {
    const { tenant, sequence, recordedAt } = place;
    const { type, ref, version, contentHash, record, fields } = next;
    const before = this.#find(tenant, ref);
    const previous = before.version === 0 ? null : before.sequence;
    if (previous !== null) this.#retire(tenant, previous, sequence);
    this.#append.run(tenant, sequence, recordedAt, type, ref, version, previous, null, contentHash, record);

    const scope = this.#names.scope(tenant, fields.scope);
    const { category, createdAt, expiresAt, sourceId, position, slot, textKey } = fields;
    const columns = [
      version,
      sequence,
      scope,
      fields.active ? 1 : 0,
      category,
      createdAt,
      expiresAt,
      sourceId,
      position,
      slot,
      textKey,
    ];
    if (previous === null) this.#insert.run(tenant, ref, ...columns);
    else this.#replace.run(...columns, tenant, ref);
    if (fields.active) {
      this.#beginVersion.run(scope, sequence);
      for (const tag of fields.tags) this.#addTag.run(scope, tag, createdAt, ref, category);
    }
    this.#last = { tenant, ref, version, sequence };
  }

  /** Takes a version that was current out of the indexes. @param next sequence of the change that takes its place */
  #retire(tenant: number, sequence: number, next: number): void {
    const { record } = this.#versionAt(tenant, sequence);
    const fields = indexedFieldsOf(record);
    if (!fields.active) return;
    const scope = this.#names.scope(tenant, fields.scope);
    this.#endVersion.run(next, scope, sequence);
    for (const tag of fields.tags) this.#removeTag.run(scope, tag, fields.createdAt, record.id);
  }

  #versionAt(tenant: number, sequence: number): { record: MemoryRecord; content_hash: string } {
    const row = this.#version.get(tenant, sequence);
    if (row === undefined) throw damagedEntry(sequence, "is missing, though a memory's current version is there");
    return { record: parseRecord(row.record, sequence), content_hash: row.content_hash };
  }

  #find(tenant: number, ref: Ref): { version: number; sequence: number } {
    if (this.#last?.tenant === tenant && this.#last.ref === ref) return this.#last;
    const row = this.#current.get(tenant, ref);
    if (row === undefined && this.#purged.get(tenant, ref) !== undefined) throw memoryErased(ref);
    this.#last = { tenant, ref, ...(row ?? { version: 0, sequence: 0 }) };
    return this.#last;
  }
}
