import type { DatabaseSync } from "node:sqlite";
import { formatScope, type Instant, type Ref, type TenantId } from "@loci/domain";
import {
  erasedRequestId,
  indexedFieldsOf,
  type LedgerSealing,
  openEntry,
  parseRecord,
  tablesOf,
} from "@loci/ledger/sql";
import type { PurgedCounts, SweepOperation } from "./write-operation.ts";
import { type Command, prepareCommand, prepareQuery, type Query } from "./query.ts";
import { ResourcePurger } from "./resource-purger.ts";
import { tables } from "./tables.ts";

/** Of an entry whose memory was purged nobody is the author any more. */
const noAuthor = "subject = NULL, activity = NULL, reason = NULL";

/** Removes memories for good, inside the transaction that is open. */
export class PurgeWriter {
  readonly #sealing: LedgerSealing;
  readonly #resources: ResourcePurger;
  readonly #current: Query<{ version: number; sequence: number }>;
  readonly #head: Query<{ head: number; recorded_at: number }>;
  readonly #version: Query<{ record: string; previous: number | null }>;
  readonly #scope: Query<{ id: number }>;
  readonly #append: Command;
  readonly #advance: Command;
  readonly #emptyEntry: Command;
  readonly #endKnown: Command;
  readonly #removeTag: Command;
  readonly #removals: readonly Command[];
  readonly #remember: Command;
  readonly #sweeps: readonly Command[];
  readonly #sweepsOfTenant: readonly Command[];
  readonly #answers: Query<{ id: number; subject: string; method: string; requestId: string }>;
  readonly #emptyAnswer: Command;
  readonly #removeReceipts: Command;
  readonly #removeSettings: Command;
  readonly #orphans: Query<{ space: number; content_hash: string; first_piece: number; last_piece: number }>;
  readonly #removeEmbedding: Command;
  readonly #removePieces: Command;

  constructor(database: DatabaseSync, sealing: LedgerSealing) {
    this.#sealing = sealing;
    const command = (sql: string): Command => prepareCommand(database, sql);
    this.#resources = new ResourcePurger(database);
    this.#current = prepareQuery(database, "SELECT version, sequence FROM memories WHERE tenant = ? AND ref = ?");
    this.#head = prepareQuery(database, "SELECT head, recorded_at FROM tenants WHERE id = ?");
    this.#version = prepareQuery(database, "SELECT record, previous FROM changes WHERE tenant = ? AND sequence = ?");
    this.#scope = prepareQuery(database, "SELECT id FROM scopes WHERE tenant = ? AND kind = ? AND name = ?");
    this.#append = command(
      `INSERT INTO changes (tenant, sequence, recorded_at, type, ref, version, content_hash)
         VALUES (?, ?, ?, 'memoryRemoved', ?, ?, '')`,
    );
    this.#advance = command("UPDATE tenants SET head = ?, recorded_at = ? WHERE id = ?");
    this.#emptyEntry = command(
      `UPDATE changes SET type = 'memoryRemoved', previous = NULL, content_hash = '', record = NULL, ${noAuthor}
         WHERE tenant = ? AND sequence = ?`,
    );
    this.#endKnown = command("DELETE FROM active_versions WHERE scope = ? AND sequence = ?");
    this.#removeTag = command("DELETE FROM tags WHERE scope = ? AND tag = ? AND created_at = ? AND ref = ?");
    this.#removals = tablesOf(tables, "whenMemoriesArePurged", "rows").map((table) =>
      command(`DELETE FROM ${table} WHERE tenant = ? AND ref = ?`),
    );
    this.#remember = command("INSERT INTO purged (tenant, ref, purged_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");

    const isPurged = "IN (SELECT ref FROM purged WHERE tenant = ?1)";
    this.#sweeps = [
      // What is no version of a memory, also of kinds that this version does not know.
      command(
        `UPDATE changes SET type = 'memoryRemoved', space = NULL, content_hash = '', record = NULL, ${noAuthor}
           WHERE tenant = ?1 AND family = 'memories' AND type <> 'memoryRemoved' AND ref ${isPurged}`,
      ),
      command(`DELETE FROM recall_marks WHERE tenant = ?1 AND ref ${isPurged}`),
      ...tablesOf(tables, "whenMemoriesArePurged", "all").map((table) =>
        command(`DELETE FROM ${table} WHERE tenant = ?1`),
      ),
      // A row that others refer to is costly to delete; its name is what has to go.
      command(
        `UPDATE scopes SET kind = 'purged', name = id WHERE tenant = ?1 AND kind <> 'purged'
           AND id NOT IN (SELECT scope FROM memories WHERE tenant = ?1)
           AND id NOT IN (SELECT scope FROM resources WHERE tenant = ?1)
           AND NOT EXISTS (SELECT 1 FROM active_versions AS v WHERE v.scope = scopes.id)`,
      ),
    ];
    this.#sweepsOfTenant = [
      command("DELETE FROM requests WHERE tenant = ?1 AND method <> ''"),
      ...tablesOf(tables, "whenTenantIsPurged", "all").map((table) =>
        command(`DELETE FROM ${table} WHERE tenant = ?1`),
      ),
    ];
    this.#answers = prepareQuery(
      database,
      `SELECT id, subject, method, request_id AS requestId FROM requests WHERE tenant = ?1 AND EXISTS (
         SELECT 1 FROM json_each(results) AS wanted WHERE wanted.value ->> 'ref' ${isPurged})`,
    );
    this.#emptyAnswer = command(
      `UPDATE OR REPLACE requests SET subject = '', method = '', request_id = ?, body_hash = '', results = '[]'
         WHERE id = ?`,
    );
    this.#removeReceipts = command(
      `DELETE FROM receipts WHERE tenant = ?1 AND EXISTS (
         SELECT 1 FROM json_each(receipts.names) AS wanted
           WHERE wanted.value ${isPurged} OR wanted.value IN (SELECT wanted.value FROM json_each(?2) AS wanted))`,
    );
    this.#removeSettings = command("DELETE FROM settings WHERE tenant = ?");
    this.#orphans = prepareQuery(
      database,
      `SELECT space, content_hash, first_piece, last_piece FROM embeddings
         WHERE tenant = ?1 AND content_hash NOT IN (SELECT content_hash FROM changes WHERE tenant = ?1)`,
    );
    this.#removeEmbedding = command("DELETE FROM embeddings WHERE tenant = ? AND space = ? AND content_hash = ?");
    this.#removePieces = command("DELETE FROM vector_pieces WHERE id BETWEEN ? AND ?");
  }

  /** @returns how many are gone that were there */
  purge(tenant: number, name: TenantId, refs: readonly Ref[], now: Instant): PurgedCounts {
    const before = this.#head.get(tenant) ?? { head: 0, recorded_at: 0 };
    const recordedAt = Math.max(now, before.recorded_at);
    let { head } = before;
    const purged = { memories: 0, resources: 0 };
    for (const ref of refs) {
      const resource = this.#resources.purge(tenant, ref, { sequence: head + 1, recordedAt });
      if (resource.isPurged) {
        if (resource.isAppended) head++;
        this.#remember.run(tenant, ref, recordedAt);
        purged.resources++;
      }
      const current = this.#current.get(tenant, ref);
      if (current === undefined) continue;
      const wasTombstone = this.#emptyVersions(tenant, name, current.sequence);
      if (!wasTombstone) this.#append.run(tenant, ++head, recordedAt, ref, current.version + 1);
      for (const removal of this.#removals) removal.run(tenant, ref);
      this.#remember.run(tenant, ref, recordedAt);
      purged.memories++;
    }
    if (head > before.head) this.#advance.run(head, recordedAt, tenant);
    return purged;
  }

  /** Removes what purged memories have left behind elsewhere, also by purges that were interrupted. */
  sweep(tenant: number, { tenant: name, everything, scopes }: Omit<SweepOperation, "type">): void {
    for (const { id, subject, ...request } of this.#answers.all(tenant))
      this.#emptyAnswer.run(erasedRequestId(subject, request), id);
    this.#removeReceipts.run(tenant, JSON.stringify(scopes.map(formatScope)));
    for (const command of everything ? [...this.#sweepsOfTenant, ...this.#sweeps] : this.#sweeps) command.run(tenant);
    if (everything) this.#removeSettings.run(name);
    for (const { space, content_hash, first_piece, last_piece } of this.#orphans.all(tenant)) {
      this.#removeEmbedding.run(tenant, space, content_hash);
      this.#removePieces.run(first_piece, last_piece);
    }
  }

  /** From the newest to the oldest. @returns whether the newest is a tombstone */
  #emptyVersions(tenant: number, name: TenantId, newest: number): boolean {
    let wasTombstone = false;
    for (let sequence: number | null = newest; sequence !== null;) {
      const row: { record: string; previous: number | null } | undefined = this.#version.get(tenant, sequence);
      if (row === undefined) break;
      const { record } = openEntry(this.#sealing.fields, name, { sequence, record: row.record });
      const memory = parseRecord(record, sequence);
      const { scope, active, tags, createdAt } = indexedFieldsOf(memory);
      const scopeId = this.#scope.get(tenant, scope.kind, scope.id ?? "")?.id;
      if (scopeId !== undefined && active) {
        this.#endKnown.run(scopeId, sequence);
        if (sequence === newest)
          for (const tag of this.#sealing.columns.all(name, "tag", tags))
            this.#removeTag.run(scopeId, tag, createdAt, memory.id);
      }
      if (sequence === newest) wasTombstone = memory.state === "deleted";
      this.#emptyEntry.run(tenant, sequence);
      sequence = row.previous;
    }
    return wasTombstone;
  }
}
