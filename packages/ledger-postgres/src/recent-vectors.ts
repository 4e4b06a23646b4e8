import type { ContentHash, EmbeddingSpaceId, NonEmpty, TenantId } from "@loci/domain";

type Vectors = NonEmpty<Float32Array>;

/** Of both generations together: those of 45,000 texts at 256 dimensions. */
const mostBytes = 64 * 1024 * 1024;
/** What the vectors of a text take in bytes beside their floats, about. */
const bytesOfRest = 400;
/** How long a generation takes in vectors. So none is kept for longer than twice that, in milliseconds. */
const generationMilliseconds = 5 * 60_000;

/**
 * Vectors that were read lately. Those of a text never change: they are only removed, when the text is purged. A purge here
 * forgets all; one by another server is not heard of, so what is kept also ends with time. Until then it can only be asked
 * for by who has the same text again.
 */
export class RecentVectors {
  readonly #now: () => number;
  #young = new Map<string, Map<ContentHash, Vectors>>();
  #old = new Map<string, Map<ContentHash, Vectors>>();
  #youngBytes = 0;
  #youngSince: number;

  /** @param now milliseconds of a clock that is never set */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#youngSince = now();
  }

  get(tenant: TenantId, space: EmbeddingSpaceId, hash: ContentHash): Vectors | undefined {
    this.#age();
    const owner = ownerOf(tenant, space);
    return this.#young.get(owner)?.get(hash) ?? this.#old.get(owner)?.get(hash);
  }

  set(tenant: TenantId, space: EmbeddingSpaceId, hash: ContentHash, vectors: Vectors): void {
    if (2 * this.#youngBytes >= mostBytes) this.#begin();
    const owner = ownerOf(tenant, space);
    let own = this.#young.get(owner);
    if (own === undefined) this.#young.set(owner, (own = new Map<ContentHash, Vectors>()));
    if (own.has(hash)) return;
    own.set(hash, vectors);
    this.#youngBytes += vectors.reduce((sum, { byteLength }) => sum + byteLength, bytesOfRest);
  }

  forget(): void {
    this.#begin();
    this.#old = new Map();
  }

  #age(): void {
    const age = this.#now() - this.#youngSince;
    if (age >= generationMilliseconds) this.#begin();
    if (age >= 2 * generationMilliseconds) this.#old = new Map();
  }

  #begin(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
    this.#youngSince = this.#now();
  }
}

/** No tenant and no space is called with a line break. */
function ownerOf(tenant: TenantId, space: EmbeddingSpaceId): string {
  return `${space}\n${tenant}`;
}
