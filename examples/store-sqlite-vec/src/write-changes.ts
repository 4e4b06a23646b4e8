import type { DatabaseSync, StatementSync } from "node:sqlite";
import { formatScope, type Sequence, type TenantId, type Version } from "@loci/domain";
import type { IndexChange, IndexUpsert } from "@loci/store";

interface KnownRow {
  readonly number: number;
  readonly version: Version;
  readonly isLive: number;
}

/** Applies checked changes of one tenant in log order. Runs inside a transaction, so that it is all or nothing. */
export class ChangeWriter {
  readonly #collection: number;
  readonly #find: StatementSync;
  readonly #put: StatementSync;
  readonly #removeVectors: StatementSync;
  readonly #addVector: StatementSync;
  readonly #checkpoint: StatementSync;
  readonly #moveCheckpoint: StatementSync;

  constructor(database: DatabaseSync, collection: number) {
    this.#collection = collection;
    this.#find = database.prepare(
      "SELECT number, version, scope IS NOT NULL AS isLive FROM rows WHERE collection = ? AND tenant = ? AND ref = ?",
    );
    this.#put = database.prepare(
      `INSERT INTO rows (collection, tenant, ref, version, scope, fields) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (collection, tenant, ref)
        DO UPDATE SET version = excluded.version, scope = excluded.scope, fields = excluded.fields
      RETURNING number`,
    );
    this.#removeVectors = database.prepare("DELETE FROM vectors WHERE row = ?");
    this.#addVector = database.prepare("INSERT INTO vectors (row, position, vector) VALUES (?, ?, ?)");
    this.#checkpoint = database.prepare("SELECT sequence FROM checkpoints WHERE collection = ? AND tenant = ?");
    this.#moveCheckpoint = database.prepare(
      `INSERT INTO checkpoints (collection, tenant, sequence) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET sequence = excluded.sequence`,
    );
  }

  checkpoint(tenant: TenantId): Sequence {
    return Number(this.#checkpoint.get(this.#collection, tenant)?.["sequence"] ?? 0);
  }

  apply(tenant: TenantId, changes: readonly IndexChange[], through: Sequence): void {
    if (through < this.checkpoint(tenant)) return;
    for (const change of changes) {
      const known = this.#find.get(this.#collection, tenant, change.ref) as KnownRow | undefined;
      if (known !== undefined && !takesEffect(change, known)) continue;
      if (known !== undefined) this.#removeVectors.run(known.number);
      if (change.type === "delete") this.#put.get(this.#collection, tenant, change.ref, change.version, null, null);
      else this.#upsert(tenant, change);
    }
    this.#moveCheckpoint.run(this.#collection, tenant, through);
  }

  #upsert(tenant: TenantId, { ref, version, scope, fields, vectors }: IndexUpsert): void {
    const made = this.#put.get(this.#collection, tenant, ref, version, formatScope(scope), JSON.stringify(fields));
    for (const [position, vector] of vectors.entries())
      this.#addVector.run(Number(made?.["number"]), position, bytesOf(vector));
  }
}

/** The same version replaces a row, as when its vector comes later, but not a deletion. */
function takesEffect({ type, version }: IndexChange, known: KnownRow): boolean {
  return version > known.version || (version === known.version && (known.isLive === 1 || type === "delete"));
}

/** A vector in the form sqlite-vec takes: float32, little endian. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
