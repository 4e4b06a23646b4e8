import {
  type CallOptions,
  type ContentHash,
  type EmbeddingSpaceId,
  type NonEmpty,
  type Sequence,
  type TenantId,
  throwIfAborted,
} from "@loci/domain";
import type { EmbeddingCacheTable, StoredMemory } from "@loci/ledger";
import { blobOf, floatsOf, packVectors, storedMemoryOf, type VersionRow, vectorsOf } from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import type { LedgerKeys } from "./encryption/ledger-keys.ts";
import type { LogReader } from "./log-reader.ts";
import { joinVersions, versionColumns } from "./memory-reader.ts";
import { RecentlyRead } from "./recently-read.ts";
import { type Statement, statement } from "./statement.ts";

const vectors: Statement<{ readonly content_hash: ContentHash; readonly chunks: number; readonly vectors: Buffer }> =
  statement(
    `SELECT e.content_hash, e.chunks, e.vectors FROM unnest($3::text[]) AS wanted (content_hash)
       JOIN embeddings AS e ON e.tenant = $1 AND e.space = $2 AND e.content_hash = wanted.content_hash`,
    ["vectors"],
  );

const present: Statement<{ readonly content_hash: ContentHash }> = statement(
  `SELECT e.content_hash FROM unnest($3::text[]) AS wanted (content_hash)
     JOIN embeddings AS e ON e.tenant = $1 AND e.space = $2 AND e.content_hash = wanted.content_hash`,
);

/** Along a stretch of the log. */
const missing: Statement<VersionRow> = statement(
  `SELECT ${versionColumns} FROM (
     SELECT c.sequence FROM changes AS c
       JOIN memories AS m ON m.tenant = $1 AND m.ref = c.ref AND m.sequence = c.sequence AND m.state = 'active'
       WHERE c.tenant = $1 AND c.sequence > $3 AND c.sequence <= $4 AND NOT EXISTS (
         SELECT 1 FROM embeddings AS e WHERE e.tenant = $1 AND e.space = $2 AND e.content_hash = c.content_hash)
       ORDER BY c.sequence LIMIT $5
   ) AS f ${joinVersions}
   ORDER BY f.sequence`,
);

/** How much of the log is looked at at once: little enough to be looked up rather than to read whole tables. */
const sequencesAtOnce = 4_096;

const cached: Statement<{ readonly key: string; readonly vector: Buffer }> = statement(
  `SELECT e.key, e.vector FROM unnest($2::text[]) AS wanted (key)
     JOIN embedding_cache AS e ON e.tenant = $1 AND e.key = wanted.key`,
  ["vector"],
);

const putCached = statement(
  `INSERT INTO embedding_cache (tenant, key, vector)
     SELECT $1, e.key, substring($2::bytea FROM e.start + 1 FOR e.length)
       FROM unnest($3::text[], $4::integer[], $5::integer[]) AS e (key, start, length) ORDER BY e.key
     ON CONFLICT (tenant, key) DO UPDATE SET vector = excluded.vector`,
);

/** Vectors that are kept: those of 45,000 texts at 256 dimensions. */
const mostBytes = 64 * 1024 * 1024;
/** What the vectors of a text take in bytes beside their floats, about. */
const bytesOfRest = 400;

/** Reads embeddings of record and which are missing. */
export class EmbeddingReader {
  readonly #connections: Connections;
  readonly #log: LogReader;
  readonly #keys: LedgerKeys;
  /**
   * By tenant and space: up to here every memory has its embedding. Embeddings of current texts are never removed, so
   * that this holds for good, and only what was written since has to be looked at.
   */
  readonly #completeThrough = new Map<string, Sequence>();
  /** Until a purge by another server is noticed, vectors can only be asked for by who has the same text again. */
  readonly #recent = new RecentlyRead<ContentHash, NonEmpty<Float32Array>>({
    mostWeight: mostBytes,
    weightOf: bytesOf,
  });

  constructor(connections: Connections, log: LogReader, keys: LedgerKeys) {
    this.#connections = connections;
    this.#log = log;
    this.#keys = keys;
  }

  async vectors(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
    call?: CallOptions,
  ): Promise<ReadonlyMap<ContentHash, NonEmpty<Float32Array>>> {
    throwIfAborted(call?.signal);
    this.#connections.throwIfClosing();
    const owner = ownerOf(tenant, space);
    const found = this.#recent.get(owner, hashes);
    const unread = hashes.filter((hash) => !found.has(hash));
    if (unread.length === 0) return found;
    const { purges } = this.#recent;
    const rows = await this.#connections.read({ tenant }, vectors, [tenant, space, unread], call);
    for (const row of rows) {
      const read = vectorsOf(new Uint8Array(row.vectors), row.chunks);
      found.set(row.content_hash, read);
      if (purges === this.#recent.purges) this.#recent.set(owner, row.content_hash, read);
    }
    return found;
  }

  /** Forgets what was read: some of it was, or is about to be, purged. */
  forget(): void {
    this.#recent.forget();
  }

  async present(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
  ): Promise<ReadonlySet<ContentHash>> {
    const rows = await this.#connections.read({ tenant }, present, [tenant, space, hashes]);
    return new Set(rows.map((row) => row.content_hash));
  }

  /** Active versions whose text has no embedding in the space, oldest first. */
  async missing(tenant: TenantId, space: EmbeddingSpaceId, limit: number): Promise<readonly StoredMemory[]> {
    const key = JSON.stringify([tenant, space]);
    const found: StoredMemory[] = [];
    const head = await this.#log.head(tenant);
    let through = this.#completeThrough.get(key) ?? 0;
    while (through < head && found.length < limit) {
      const end = Math.min(through + sequencesAtOnce, head);
      const values = [tenant, space, through, end, limit - found.length];
      for (const row of await this.#connections.read({ tenant }, missing, values))
        found.push(storedMemoryOf(this.#keys.entry(tenant, row)));
      through = end;
      if (found.length === 0) this.#completeThrough.set(key, end);
    }
    return found;
  }

  /** Asks only about tenants that have changed since all was there. */
  async tenantsWithMissing(space: EmbeddingSpaceId): Promise<readonly TenantId[]> {
    const found: TenantId[] = [];
    for (const [tenant, head] of await this.#log.heads()) {
      if (this.#completeThrough.get(JSON.stringify([tenant, space])) === head) continue;
      if ((await this.missing(tenant, space, 1)).length > 0) found.push(tenant);
    }
    return found;
  }
}

/** No tenant and no space is called with a line break. */
function ownerOf(tenant: TenantId, space: EmbeddingSpaceId): string {
  return `${space}\n${tenant}`;
}

function bytesOf(vectors: NonEmpty<Float32Array>): number {
  return vectors.reduce((sum, { byteLength }) => sum + byteLength, bytesOfRest);
}

/** The table behind the embedding cache, which prunes itself elsewhere. */
export function embeddingCacheTable(connections: Connections): EmbeddingCacheTable {
  return {
    get: async (tenant, keys) => {
      const rows = await connections.read({ tenant }, cached, [tenant, keys]);
      return new Map(rows.map((row) => [row.key, floatsOf(new Uint8Array(row.vector))]));
    },
    set: async (tenant, entries) => {
      const { values, bounds } = packVectors(Array.from(entries.values(), (vector) => [vector]));
      const bytes = Float32Array.BYTES_PER_ELEMENT;
      await connections.write({ tenant }, putCached, [
        tenant,
        blobOf(values, 0, values.length),
        [...entries.keys()],
        bounds.map(({ start }) => start * bytes),
        bounds.map(({ start, end }) => (end - start) * bytes),
      ]);
    },
  };
}
