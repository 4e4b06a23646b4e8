import type { DatabaseSync } from "node:sqlite";
import type { ContentHash, EmbeddingSpaceId, NonEmpty, Sequence, TenantId } from "@loci/domain";
import type { EmbeddingOfRecord } from "@loci/ledger";
import { floatsOf, vectorsOf } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { inSteps, type ReadingPace, rowsPerStep } from "./reading-pace.ts";
import { RecentlyRead } from "./recently-read.ts";

/** Of vectors that are kept in memory: those of 45,000 texts at 256 dimensions. */
const recentBytes = 64 * 1024 * 1024;

/** What the vectors of a text take in bytes beside their floats, measured, with their place among the others. */
const bytesOfRest = 400;

/** Changes of a tenant that are looked at together with those of others. */
const longLog = 256;

/** Tenants looked at in one statement, by their numbers. */
const tenantsPerStep = 64;

/** Changes that need not be looked at again after opening: fewer are not worth a write. */
const noteworthyChanges = 1_000;

/** How far a tenant's memories are known to have their embeddings in a space. */
export interface EmbeddedThrough {
  readonly tenant: TenantId;
  /** The setting that it is kept in. */
  readonly setting: string;
  readonly through: Sequence;
}

/** Reads embeddings of record, which are missing, and the embedding cache. */
export class EmbeddingReader {
  readonly #vectors: Query<{ content_hash: ContentHash; chunks: number; bytes: Uint8Array }>;
  readonly #present: Query<{ content_hash: ContentHash }>;
  readonly #missing: Query<{ sequence: Sequence }>;
  readonly #tenants: Query<{ name: TenantId; head: Sequence }>;
  readonly #lastTenant: Query<{ id: number | null }>;
  readonly #head: Query<{ head: Sequence }>;
  readonly #kept: Query<{ value: string }>;
  readonly #cached: Query<{ key: string; vector: Uint8Array }>;
  /**
   * By tenant and space: up to here every memory has its embedding. Embeddings of current texts are never removed, so
   * that this holds for good, and only what was written since has to be looked at. Kept in a setting from one opening of
   * the file to the next.
   */
  readonly #completeThrough = new Map<string, EmbeddedThrough & { readonly kept: Sequence }>();
  /** One recall asks for most of its candidates' twice, and the next question in the same scopes for many of them. */
  readonly #recent = new RecentlyRead<ContentHash, NonEmpty<Float32Array>>(recentBytes, (vectors) =>
    vectors.reduce((sum, { byteLength }) => sum + byteLength, bytesOfRest),
  );

  /** @param overview reads what concerns all tenants */
  constructor(database: DatabaseSync, overview: DatabaseSync) {
    const tenant = "(SELECT id FROM tenants WHERE name = ?)";
    const space = "(SELECT id FROM spaces WHERE name = ?)";
    const wanted = `FROM json_each(?) AS wanted
      CROSS JOIN embeddings AS e ON e.tenant = ${tenant} AND e.space = ${space} AND e.content_hash = wanted.value`;
    // Joined by SQLite, which takes bytes of any value: a row of its own for each piece costs nearly twice the time.
    this.#vectors = prepareQuery(
      database,
      `SELECT e.content_hash, e.chunks, (
         SELECT CAST(group_concat(bytes, '') AS BLOB)
           FROM (SELECT bytes FROM vector_pieces WHERE id BETWEEN e.first_piece AND e.last_piece ORDER BY id) AS pieces
       ) AS bytes ${wanted}`,
    );
    this.#present = prepareQuery(database, `SELECT e.content_hash ${wanted}`);
    this.#missing = prepareQuery(
      database,
      `SELECT c.sequence FROM changes AS c
         CROSS JOIN memories AS m ON m.tenant = c.tenant AND m.ref = c.ref AND m.sequence = c.sequence
         WHERE c.tenant = ${tenant} AND c.sequence > ? AND c.sequence <= ? AND m.active = 1 AND NOT EXISTS (
           SELECT 1 FROM embeddings AS e
             WHERE e.tenant = c.tenant AND e.space = ${space} AND e.content_hash = c.content_hash)
         ORDER BY c.sequence LIMIT ?`,
    );
    this.#tenants = prepareQuery(
      overview,
      // Long logs are looked at step by step, and from where they are known to be complete.
      `SELECT t.name, t.head FROM tenants AS t
         WHERE t.id > ?1 AND t.id <= ?2 AND t.head > 0 AND (t.head > ${longLog} OR EXISTS (
           SELECT 1 FROM memories AS m CROSS JOIN changes AS c ON c.tenant = m.tenant AND c.sequence = m.sequence
             WHERE m.tenant = t.id AND m.active = 1 AND NOT EXISTS (
               SELECT 1 FROM embeddings AS e
                 WHERE e.tenant = t.id AND e.space = ${space.replace("?", "?3")} AND e.content_hash = c.content_hash)))`,
    );
    this.#lastTenant = prepareQuery(overview, "SELECT max(id) AS id FROM tenants");
    this.#head = prepareQuery(database, "SELECT head FROM tenants WHERE name = ?");
    this.#kept = prepareQuery(database, "SELECT value FROM settings WHERE tenant = ? AND name = ?");
    this.#cached = prepareQuery(
      database,
      `SELECT e.key, e.vector FROM json_each(?) AS wanted
         CROSS JOIN embedding_cache AS e ON e.tenant = ${tenant} AND e.key = wanted.value`,
    );
  }

  async vectors(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
    pace: ReadingPace,
  ): Promise<Map<ContentHash, NonEmpty<Float32Array>>> {
    const found = new Map<ContentHash, NonEmpty<Float32Array>>();
    const unread: ContentHash[] = [];
    const owner = ownerOf(tenant, space);
    for (const hash of hashes) {
      const vectors = this.#recent.get(owner, hash);
      if (vectors === undefined) unread.push(hash);
      else found.set(hash, vectors);
    }
    for (const some of inSteps(unread)) {
      for (const { content_hash: hash, chunks, bytes } of this.#vectors.all(JSON.stringify(some), tenant, space)) {
        const vectors = vectorsOf(bytes, chunks);
        found.set(hash, vectors);
        this.#recent.set(owner, hash, vectors);
      }
      await pace.step();
    }
    return found;
  }

  /** What was just written is soon read by whoever follows the log. */
  keep(tenant: TenantId, embeddings: readonly EmbeddingOfRecord[]): void {
    for (const { space, contentHash, vectors } of embeddings) {
      // Copies: what was given may be a view of the vectors of a thousand texts, and be written over.
      const [first, ...others] = vectors;
      const copies: NonEmpty<Float32Array> = [first.slice(), ...others.map((vector) => vector.slice())];
      this.#recent.set(ownerOf(tenant, space), contentHash, copies);
    }
  }

  /** Forgets what was read: some of it was purged. */
  forget(): void {
    this.#recent.clear();
  }

  async present(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
    pace: ReadingPace,
  ): Promise<Set<ContentHash>> {
    const found = new Set<ContentHash>();
    for (const some of inSteps(hashes)) {
      for (const row of this.#present.all(JSON.stringify(some), tenant, space)) found.add(row.content_hash);
      await pace.step();
    }
    return found;
  }

  /** The changes that made active versions whose text has no embedding in the space, oldest first. */
  async missing(tenant: TenantId, space: EmbeddingSpaceId, limit: number, pace: ReadingPace): Promise<Sequence[]> {
    const key = JSON.stringify([tenant, space]);
    const found: Sequence[] = [];
    const head = this.#head.get(tenant)?.head ?? 0;
    const setting = `embedded-through/${space}`;
    const kept = this.#completeThrough.get(key)?.kept ?? sequenceOf(this.#kept.get(tenant, setting)?.value, head);
    let through = this.#completeThrough.get(key)?.through ?? kept;
    while (through < head && found.length < limit) {
      const end = Math.min(through + 4 * rowsPerStep, head);
      const rows = this.#missing.all(tenant, through, end, space, limit - found.length);
      for (const { sequence } of rows) found.push(sequence);
      through = end;
      if (found.length === 0) this.#completeThrough.set(key, { tenant, setting, through, kept });
      await pace.step();
    }
    return found;
  }

  /** What was found out since the file was opened and is worth keeping. */
  embeddedThrough(): readonly EmbeddedThrough[] {
    return [...this.#completeThrough.values()].filter(({ through, kept }) => through - kept >= noteworthyChanges);
  }

  async tenantsWithMissing(space: EmbeddingSpaceId, pace: ReadingPace): Promise<TenantId[]> {
    const found: TenantId[] = [];
    const last = this.#lastTenant.get()?.id ?? 0;
    for (let id = 0; id < last; id += tenantsPerStep) {
      const tenants = this.#tenants.all(id, id + tenantsPerStep, space);
      for (const { name, head } of tenants)
        if (head <= longLog || (await this.missing(name, space, 1, pace)).length > 0) found.push(name);
      await pace.step();
    }
    return found;
  }

  async cached(tenant: TenantId, keys: readonly string[], pace: ReadingPace): Promise<Map<string, Float32Array>> {
    const found = new Map<string, Float32Array>();
    for (const some of inSteps(keys)) {
      for (const row of this.#cached.all(JSON.stringify(some), tenant)) found.set(row.key, floatsOf(row.vector));
      await pace.step();
    }
    return found;
  }
}

/** No tenant and no space is called with a line break. */
function ownerOf(tenant: TenantId, space: EmbeddingSpaceId): string {
  return `${space}\n${tenant}`;
}

/** From 0 to the head, whatever the setting says. */
function sequenceOf(kept: string | undefined, head: Sequence): Sequence {
  const sequence = Number(kept ?? 0);
  return Number.isSafeInteger(sequence) && sequence >= 0 && sequence <= head ? sequence : 0;
}
