import type { DatabaseSync } from "node:sqlite";
import type { Instant, Ref, Version } from "@loci/domain";
import type { Committed } from "@loci/ledger";
import { versionConflict } from "@loci/ledger/sql";
import { EmbeddingWriter } from "./embedding-writer.ts";
import type { InternedNames } from "./interned-names.ts";
import { MemoryWriter } from "./memory-writer.ts";
import type { ModelUsageWriter } from "./model-usage-writer.ts";
import { type Command, prepareCommand, prepareQuery, type Query } from "./query.ts";
import { RequestWriter } from "./request-writer.ts";
import type { CommitOperation, EncodedChange, EncodedTextExpectation, WriterSettings } from "./write-operation.ts";

/** Commits batches inside the transaction that is open. Whoever opened it rolls back when this throws. */
export class CommitWriter {
  readonly #names: InternedNames;
  readonly #memories: MemoryWriter;
  readonly #embeddings: EmbeddingWriter;
  readonly #requests: RequestWriter;
  readonly #modelUsage: ModelUsageWriter;
  readonly #head: Query<{ head: number; recorded_at: number }>;
  readonly #advance: Command;

  constructor(database: DatabaseSync, names: InternedNames, modelUsage: ModelUsageWriter, settings: WriterSettings) {
    this.#modelUsage = modelUsage;
    this.#names = names;
    this.#memories = new MemoryWriter(database, names);
    this.#embeddings = new EmbeddingWriter(database, names);
    this.#requests = new RequestWriter(database, settings.requestRetentionMilliseconds);
    this.#head = prepareQuery(database, "SELECT head, recorded_at FROM tenants WHERE id = ?");
    this.#advance = prepareCommand(database, "UPDATE tenants SET head = ?, recorded_at = ? WHERE id = ?");
  }

  commit(operation: CommitOperation, now: Instant): Committed {
    const tenant = this.#names.tenant(operation.tenant);
    const request = operation.idempotency && { ...operation.idempotency, tenant, subject: operation.subject };
    const replayed = request && this.#requests.find(request, now);
    if (replayed !== undefined) return replayed;
    for (const { ref, version } of operation.expect) this.#expect(tenant, ref, version);
    for (const expected of operation.expectTexts) this.#expectText(tenant, expected);

    const before = this.#head.get(tenant) ?? { head: 0, recorded_at: 0 };
    // The clock may have been set back. A log whose first entry is from before 1970 is not worth a special case.
    const recordedAt = Math.max(now, before.recorded_at);
    for (const embedding of operation.embeddings) this.#embeddings.write(tenant, embedding, operation.values);
    let sequence = before.head;
    for (const change of operation.changes) this.#apply(tenant, ++sequence, recordedAt, change);
    if (sequence > before.head) this.#advance.run(sequence, recordedAt, tenant);
    if (operation.modelUsage !== undefined) this.#modelUsage.add(tenant, operation.modelUsage);

    const committed: Committed = {
      sequence,
      recordedAt,
      replayed: false,
      results: operation.changes.map(({ ref, version }) => ({ ref, version })),
    };
    if (request) this.#requests.write(request, committed, now);
    return committed;
  }

  /** Must be called after a rollback: what was remembered may be gone. */
  forget(): void {
    this.#memories.forget();
  }

  prune(now: Instant): void {
    this.#requests.prune(now);
  }

  #expect(tenant: number, ref: Ref, expected: Version): void {
    const found = this.#memories.currentVersion(tenant, ref);
    if (found !== expected) throw versionConflict(ref, expected, found);
  }

  #expectText(tenant: number, { scope, textKey, known }: EncodedTextExpectation): void {
    for (const { ref, version } of this.#memories.withText(tenant, scope, textKey))
      if (!known.includes(ref)) throw versionConflict(ref, 0, version);
  }

  #apply(tenant: number, sequence: number, recordedAt: Instant, change: EncodedChange): void {
    const place = { tenant, sequence, recordedAt };
    switch (change.type) {
      case "memoryWritten":
        this.#expect(tenant, change.ref, change.version - 1);
        return this.#memories.write(place, change);
      case "memoryRemoved": {
        const found = this.#memories.currentVersion(tenant, change.ref);
        if (found === 0 || found !== change.version - 1) throw versionConflict(change.ref, change.version - 1, found);
        return this.#memories.remove(place, change);
      }
      case "embeddingRecorded": {
        const found = this.#memories.currentVersion(tenant, change.ref);
        if (change.version < 1 || change.version > found) throw versionConflict(change.ref, change.version, found);
        return this.#memories.noteEmbedding(place, change);
      }
    }
  }
}
