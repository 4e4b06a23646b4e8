import { type ContentHash, embeddingSpaceId, type Ref, type TenantId, type Version } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { ExactVectors, RowVersion } from "@loci/store";

/** Rows whose text is known without reading their memories: about 20 MB. */
const maxKnown = 100_000;

interface KnownText {
  readonly tenant: TenantId;
  readonly version: Version;
  readonly contentHash: ContentHash;
}

/**
 * The ledger's float32 vectors of rows. Which text a version has never changes, so it is looked up once; rows that are no
 * longer current may still be found, which resolving in the ledger sees to.
 */
export function vectorsOfRecord(ledger: Ledger): ExactVectors {
  /** The longest known first. */
  const known = new Map<Ref, KnownText>();
  const note = (ref: Ref, text: KnownText): void => {
    known.delete(ref);
    known.set(ref, text);
    if (known.size <= maxKnown) return;
    for (const oldest of known.keys()) {
      known.delete(oldest);
      return;
    }
  };
  const knownHash = (tenant: TenantId, { ref, version }: RowVersion): ContentHash | undefined => {
    const text = known.get(ref);
    return text?.tenant === tenant && text.version === version ? text.contentHash : undefined;
  };
  return async ({ tenant, space, rows }, call) => {
    const unknown = rows.filter((row) => knownHash(tenant, row) === undefined).map(({ ref }) => ref);
    if (unknown.length > 0)
      for (const [ref, { memory, contentHash }] of await ledger.memories(tenant, unknown, call))
        note(ref, { tenant, version: memory.version, contentHash });
    const hashes = new Map<Ref, ContentHash>();
    for (const row of rows) {
      const hash = knownHash(tenant, row);
      if (hash !== undefined) hashes.set(row.ref, hash);
    }
    const embeddings = await ledger.embeddings(tenant, embeddingSpaceId(space), [...new Set(hashes.values())], call);
    const vectors = new Map<Ref, readonly Float32Array[]>();
    for (const [ref, hash] of hashes) {
      const found = embeddings.get(hash);
      if (found !== undefined) vectors.set(ref, found);
    }
    return vectors;
  };
}
